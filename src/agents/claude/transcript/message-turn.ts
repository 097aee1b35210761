// The turn that a message began: what the agent said in it, and how it ended. Pure.
//
// - The words of a turn are the agent's own, in order, with a blank line between two steps.
// - A turn ends before the next message that follows an answer. Messages taken together share one answer.
// - A turn is over when its last answer is not a tool call. The client may write records after it reports idle.

import type { MessageKey, MessageTurn } from "../../message-records.js";
import { type Json, objectOrNull } from "../../record.js";
import { followingFrom, ownRecords, parentOf, speaks, textsOf } from "./message-records.js";

/** Null if these lines do not show that the agent took the message. */
export function turnIn(lines: string, key: MessageKey): MessageTurn | null {
  const { records, taken } = ownRecords(lines, key);
  if (taken === null) return null;
  const turn = turnFrom(taken, records);
  const answers = turn.filter(speaks);
  const last = answers.at(-1);
  const words = answers
    // The client itself speaks as the model `<synthetic>`.
    .filter((record) => objectOrNull(record.message)?.model !== "<synthetic>")
    .filter((record) => record.isApiErrorMessage !== true)
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

/** The records that follow this message, up to the next message to the agent. */
function turnFrom(taken: Json, records: readonly Json[]): Json[] {
  const behind = records.filter(followingFrom(taken, records));
  const next = behind.find((record) => isMessage(record) && followsAnswer(record, behind));
  if (next === undefined) return behind;
  const isNext = followingFrom(next, records);
  return behind.filter((record) => record !== next && !isNext(record));
}

/** Whether the agent spoke between the two. Records without ids are in the order of events. */
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

/** A message or command for the agent, not a tool result or a note of the client. */
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

function contentOf(record: Json): unknown {
  return objectOrNull(record.message)?.content;
}
