// What a transcript proves about a message: only records behind the place where it ended before the message count.
//
// [PF1] A message is proven by a record of its own: what was said, what was enqueued, or the command that was run.
//       Words that quote it prove nothing.
// [PF2] Only whole lines behind the mark are read; a file that was not there yet is read from its beginning.
// [PF3] A message is answered once the agent said something that follows from it; a command is, once it was taken.
//       Records name what they follow, because a client may write an answer down before the message. What is not on
//       disk yet is not known, never "not answered".
// [PF4] A mark that was written down reads back as itself; one that cannot be read proves nothing.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { text as readStream } from "node:stream/consumers";
import type { ShapedText } from "../agents/agent.js";
import { recordedWords } from "../agents/claude/compare.js";
import { type Json, parseRecord } from "../agents/claude/record.js";
import { limits } from "../limits.js";
import { isSessionId, type SessionId } from "../names/gates.js";
import { findSession } from "../transcripts/find.js";

/** Where the transcripts of one session ended before a message, and which message. */
export interface Mark {
  folder: string;
  session: SessionId;
  sizes: ReadonlyMap<string, number>;
  /** Of the text: receipts outlive it. */
  digest: string;
  /** Nobody answers a command, and some leave no record. */
  isCommand: boolean;
}

export function markTranscript(folder: string, session: SessionId, { text, isCommand }: ShapedText): Mark {
  const { files } = findSession([folder], session);
  const sizes = new Map(files.map(({ path, stamp }) => [path, stamp.sizeBytes]));
  return { folder, session, sizes, digest: digestOf(text), isCommand };
}

export type Proof = "nothing" | "taken" | "answered";

export async function proofBehind({ folder, session, sizes, digest }: Mark): Promise<Proof> {
  let best: Proof = "nothing";
  for (const { path, stamp } of findSession([folder], session).files) {
    const start = sizes.get(path) ?? 0;
    if (stamp.sizeBytes <= start) continue;
    const end = Math.min(stamp.sizeBytes, start + limits.proofBytes) - 1;
    const proof = proofIn(await readStream(createReadStream(path, { start, end })), digest);
    if (proof === "answered") return proof;
    if (proof === "taken") best = proof;
  }
  return best;
}

/** What these lines prove about the message of this digest. */
export function proofIn(lines: string, digest: string): Proof {
  const records = lines
    .split("\n")
    .slice(0, -1)
    .map(parseRecord)
    .filter((record) => record !== null);
  const isOwn = (record: Json) => saidIn(record).some((said) => digestOf(said) === digest);
  const own = records.filter(isOwn);
  if (own.length === 0) return "nothing";
  // What is enqueued is taken later: only what follows from that can answer it.
  const taken = own.findLast(({ type }) => type !== "queue-operation");
  if (taken === undefined) return "taken";
  const isRun = saidIn(taken).some((said) => commandForm.test(said));
  const follows = followingFrom(taken, records);
  return isRun || records.some((each) => speaks(each) && follows(each)) ? "answered" : "taken";
}

/** By the parents that records name, whatever their order; from one without an id follows what stands behind it. */
function followingFrom(own: Json, records: readonly Json[]): (record: Json) => boolean {
  if (typeof own.uuid !== "string") {
    const behind = new Set(records.slice(records.indexOf(own) + 1));
    return (record) => behind.has(record);
  }
  const parents = new Map(records.map((record) => [record.uuid, parentOf(record)]));
  return (record) => {
    let ancestor = parentOf(record);
    // Records that name each other in a ring are nobody's answer.
    for (let steps = 0; ancestor !== own.uuid && steps < records.length; steps++)
      ancestor = parents.get(ancestor);
    return ancestor === own.uuid;
  };
}

/** What begins behind a compaction names what it stands for. */
function parentOf({ parentUuid, logicalParentUuid }: Json): unknown {
  return parentUuid ?? logicalParentUuid;
}

/** The client writes a command down in its own form, and other blanks than were sent. */
export function digestOf(said: string): string {
  return createHash("sha256")
    .update(recordedWords(wordsOf(said)))
    .digest("hex")
    .slice(0, 16);
}

/** One line, of the characters that a receipt may hold. */
export function formatMark({ sizes, ...mark }: Mark): string {
  const text = JSON.stringify({ ...mark, sizes: Object.fromEntries(sizes) });
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/[|\u007f-\u009f\u2028\u2029]/g, escaped);
}

export function parseMark(text: string): Mark | null {
  const { digest, session, folder, sizes, isCommand } = parseRecord(text) ?? {};
  if (typeof digest !== "string" || typeof folder !== "string") return null;
  if (typeof session !== "string" || !isSessionId(session)) return null;
  if (typeof sizes !== "object" || sizes === null) return null;
  const found = Object.entries(sizes).filter((entry): entry is [string, number] =>
    Number.isInteger(entry[1]),
  );
  return { digest, session, folder, sizes: new Map(found), isCommand: isCommand === true };
}

const commandForm = /^\s*<(?:command-name|bash-input)>/;

function wordsOf(said: string): string {
  const command = /^<command-name>(\/\S+)<\/command-name>.*<command-args>(.*)<\/command-args>/s.exec(said);
  if (command !== null) return `${command[1]} ${command[2]}`;
  const shellLine = /^<bash-input>(.*)<\/bash-input>$/s.exec(said.trim());
  return shellLine === null ? said : `!${shellLine[1]}`;
}

function speaks(record: Json): boolean {
  return record.type === "assistant" && record.isSidechain !== true;
}

function saidIn(record: Json): string[] {
  if (record.isSidechain === true) return [];
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
