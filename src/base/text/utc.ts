// Times as our files write them (UTC, whole seconds) and as other programs do.

/** `2026-04-22T08:52:40Z` */
export function utcSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `2026-04-22 10:52:40`, in local time, for people. */
export function localSeconds(ms: number): string {
  const date = new Date(ms);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${date.toTimeString().slice(0, 8)}`;
}

/** `20260422T085240`, for file names that sort by time. */
export function utcCompact(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

/** Null unless it has the form above, with or without a fraction of a second. */
export function parseUtc(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** A time with any zone, or none, which counts as UTC: `date -u` omits the Z. Null for anything else. */
export function parseAsUtc(text: string): number | null {
  const [, day, minute, second = "00", fraction = "", zone = "Z"] = looseForm.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  return parseSpelt(`${day}T${minute}:${second}`, `${fraction}${/^(Z|UTC|GMT)$/i.test(zone) ? "Z" : zone}`);
}

/** `2026-04-22T08:52:40` plus the rest after it; local time without a zone. Null for an invalid date. */
export function parseSpelt(spelt: string, rest: string): number | null {
  const utc = Date.parse(`${spelt}Z`);
  // `Date` takes the 31st of February for the 3rd of March.
  if (Number.isNaN(utc) || !new Date(utc).toISOString().startsWith(spelt)) return null;
  const ms = Date.parse(`${spelt}${rest}`);
  return Number.isNaN(ms) ? null : ms;
}

const looseForm =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d{1,9})?)?(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?$/i;
