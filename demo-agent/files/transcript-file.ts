// Transcripts on disk: `projects/<slug>/<id>.jsonl`.
//
// The file is created with mode 0600 and only appended to. A torn last line, left by a crash, is skipped when
// reading and closed before the next append.

import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectSlug } from "../../src/names/slug.js";
import type { TranscriptRecord } from "../conversation.js";

/** Uses only the slug of the folder that the client runs in. */
export function transcriptPath(configDir: string, cwd: string, id: string): string {
  return join(configDir, "projects", projectSlug(cwd), `${id}.jsonl`);
}

export function readTranscript(path: string): TranscriptRecord[] {
  return readFileSync(path, "utf8").split("\n").flatMap(recordOf);
}

export function appendTranscript(path: string, records: readonly TranscriptRecord[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a+", 0o600);
  try {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    writeSync(file, (isTorn(file) ? "\n" : "") + lines);
  } finally {
    closeSync(file);
  }
}

function recordOf(line: string): TranscriptRecord[] {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord =
      typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return isRecord ? [value as TranscriptRecord] : [];
  } catch {
    return [];
  }
}

function isTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
