// The session that a process is in now, from the client's log of inputs (`<config folder>/tmp/<slug>/logs.json`).
//
// - The log names each input by the session in which its process began; `/clear` and `/resume` do not change that name.
//   So it tells what one process was told since its start, in order, commands included.
// - A process that was told nothing that leaves its session is still in it.
// - After such a command the session is the one that recorded the next message, at that moment and with that text.
//   Before that message, and if two sessions recorded it, the session is unknown.
// - Two processes that began in one session share its name in the log: then the log tells nothing. The log may lose an
//   input if two processes write at the same moment, so a session found here is evidence, not proof.

import type { SessionId } from "../../names/gates.js";
import { recordedWords } from "../claude/text/compare.js";
import { objectOrNull, textOrNull, timeMs } from "../record.js";

export interface Input {
  /** The session in which the process began. */
  began: string;
  text: string;
  atMs: number;
}

/** A prompt that a session file has. */
export interface RecordedPrompt {
  session: SessionId;
  text: string;
  atMs: number;
}

export type WhereNow =
  | { kind: "began" }
  | { kind: "moved"; session: SessionId }
  | { kind: "unknown"; why: string };

export function readInputs(json: string): Input[] {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    return [];
  }
  return (Array.isArray(list) ? list : []).flatMap((each) => {
    const { sessionId, message, timestamp } = objectOrNull(each) ?? {};
    const [began, text, atMs] = [textOrNull(sessionId), textOrNull(message), timeMs(timestamp)];
    return began === null || text === null || atMs === null ? [] : [{ began, text, atMs }];
  });
}

/** `sinceMs` is the start of the process: an earlier one may have begun in the same session. */
export function whereNow(
  began: SessionId,
  sinceMs: number,
  inputs: readonly Input[],
  /** Asked only if it left the session in which it began. */
  promptsNow: () => readonly RecordedPrompt[],
): WhereNow {
  const own = inputs.filter((input) => input.began === began && input.atMs >= sinceMs);
  const left = own.findLastIndex(({ text }) => leaves(text));
  if (left < 0) return { kind: "began" };
  const said = own.slice(left + 1).filter(({ text }) => !text.trim().startsWith("/"));
  const last = said.at(-1);
  if (last === undefined) return { kind: "unknown", why: `nothing was said since ${own[left]!.text.trim()}` };
  const prompts = promptsNow();
  // A queued message is recorded late, so an earlier one may have to tell.
  const recorded = said.map(
    (input) => new Set(prompts.filter((prompt) => isSame(prompt, input)).map(({ session }) => session)),
  );
  const [session, other] = recorded.findLast(({ size }) => size > 0) ?? [];
  if (session === undefined) return { kind: "unknown", why: "no session recorded its last message" };
  if (other !== undefined) return { kind: "unknown", why: "two sessions recorded its last message" };
  return session === began ? { kind: "began" } : { kind: "moved", session };
}

function leaves(text: string): boolean {
  return /^\s*\/(?:clear|new|resume|load|restore)(?:\s|$)/.test(text);
}

/** The client records a prompt within a moment of its input, unless it queues it. */
const recordedWithinMs = 2_000;

function isSame(prompt: RecordedPrompt, input: Input): boolean {
  const lateMs = prompt.atMs - input.atMs;
  return lateMs >= 0 && lateMs < recordedWithinMs && recordedWords(prompt.text) === recordedWords(input.text);
}
