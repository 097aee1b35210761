// One record of a transcript, as JSON gives it: of its members nothing is known yet.

export type Json = Record<string, unknown>;

/** Null for a line that is not JSON, and for one that is no object. */
export function parseRecord(line: string): Json | null {
  try {
    return objectOrNull(JSON.parse(line));
  } catch {
    return null;
  }
}

export function objectOrNull(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

export function timeMs(value: unknown): number | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
