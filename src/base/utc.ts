// Times as the files spell them: UTC, whole seconds.

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
