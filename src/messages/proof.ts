// What a transcript proves about a message: only records behind the place where it ended before the message count.
//
// [PF1] A message is proven by a record of its own: what was said, what was enqueued, or the command that was run.
//       Words that quote it prove nothing.
// [PF2] Only whole lines behind the mark are read; a file that was not there yet is read from its beginning.

import { createReadStream } from "node:fs";
import { text as readStream } from "node:stream/consumers";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { findSession } from "../transcripts/find.js";

/** Where the transcripts of one session ended. */
export interface TranscriptMark {
  folder: string;
  session: SessionId;
  sizes: ReadonlyMap<string, number>;
}

export function markTranscript(folder: string, session: SessionId): TranscriptMark {
  const { files } = findSession([folder], session);
  return { folder, session, sizes: new Map(files.map(({ path, stamp }) => [path, stamp.sizeBytes])) };
}

export async function isProvenBehind(
  { folder, session, sizes }: TranscriptMark,
  text: string,
): Promise<boolean> {
  for (const { path, stamp } of findSession([folder], session).files) {
    const start = sizes.get(path) ?? 0;
    if (stamp.sizeBytes <= start) continue;
    const end = Math.min(stamp.sizeBytes, start + limits.proofBytes) - 1;
    const added = await readStream(createReadStream(path, { start, end }));
    if (proves(added, text)) return true;
  }
  return false;
}

/** Whether one of these lines is the record of this message. */
export function proves(lines: string, text: string): boolean {
  return lines
    .split("\n")
    .slice(0, -1)
    .some((line) => saidIn(line).some((said) => isSame(said, text)));
}

function isSame(said: string, text: string): boolean {
  const command = /^<command-name>(\/\S+)<\/command-name>.*<command-args>(.*)<\/command-args>/s.exec(said);
  const words = command === null ? said : `${command[1]} ${command[2]}`;
  return words.trim() === text.trim();
}

function saidIn(line: string): string[] {
  const record = readRecord(line);
  if (record === null || record.isSidechain === true) return [];
  if (record.type === "user") return textsOf((record.message as { content?: unknown } | undefined)?.content);
  const isEnqueued = record.type === "queue-operation" && record.operation === "enqueue";
  const isCommand = record.type === "system" && record.subtype === "local_command";
  return isEnqueued || isCommand ? textsOf(record.content) : [];
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { type?: unknown; text?: unknown } | null) =>
    part?.type === "text" && typeof part.text === "string" ? [part.text] : [],
  );
}

function readRecord(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
