import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { noFacts } from "../transcript.js";
import type { SessionMessages } from "./parent-by-messages.js";
import { copiedUntil } from "./parent-by-messages.js";

const [own, other] = ["own" as SessionId, "other" as SessionId];
const minute = 60_000;

/** `p1` is a prompt of the first minute, `a2` an answer of the second; the message ids are the same. */
function session(
  bornAtMs: number | null,
  records: string,
  facts: Partial<SessionMessages["facts"]> = {},
): SessionMessages {
  const messages = records.split(" ");
  const timesMs = messages.map((each) => Number(each.slice(1)) * minute);
  const kinds = messages.map((each) => each[0]).join("");
  return { id: own, bornAtMs, facts: { ...noFacts(), ...facts }, chain: { messages, timesMs, kinds } };
}

const branched = (message: string) => ({ forkedFrom: { sessionId: other, message } });
const justBefore = (at: number) => at * minute - limits.transcriptTurnMs;
const after = (at: number) => at * minute + 100;

test.each<[string, SessionMessages, number | null]>([
  ["its own first prompt", session(after(1), "p1 a2"), justBefore(1)],
  ["the prompt it was born with", session(after(3), "p1 a2 p3 a4 p5"), justBefore(3)],
  ["the same if the answer was written first", session(after(3), "p1 a2 a3 p3"), justBefore(3)],
  ["nothing if no prompt is near", session(after(3), "p1 a2 n4"), null],
  ["the birth of a branch", session(after(3), "p1 a2 n4 p5", branched("a2")), after(3)],
  ["the first prompt after a branch", session(after(5), "p1 a2 n4 p5", branched("a2")), justBefore(5)],
  [
    "the birth of a copy without messages of its own",
    session(after(2), "p2 n4", { startedAs: other }),
    after(2),
  ],
  [
    "not for a cleared session",
    session(after(2), "p2 a4", { startedAs: other, beginsWithClear: true }),
    justBefore(2),
  ],
  ["nothing for a restored file", session(after(9), "p1 a2"), null],
  ["the last copy of a restored branch", session(after(9), "p1 a2 p3", branched("a2")), 2 * minute],
  ["nothing without a birth time", session(null, "p1 a2"), null],
])("the copies end at: %s", (_, each, expected) => {
  expect(copiedUntil(each)).toBe(expected);
});
