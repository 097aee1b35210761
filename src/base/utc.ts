// Times as the files spell them: UTC, whole seconds; and as other programs do.

/** `2026-04-22T08:52:40Z` */
export function utcSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `20260422T085240`, for file names that sort by time. */
export function utcCompact(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

/** Null unless it is a time spelt as above, with or without a fraction of the second. */
export function parseUtc(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** A time with any zone, or none, which counts as UTC: `date -u` of a shell leaves the Z out. Null for anything else. */
export function parseAsUtc(text: string): number | null {
  const [, day, minute, second = "00", fraction = "", zone = "Z"] = looseForm.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const spelt = `${day}T${minute}:${second}`;
  const utc = Date.parse(`${spelt}Z`);
  // `Date` takes the 31st of February for the 3rd of March.
  if (Number.isNaN(utc) || !new Date(utc).toISOString().startsWith(spelt)) return null;
  const ms = Date.parse(`${spelt}${fraction}${/^(Z|UTC|GMT)$/i.test(zone) ? "Z" : zone}`);
  return Number.isNaN(ms) ? null : ms;
}

const looseForm =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d{1,9})?)?(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?$/i;
