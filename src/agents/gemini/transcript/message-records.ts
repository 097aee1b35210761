// What the records of a session prove about one message. Pure.
//
// - The client joins the messages that it queued while it worked with an empty line, and records them as one prompt: a
//   message is found in any run of its parts.
// - The client records what a person typed beside what it sent, if it added the contents of files.
// - A queued message is in no file until the client takes it. A command leaves no record at all.
// - A cancelled or failed turn leaves the prompt's record, although the client takes the prompt back from the model.

import { createHash } from "node:crypto";
import { recordedWords } from "../../claude/text/compare.js";
import type { MessageKey, MessageTurn, Proof } from "../../message-records.js";
import {
  isAgain,
  isCancelled,
  isCopy,
  isPrompt,
  type Message,
  messageIn,
  spokenText,
  textIn,
  typedText,
} from "./record.js";

export function digestOf(text: string): string {
  return createHash("sha256").update(recordedWords(text)).digest("hex").slice(0, 16);
}

/** What these lines prove about the message. Only whole lines count. */
export function proofIn(lines: string, key: MessageKey): Proof {
  const turn = turnIn(lines, key);
  if (turn === null) return "nothing";
  return turn.end === "taken" || turn.end === "interrupted" ? "taken" : "answered";
}

/** Null if these lines do not show that the agent took the message. */
export function turnIn(lines: string, { digest }: MessageKey): MessageTurn | null {
  const messages = lines
    .split("\n")
    .slice(0, -1)
    .map(messageIn)
    .filter((message) => message !== null)
    .filter((message, at, all) => !isCopy(message, all[at - 1]?.atMs ?? null));
  const taken = messages.findLastIndex((message) => isPrompt(message) && holds(typedText(message), digest));
  if (taken < 0) return null;
  const behind = messages.slice(taken + 1);
  const next = behind.findIndex(isPrompt);
  return turnOf(next < 0 ? behind : behind.slice(0, next), { isOver: next >= 0 });
}

function turnOf(turn: readonly Message[], { isOver }: { isOver: boolean }): MessageTurn {
  const answers = turn.filter(({ type }) => type === "gemini");
  const spoken = answers.filter((message) => !isAgain(message)).map(spokenText);
  const error = turn.findLast(({ type }) => type === "error");
  const failure = error === undefined ? "" : textIn(error.json.content).trim();
  const words = spoken.filter(Boolean).join("\n\n");
  if (turn.some(isCancelled)) return { end: "interrupted", words, failure };
  if (error !== undefined) return { end: "failed", words, failure };
  const last = answers.at(-1);
  if (last === undefined) return { end: "taken", words, failure };
  // An answer without words calls a tool; the answer to its result follows.
  return { end: isOver || spokenText(last) !== "" ? "answered" : "begun", words, failure };
}

/** How many queued messages are looked at in one prompt: each run of them is compared. */
const mostParts = 60;

function holds(text: string, digest: string): boolean {
  if (digestOf(text) === digest) return true;
  const parts = text.split("\n\n").slice(0, mostParts);
  return parts.some((_, from) =>
    parts
      .slice(from)
      .some((__, length) => digestOf(parts.slice(from, from + length + 1).join("\n\n")) === digest),
  );
}
