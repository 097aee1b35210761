// The turn that a message began: what the agent said in it, and how it ended. Pure, but for reading the transcript.
//
// [TU1] The words of a turn are the agent's own, in their order, with a blank line between two of its steps. A turn ends
//       before the next message that follows an answer; messages that were taken together have one answer.
// [TU2] A turn is over when its last answer is no tool call. The client may write records after it says that it is idle.

import { type Json, objectOrNull } from "../agents/claude/record.js";
import { followingFrom, linesBehind, type Mark, ownRecords, parentOf, speaks, textsOf } from "./proof.js";

export interface MessageTurn {
  /** `taken`: no answer yet; `begun`: the agent said something, and more may come. */
  end: "taken" | "begun" | "answered" | "failed" | "interrupted";
  words: string;
  /** What the client says of a failure; empty without one. */
  failure: string;
}

/** Null where the transcript does not show that the message was taken. */
export async function turnBehind(mark: Mark): Promise<MessageTurn | null> {
  for await (const lines of linesBehind(mark)) {
    const turn = turnIn(lines, mark.digest);
    if (turn !== null) return turn;
  }
  return null;
}

export function turnIn(lines: string, digest: string): MessageTurn | null {
  const { records, taken } = ownRecords(lines, digest);
  if (taken === null) return null;
  const turn = turnFrom(taken, records);
  const answers = turn.filter(speaks);
  const last = answers.at(-1);
  const words = answers
    .filter((record) => record.isApiErrorMessage !== true && !isSynthetic(record))
    .flatMap((record) => textsOf(contentOf(record)))
    .map((text) => text.trim())
    .filter(Boolean)
    .join("\n\n");
  const isFailed = last?.isApiErrorMessage === true;
  const failure = isFailed ? textsOf(contentOf(last!)).join(" ").trim() : "";
  return { end: endOf(turn, last, isFailed), words, failure };
}

function endOf(turn: readonly Json[], last: Json | undefined, isFailed: boolean): MessageTurn["end"] {
  if (turn.some(isInterruption)) return "interrupted";
  if (last === undefined) return "taken";
  if (isFailed) return "failed";
  return objectOrNull(last.message)?.stop_reason === "tool_use" ? "begun" : "answered";
}

/** Without what follows from the next message that somebody said to the agent. */
function turnFrom(taken: Json, records: readonly Json[]): Json[] {
  const behind = records.filter(followingFrom(taken, records));
  const next = behind.find((record) => isMessage(record) && followsAnswer(record, behind));
  if (next === undefined) return behind;
  const isNext = followingFrom(next, records);
  return behind.filter((record) => record !== next && !isNext(record));
}

/** Whether the agent spoke between the two; records without ids stand in the order of what happened. */
function followsAnswer(message: Json, behind: readonly Json[]): boolean {
  if (typeof message.uuid !== "string") return behind.slice(0, behind.indexOf(message)).some(speaks);
  const byId = new Map(behind.map((record) => [record.uuid, record]));
  let at = byId.get(parentOf(message));
  for (let steps = 0; at !== undefined && steps < behind.length; steps++) {
    if (speaks(at)) return true;
    at = byId.get(parentOf(at));
  }
  return false;
}

/** Said or run by somebody, not the result of a tool or a note of the client. */
function isMessage(record: Json): boolean {
  const { type, isMeta, isSidechain } = record;
  if (type !== "user" || isMeta === true || isSidechain === true) return false;
  return textsOf(contentOf(record)).length > 0 && !isInterruption(record);
}

function isInterruption(record: Json): boolean {
  return (
    record.type === "user" &&
    record.isSidechain !== true &&
    textsOf(contentOf(record)).some((text) => text.startsWith("[Request interrupted by user"))
  );
}

/** The client speaks in the model's place. */
function isSynthetic(record: Json): boolean {
  return objectOrNull(record.message)?.model === "<synthetic>";
}

function contentOf(record: Json): unknown {
  return objectOrNull(record.message)?.content;
}
