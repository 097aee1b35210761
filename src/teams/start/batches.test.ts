import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import { batchesOf, batchSays } from "./batches.js";

interface Turn {
  kind: Kind;
  session: SessionId | null;
  isAlone: boolean;
}

const of = (kind: Kind, session: string, isAlone = false): Turn => ({
  kind,
  session: session as SessionId,
  isAlone,
});

function check(what: string, turns: Turn[], sizes: number[]) {
  test(what, () => {
    const batches = batchesOf(turns, (turn) => turn);
    expect(batches.map(({ members }) => members.length)).toEqual(sizes);
    expect(batches.flatMap(({ members }) => members)).toEqual(turns);
    for (const { at, members } of batches) expect(turns.slice(at, at + members.length)).toEqual(members);
  });
}

const demos = (count: number) => Array.from({ length: count }, (_, at) => of("demo", `d${at}`));

check("real clients start one by one", [of("claude", "a"), of("claude", "b")], [1, 1]);
check("demo agents start together", demos(3), [3]);
check("so many at once and no more", demos(limits.demoStartsAtOnce + 1), [limits.demoStartsAtOnce, 1]);
check("shells start one by one", [of("shell", "a"), of("shell", "b")], [1, 1]);
check("another kind ends a batch", [...demos(2), of("claude", "c"), ...demos(2)], [2, 1, 2]);
check(
  "an agent that must be alone is alone",
  [of("demo", "a"), of("demo", "b", true), of("demo", "c")],
  [1, 1, 1],
);
check(
  "one conversation is opened once per batch",
  [of("demo", "a"), of("demo", "b"), of("demo", "a")],
  [2, 1],
);

test("only the first start, and a start without a login, waits for nothing", () => {
  const turns = [of("claude", "a"), of("claude", "b"), of("demo", "c"), of("shell", "d"), of("claude", "e")];
  const gaps = batchesOf(turns, (turn) => turn).map(({ gapMs }) => gapMs);
  expect(gaps).toEqual([0, limits.startGapMs, 0, 0, limits.startGapMs]);
});

test("the progress names the first of a batch", () => {
  expect(batchSays({ members: [1], at: 2, gapMs: 0 }, 9, "lead")).toBe("3 of 9: lead");
  expect(batchSays({ members: [1, 2, 3], at: 2, gapMs: 0 }, 9, "lead")).toBe("3–5 of 9: lead and 2 more");
});
