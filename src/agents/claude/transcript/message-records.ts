// What Claude's records prove about one message. Pure.
//
// [PF1] A message is proven by a record of its own: the message as said, as enqueued, or as the command that ran. A
//       message from an inbox is proven by its id. Words that quote a message prove nothing.
// [PF3] A message is answered once the agent said something that follows from it; a command, once it was taken.
//       Records name their parents, because a client may record an answer before the message. A missing record means
//       unknown, never "not answered".

import { createHash } from "node:crypto";
import type { MessageKey, Proof } from "../../message-records.js";
import { type Json, objectOrNull, parseRecord } from "../../record.js";
import { letterId, nameOf } from "../inbox.js";
import { recordedWords } from "../text/compare.js";

/** What these lines prove about the message. Only whole lines count. */
export function proofIn(lines: string, key: MessageKey): Proof {
  const { records, enqueued, taken } = ownRecords(lines, key);
  if (taken !== null) {
    const isRun = saidIn(taken).some((said) => commandForm.test(said));
    const follows = followingFrom(taken, records);
    return isRun || records.some((each) => speaks(each) && follows(each)) ? "answered" : "taken";
  }
  if (enqueued !== null) {
    const later = records.slice(records.indexOf(enqueued) + 1);
    return later.some(({ type, operation }) => type === "queue-operation" && operation !== "enqueue")
      ? "leaving"
      : "enqueued";
  }
  if (key.id === undefined) return "nothing";
  return noticeIn(records, nameOf(key.from ?? ""));
}

/** The client's notice about a letter that it did not enqueue. It names the sender, not the letter. */
function noticeIn(records: readonly Json[], from: string): "nothing" | "dropped" | "held" {
  const notices = records.flatMap(({ type, subtype, content }) =>
    type === "system" && subtype === "informational" && typeof content === "string" ? [content] : [],
  );
  if (notices.some((text) => text.startsWith("Held peer message") && text.includes(`name: ${from})`)))
    return "held";
  const isDrop = (text: string) => text.startsWith(`Dropped a peer message from @${from} `);
  return notices.some(isDrop) ? "dropped" : "nothing";
}

/** `enqueued`: the client has the message. `taken`: the record with which the agent took it. */
export function ownRecords(
  lines: string,
  key: MessageKey,
): { records: readonly Json[]; enqueued: Json | null; taken: Json | null } {
  const records = lines
    .split("\n")
    .slice(0, -1)
    .map(parseRecord)
    .filter((record) => record !== null);
  const own = records.filter(isOwn(key));
  const isEnqueue = ({ type }: Json) => type === "queue-operation";
  const enqueued = own.findLast(isEnqueue) ?? null;
  return { records, enqueued, taken: own.findLast((record) => !isEnqueue(record)) ?? null };
}

function isOwn({ digest, id }: MessageKey): (record: Json) => boolean {
  const isSaid = (record: Json) => saidIn(record).some((said) => digestOf(said) === digest);
  if (id === undefined) return isSaid;
  const letter = letterId(id);
  // The record of an enqueued message has no id.
  return (record) => (record.type === "queue-operation" ? isSaid(record) : recordedId(record) === letter);
}

/** The id that the sender gave a message from the inbox. */
function recordedId(record: Json): unknown {
  if (record.isSidechain === true) return undefined;
  const attached = record.type === "attachment" ? objectOrNull(record.attachment) : null;
  const origin = record.type === "user" ? record.origin : attached?.origin;
  return objectOrNull(origin)?.msg_id;
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
