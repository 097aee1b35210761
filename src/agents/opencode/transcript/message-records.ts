// What the records of a conversation prove about one message. Pure.
//
// - The client keeps the id that we gave the message, so a message is found by its id. Without one, by its words.
// - A message that came during a turn is recorded at once and waits: it is taken when an answer to it begins.
// - Every answer of a turn names the message that began the turn.

import { createHash } from "node:crypto";
import type { MessageKey, MessageTurn, Proof } from "../../message-records.js";
import { isMessageOf } from "../message-id.js";
import { failureOf, type Line, lineOf, type Message, wordsOf } from "./record.js";

export function digestOf(text: string): string {
  return createHash("sha256").update(text.trim()).digest("hex").slice(0, 16);
}

export function proofIn(text: string, key: MessageKey): Proof {
  const lines = linesOf(text);
  const prompt = promptIn(lines, key);
  if (prompt === null) return "nothing";
  const turn = turnOf(lines, prompt);
  if (turn === null) return "enqueued";
  return turn.end === "taken" || turn.end === "interrupted" ? "taken" : "answered";
}

export function turnIn(text: string, key: MessageKey): MessageTurn | null {
  const lines = linesOf(text);
  const prompt = promptIn(lines, key);
  return prompt === null ? null : turnOf(lines, prompt);
}

function turnOf(lines: readonly Line[], { id }: Message): MessageTurn | null {
  const answers = lines.flatMap((line) =>
    line.kind === "message" && line.message.parent === id ? line.message : [],
  );
  const isBegun = lines.some((line) => line.kind === "begun" && line.begun.parent === id);
  const last = answers.at(-1);
  if (last === undefined) return isBegun ? { end: "taken", words: "", failure: "" } : null;
  const words = answers
    .map(wordsOf)
    .filter((each) => each !== "")
    .join("\n\n");
  const failure = failureOf(last);
  if (failure !== null) return { end: failure === "" ? "interrupted" : "failed", words, failure };
  // The model goes on when its tools are done. An answer without an end was interrupted.
  const { finish } = last.json;
  if (typeof finish !== "string") return { end: "interrupted", words, failure: "" };
  return { end: finish === "tool-calls" ? "begun" : "answered", words, failure: "" };
}

function promptIn(lines: readonly Line[], { id, digest }: MessageKey): Message | null {
  for (const line of lines) {
    if (line.kind !== "message" || line.message.role !== "user") continue;
    const isIt =
      id === undefined ? digestOf(wordsOf(line.message)) === digest : isMessageOf(line.message.id, id);
    if (isIt) return line.message;
  }
  return null;
}

function linesOf(text: string): Line[] {
  return text.split("\n").flatMap((line) => lineOf(line) ?? []);
}
