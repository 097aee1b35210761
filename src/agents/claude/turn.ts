// What one record of a transcript says about how the conversation ends. Pure.

import { limits } from "../../limits.js";
import type { LastTurn } from "../../transcripts/transcript.js";
import { type Json, objectOrNull, timeMs } from "./record.js";

/** What one record adds to the main chain. */
export type Turn = LastTurn;

/** Null for a record that neither answers nor asks: a side chain's, a note of the client's own. */
export function turnOf(json: Json | null): Turn | null {
  if (json === null || json.isSidechain === true) return null;
  const atMs = timeMs(json.timestamp);
  if (json.type === "assistant") {
    const end = json.isApiErrorMessage === true ? "error" : "answer";
    return { end, words: firstWords(objectOrNull(json.message)?.content), atMs };
  }
  return isPrompt(json) ? { end: "prompt", words: "", atMs } : null;
}

/** A prompt that was written behind the answer to it follows nothing. */
export function followedBy(last: LastTurn | null, prompt: Turn): LastTurn {
  if (last === null) return { ...prompt, atMs: null };
  const isEarlier = last.atMs !== null && prompt.atMs !== null && prompt.atMs < last.atMs;
  return isEarlier ? last : { ...last, end: "prompt" };
}

/** Said by a person or another agent, run by a person (`/rename`, `!ls`), or the answer of a tool. */
function isPrompt({ type, subtype, isMeta, origin }: Json): boolean {
  if (type === "system") return subtype === "local_command";
  return type === "user" && (isMeta !== true || objectOrNull(origin) !== null);
}

function firstWords(content: unknown): string {
  const parts = Array.isArray(content) ? content.map(objectOrNull) : [];
  const text = typeof content === "string" ? content : parts.find((part) => part?.type === "text")?.text;
  return typeof text === "string" ? text.trim().slice(0, limits.transcriptWords) : "";
}
