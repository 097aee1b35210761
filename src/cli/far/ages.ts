// How old something of another host is, and what that host said, in words. Pure.

/** `beta: no such role`; some sentences begin with the host themselves. */
export function saidBy(host: string, sentence: string): string {
  return sentence.startsWith(`${host} `) ? sentence : `${host}: ${sentence}`;
}

/** What that host says to type is for that host, unless it says so itself. */
export function hintBy(host: string, hint: string): string {
  return /\bthere\b/.test(hint) ? hint : `on ${host}: ${hint}`;
}

/** `3 s`, `12 min`, `5 h`, `2 d`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** `since 5 min`, or nothing known. */
export function sinceText(ms: number | null): string {
  return ms === null ? "now" : `since ${ageText(ms)}`;
}
