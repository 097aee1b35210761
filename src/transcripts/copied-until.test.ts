import { expect, test } from "vitest";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { copiedUntil } from "./copied-until.js";
import type { KinSession } from "./kin.js";
import { noFacts } from "./transcript.js";

const [own, other] = ["own" as SessionId, "other" as SessionId];
const minute = 60_000;

/** `p1` is a prompt of the first minute, `a2` an answer of the second; messages are named like it. */
function session(
  bornAtMs: number | null,
  records: string,
  facts: Partial<KinSession["facts"]> = {},
): KinSession {
  const messages = records.split(" ");
  const timesMs = messages.map((each) => Number(each.slice(1)) * minute);
  const kinds = messages.map((each) => each[0]).join("");
  return { id: own, bornAtMs, facts: { ...noFacts(), ...facts }, chain: { messages, timesMs, kinds } };
}

const branched = (message: string) => ({ forkedFrom: { sessionId: other, message } });
const justBefore = (at: number) => at * minute - limits.transcriptTurnMs;
const after = (at: number) => at * minute + 100;

test.each<[string, KinSession, number | null]>([
  ["its own first prompt", session(after(1), "p1 a2"), justBefore(1)],
  ["the prompt it was born with", session(after(3), "p1 a2 p3 a4 p5"), justBefore(3)],
  ["the same where the answer was written first", session(after(3), "p1 a2 a3 p3"), justBefore(3)],
  ["nothing where no prompt is near", session(after(3), "p1 a2 n4"), null],
  ["its birth, of a branch", session(after(3), "p1 a2 n4 p5", branched("a2")), after(3)],
  ["the first prompt behind a branch", session(after(5), "p1 a2 n4 p5", branched("a2")), justBefore(5)],
  [
    "its birth, of a copy without words of its own",
    session(after(2), "p2 n4", { startedAs: other }),
    after(2),
  ],
  [
    "not of a cleared session",
    session(after(2), "p2 a4", { startedAs: other, beginsWithClear: true }),
    justBefore(2),
  ],
  ["nothing of a restored file", session(after(9), "p1 a2"), null],
  ["its copies, of a restored branch", session(after(9), "p1 a2 p3", branched("a2")), 2 * minute],
  ["nothing without a birth time", session(null, "p1 a2"), null],
])("%s is where the copies end", (_, each, expected) => {
  expect(copiedUntil(each)).toBe(expected);
});
