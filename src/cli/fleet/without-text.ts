// What an answer to another host says if this host does not share its conversations. Pure.
//
// [WX1] A key that is not in the list goes without its value: a new field of a command stays here until somebody adds it.

import type { FarAnswer } from "../../link/questions.js";

/** Names, ids, activity, context and times. Not titles, requests, questions, commands, messages and paths. */
const shared = new Set([
  ...["version", "items", "hosts", "nodes", "edges", "sessions", "events", "contexts", "stays", "answers"],
  ...[
    "id",
    "kind",
    "team",
    "who",
    "agent",
    "role",
    "pane",
    "paneId",
    "lastPane",
    "session",
    "uuid",
    "request",
  ],
  ...["parent", "child", "evidence", "life", "lifecycle", "state", "standing", "activity", "abandoned"],
  ...["since", "until", "at", "from", "to", "first", "last", "createdAt", "updatedAt", "forkedAt", "step"],
  ...["model", "context", "used", "window", "percent", "source", "ageSeconds", "compacted", "messages"],
  ...["sizeBytes", "fingerprint", "event", "args", "old", "new", "cause", "isPlain", "exact", "store", "pid"],
]);

export const hidden =
  "that host shows no titles and no requests; a person can allow it there: hivemind fleet allow text";

/** Whether the lines of this command show words of conversations. */
export function showsWords(words: string): boolean {
  return ["inbox", "lineage", "sessions", "events", "status"].includes(words);
}

/** Lines would show the same words, so only the value goes. */
export function withoutText(words: string, answer: FarAnswer): FarAnswer {
  const value =
    answer.value === null ? null : { ...(only(answer.value) as Record<string, unknown>), isTextHidden: true };
  if (!showsWords(words)) return { ...answer, value };
  return { ...answer, value, lines: [], notes: [hidden] };
}

function only(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(only);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shared.has(key) ? only(each) : blank(each)]),
  );
}

/** Of the same kind, so that a reader still finds the form it knows. */
function blank(value: unknown): unknown {
  return Array.isArray(value) ? [] : null;
}
