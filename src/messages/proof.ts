// Where a conversation ended before a message: only records after that mark can prove the message.
//
// [PF2] Only whole lines after the mark are read. A new file is read from its beginning.
// [PF4] A mark survives a round trip through its text. An unreadable mark proves nothing.

import { createReadStream } from "node:fs";
import { text as readStream } from "node:stream/consumers";
import type { DoorName } from "../agents/agent.js";
import { agentOfKind, registryAgent, rootFor } from "../agents/all.js";
import type { ShapedText } from "../agents/box.js";
import type { MessageKey, MessageRecords, MessageTurn, Proof } from "../agents/message-records.js";
import { limits } from "../limits.js";
import { isSessionId, type SessionId } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import { findSession } from "../transcripts/find.js";

/** Where the transcripts of one session ended before a message, and which message. */
export interface Mark extends MessageKey {
  door: DoorName;
  kind: Kind;
  folder: string;
  session: SessionId;
  sizes: ReadonlyMap<string, number>;
  /** A command gets no answer, and some leave no record. */
  isCommand: boolean;
  /** The client that the message was handed to, as text: with its death, what it did not take is free again. */
  client?: string;
}

export interface Conversation {
  kind: Kind;
  folder: string;
  session: SessionId;
}

export function markTranscript(
  { kind, folder, session }: Conversation,
  door: DoorName,
  { text, isCommand }: ShapedText,
  handed: Pick<Mark, "id" | "from" | "client"> = {},
): Mark {
  const { files } = findSession(rootFor(kind, folder), session);
  const sizes = new Map(files.map(({ path, stamp }) => [path, stamp.sizeBytes]));
  return { door, kind, folder, session, sizes, digest: recordsOf(kind).digestOf(text), isCommand, ...handed };
}

export async function proofBehind(mark: Mark): Promise<Proof> {
  const { proofIn } = recordsOf(mark.kind);
  let best: Proof = "nothing";
  for await (const lines of linesBehind(mark)) {
    const proof = proofIn(lines, mark);
    if (strength.indexOf(proof) > strength.indexOf(best)) best = proof;
  }
  return best;
}

/** From no proof to the strongest. */
const strength: readonly Proof[] = ["nothing", "dropped", "held", "enqueued", "leaving", "taken", "answered"];

/** The turn that the message began. Null if the transcript does not show that the agent took the message. */
export async function turnBehind(mark: Mark): Promise<MessageTurn | null> {
  for await (const lines of linesBehind(mark)) {
    const turn = recordsOf(mark.kind).turnIn(lines, mark);
    if (turn !== null) return turn;
  }
  return null;
}

/** The text after the mark, for each file of the session that grew. */
async function* linesBehind({ kind, folder, session, sizes }: Mark): AsyncGenerator<string> {
  for (const { path, stamp } of findSession(rootFor(kind, folder), session).files) {
    const start = sizes.get(path) ?? 0;
    if (stamp.sizeBytes <= start) continue;
    const end = Math.min(stamp.sizeBytes, start + limits.proofBytes) - 1;
    yield readStream(createReadStream(path, { start, end }));
  }
}

function recordsOf(kind: Kind): MessageRecords {
  return agentOfKind(kind)?.messages ?? registryAgent.messages!;
}

/** One line, only with characters that a receipt may hold: `by inbox {…}`. */
export function formatMark({ sizes, door, ...mark }: Mark): string {
  const text = JSON.stringify({ ...mark, sizes: Object.fromEntries(sizes) });
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `by ${door} ${text.replace(/[|\u007f-\u009f\u2028\u2029]/g, escaped)}`;
}

export function parseMark(text: string): Mark | null {
  // Earlier versions knew one door, and wrote neither its name nor the kind.
  const [, door = "keys", json = text] = /^by (inbox|keys) (.*)$/s.exec(text) ?? [];
  const { digest, session, folder, sizes, isCommand, kind, ...handed } = parsed(json);
  if (typeof digest !== "string" || typeof folder !== "string") return null;
  if (typeof session !== "string" || !isSessionId(session)) return null;
  if (typeof sizes !== "object" || sizes === null) return null;
  const found = Object.entries(sizes).filter((entry): entry is [string, number] =>
    Number.isInteger(entry[1]),
  );
  return {
    door: door as DoorName,
    kind: typeof kind === "string" ? (kind as Kind) : registryAgent.kind,
    ...{ digest, session, folder, sizes: new Map(found), isCommand: isCommand === true },
    ...textsAmong(handed, ["id", "from", "client"]),
  };
}

function textsAmong<Name extends string>(
  fields: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => (typeof fields[name] === "string" ? [[name, fields[name]]] : []));
  return Object.fromEntries(found);
}

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
