// One record of a transcript as parsed JSON, with unchecked members.

import { readBytes } from "../base/files/atomic-file.js";

export type Json = Record<string, unknown>;

/** Null for a line that is not a JSON object. */
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

/** A small file with one such object. Null if the file is missing, half-written, too large or not a regular file. */
export function readRecordFile(path: string, mostBytes: number): Json | null {
  try {
    return parseRecord(readBytes(path, mostBytes)?.toString("utf8") ?? "");
  } catch {
    return null;
  }
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A non-empty string, or null. */
export function wordsOrNull(value: unknown): string | null {
  return textOrNull(value) || null;
}

export function timeMs(value: unknown): number | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
