// The lines of a conversation, as `rows.ts` writes them from the client's database:
//
// - `{"session":{…}}` first: what never changes about the session.
// - `{"begun":ID,"parentID":ID,"at":time}` when the model begins to answer a message.
// - A message with its parts, as the client keeps them, when it is finished.

import { type Json, objectOrNull, parseRecord, textOrNull, wordsOrNull } from "../../record.js";

export interface Head {
  id: string;
  directory: string | null;
  parent: string | null;
  version: string | null;
  createdAtMs: number | null;
  forkedFrom: string | null;
}

export interface Message {
  id: string;
  role: "user" | "assistant";
  atMs: number | null;
  /** The message that an answer belongs to. */
  parent: string | null;
  parts: Json[];
  json: Json;
}

export interface Begun {
  parent: string;
  atMs: number | null;
}

export type Line =
  | { kind: "head"; head: Head }
  | { kind: "begun"; begun: Begun }
  | { kind: "message"; message: Message };

export function lineOf(text: string): Line | null {
  const json = parseRecord(text);
  if (json === null) return null;
  const session = objectOrNull(json.session);
  if (session !== null) return { kind: "head", head: headOf(session) };
  const parent = textOrNull(json.parentID);
  if (typeof json.begun === "string" && parent !== null)
    return { kind: "begun", begun: { parent, atMs: numberOrNull(json.at) } };
  const message = messageOf(json);
  return message === null ? null : { kind: "message", message };
}

export function* linesIn(bytes: Buffer, from: number, to: number): Generator<Line> {
  for (let start = from; start < to; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 || found > to ? to : found;
    const line = lineOf(bytes.toString("utf8", start, end));
    if (line !== null) yield line;
    start = end + 1;
  }
}

function headOf(session: Json): Head {
  return {
    id: String(session.id),
    directory: wordsOrNull(session.directory),
    parent: wordsOrNull(session.parent),
    version: wordsOrNull(session.version),
    createdAtMs: numberOrNull(session.created),
    forkedFrom: wordsOrNull(session.forkedFrom),
  };
}

function messageOf(json: Json): Message | null {
  const { id, role } = json;
  if (typeof id !== "string" || (role !== "user" && role !== "assistant")) return null;
  const time = objectOrNull(json.time);
  const parts = Array.isArray(json.parts) ? json.parts.map(objectOrNull).filter((each) => each !== null) : [];
  const atMs = numberOrNull(time?.completed) ?? numberOrNull(time?.created);
  return { id, role, atMs, parent: textOrNull(json.parentID), parts, json };
}

/** What a person or the model wrote: the client adds texts of its own to a prompt. */
export function wordsOf({ parts }: Message): string {
  return parts
    .flatMap(({ type, text, synthetic }) =>
      type === "text" && synthetic !== true && typeof text === "string" ? text : [],
    )
    .join("\n");
}

/** A summary that replaces what came before it for the model. */
export function isSummary({ role, json }: Message): boolean {
  return role === "assistant" && json.summary === true;
}

/** Null if the turn did not fail; empty if a person interrupted it. */
export function failureOf({ json }: Message): string | null {
  const error = objectOrNull(json.error);
  if (error === null) return null;
  if (error.name === "MessageAbortedError") return "";
  return wordsOrNull(objectOrNull(error.data)?.message) ?? String(error.name);
}

/** The tokens that the model read for an answer. */
export function readTokens({ role, json }: Message): number | null {
  const tokens = role === "assistant" ? objectOrNull(json.tokens) : null;
  const cache = objectOrNull(tokens?.cache);
  const counts = [tokens?.input, cache?.read, cache?.write].map((each) => numberOrNull(each) ?? 0);
  const sum = counts.reduce((total, each) => total + each, 0);
  return sum === 0 ? null : sum;
}

/** As the client's own `--model` takes it. */
export function modelOf({ json }: Message): string | null {
  const { providerID, modelID } = json;
  return typeof providerID === "string" && typeof modelID === "string" ? `${providerID}/${modelID}` : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
