// What a transcript proves about a message. Only records after the mark count: the file's end before the message.
//
// [PF1] A message is proven by a record of its own: the message as said, as enqueued, or as the command that ran.
//       Words that quote it prove nothing.
// [PF2] Only whole lines after the mark are read. A new file is read from its beginning.
// [PF3] A message is answered once the agent said something that follows from it; a command, once it was taken.
//       Records name their parents, because a client may record an answer before the message. A missing record means
//       unknown, never "not answered".
// [PF4] A mark survives a round trip through its text. An unreadable mark proves nothing.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { text as readStream } from "node:stream/consumers";
import type { ShapedText } from "../agents/agent.js";
import { recordedWords } from "../agents/claude/text/compare.js";
import { type Json, objectOrNull, parseRecord } from "../agents/claude/transcript/record.js";
import { limits } from "../limits.js";
import { isSessionId, type SessionId } from "../names/gates.js";
import { findSession } from "../transcripts/find.js";

/** Where the transcripts of one session ended before a message, and which message. */
export interface Mark {
  folder: string;
  session: SessionId;
  sizes: ReadonlyMap<string, number>;
  /** Digest of the text: receipts outlive the text. */
  digest: string;
  /** A command gets no answer, and some leave no record. */
  isCommand: boolean;
}

export function markTranscript(folder: string, session: SessionId, { text, isCommand }: ShapedText): Mark {
  const { files } = findSession([folder], session);
  const sizes = new Map(files.map(({ path, stamp }) => [path, stamp.sizeBytes]));
  return { folder, session, sizes, digest: digestOf(text), isCommand };
}

export type Proof = "nothing" | "taken" | "answered";

export async function proofBehind(mark: Mark): Promise<Proof> {
  let best: Proof = "nothing";
  for await (const lines of linesBehind(mark)) {
    const proof = proofIn(lines, mark.digest);
    if (proof === "answered") return proof;
    if (proof === "taken") best = proof;
  }
  return best;
}

/** The text after the mark, for each file of the session that grew. */
export async function* linesBehind({ folder, session, sizes }: Mark): AsyncGenerator<string> {
  for (const { path, stamp } of findSession([folder], session).files) {
    const start = sizes.get(path) ?? 0;
    if (stamp.sizeBytes <= start) continue;
    const end = Math.min(stamp.sizeBytes, start + limits.proofBytes) - 1;
    yield readStream(createReadStream(path, { start, end }));
  }
}

/** What these lines prove about the message with this digest. */
export function proofIn(lines: string, digest: string): Proof {
  const { records, isSeen, taken } = ownRecords(lines, digest);
  if (!isSeen) return "nothing";
  if (taken === null) return "taken";
  const isRun = saidIn(taken).some((said) => commandForm.test(said));
  const follows = followingFrom(taken, records);
  return isRun || records.some((each) => speaks(each) && follows(each)) ? "answered" : "taken";
}

/**
 * `isSeen`: a record has the message. `taken`: the record with which the agent took it; an enqueued one comes
 * before.
 */
export function ownRecords(
  lines: string,
  digest: string,
): { records: readonly Json[]; isSeen: boolean; taken: Json | null } {
  const records = lines
    .split("\n")
    .slice(0, -1)
    .map(parseRecord)
    .filter((record) => record !== null);
  const own = records.filter((record) => saidIn(record).some((said) => digestOf(said) === digest));
  const taken = own.findLast(({ type }) => type !== "queue-operation") ?? null;
  return { records, isSeen: own.length > 0, taken };
}

/**
 * Follows the parents that records name, in any order. After a record without an id, everything behind it follows.
 */
export function followingFrom(own: Json, records: readonly Json[]): (record: Json) => boolean {
  if (typeof own.uuid !== "string") {
    const behind = new Set(records.slice(records.indexOf(own) + 1));
    return (record) => behind.has(record);
  }
  const parents = new Map(records.map((record) => [record.uuid, parentOf(record)]));
  return (record) => {
    let ancestor = parentOf(record);
    // Records that name each other in a ring answer nothing.
    for (let steps = 0; ancestor !== own.uuid && steps < records.length; steps++)
      ancestor = parents.get(ancestor);
    return ancestor === own.uuid;
  };
}

/** The first record after a compaction names its parent in another field. */
export function parentOf({ parentUuid, logicalParentUuid }: Json): unknown {
  return parentUuid ?? logicalParentUuid;
}

/** The client records a command in its own form, and with other blanks than were sent. */
export function digestOf(said: string): string {
  return createHash("sha256")
    .update(recordedWords(wordsOf(said)))
    .digest("hex")
    .slice(0, 16);
}

/** One line, only with characters that a receipt may hold. */
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

export function speaks(record: Json): boolean {
  return record.type === "assistant" && record.isSidechain !== true;
}

function saidIn(record: Json): string[] {
  if (record.isSidechain === true) return [];
  if (record.type === "user") return textsOf((record.message as { content?: unknown } | undefined)?.content);
  const isEnqueued = record.type === "queue-operation" && record.operation === "enqueue";
  const isCommand = record.type === "system" && record.subtype === "local_command";
  // The client hands over a message between two steps if it was entered while the agent worked.
  const attached = record.type === "attachment" ? objectOrNull(record.attachment) : null;
  if (attached?.type === "queued_command") return textsOf(attached.prompt);
  return isEnqueued || isCommand ? textsOf(record.content) : [];
}

export function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { type?: unknown; text?: unknown } | null) =>
    part?.type === "text" && typeof part.text === "string" ? [part.text] : [],
  );
}
