import { expect, test } from "vitest";
import {
  beatOf,
  instanceOf,
  isAnew,
  isFresh,
  type LeaseState,
  type LeaseStep,
  nextBeatAtMs,
  stepFor,
} from "./lease.js";

const held: LeaseState = { kind: "held", revision: 9, epoch: 4, sentAtMs: 100_000 };
const row = (instance: string, epoch: number | null = 4) => ({ instance, epoch, machine: "box" });

test.each<[string, LeaseState, LeaseStep]>([
  ["a held lease is renewed by its revision", held, { do: "renew", revision: 9, epoch: 4 }],
  ["[LE3] after an unanswered renewal it looks first", { kind: "unknown", sentAtMs: 1 }, { do: "look" }],
  ["a lease of another instance is looked at again", { kind: "taken", by: "x" }, { do: "look" }],
])("%s", (_, state, expected) => expect(beatOf(state)).toEqual(expected));

test.each<[string, Parameters<typeof stepFor>[0], LeaseStep]>([
  ["no lease: it is taken", null, { do: "create" }],
  ["[LE2] its own lease goes on", { row: row("me"), revision: 12 }, { do: "renew", revision: 12, epoch: 4 }],
  [
    "[LE2] a lease that was created a moment ago has its own revision as epoch",
    { row: row("me", null), revision: 12 },
    { do: "renew", revision: 12, epoch: 12 },
  ],
  [
    "[LE1] the lease of another instance stays",
    { row: row("other"), revision: 3 },
    { do: "refuse", by: "box" },
  ],
  [
    "[LE1] a value that is no lease stays",
    { row: null, revision: 3 },
    { do: "refuse", by: "a program that writes something else there" },
  ],
])("%s", (_, found, expected) => expect(stepFor(found, "me")).toEqual(expected));

test.each<[string, LeaseState, number, number]>([
  ["after a renewal", held, 100_000, 105_000],
  ["after a failed renewal of a held lease", held, 105_000, 106_000],
  ["after a failed look", { kind: "unknown", sentAtMs: 105_000 }, 105_000, 106_000],
  ["while another instance has it", { kind: "taken", by: "x" }, 105_000, 110_000],
])("%s the next beat has its time", (_, state, triedAtMs, expected) =>
  expect(nextBeatAtMs(state, triedAtMs)).toBe(expected),
);

test.each<[LeaseState, number, boolean]>([
  [held, 109_999, true],
  [held, 110_000, false],
  [{ kind: "unknown", sentAtMs: null }, 100_000, false],
  [{ kind: "unknown", sentAtMs: 100_000 }, 109_999, true],
  [{ kind: "unknown", sentAtMs: 100_000 }, 110_000, false],
  [{ kind: "taken", by: "x" }, 100_000, false],
])("%j at %i: fresh is %s", (state, nowMs, expected) => expect(isFresh(state, nowMs)).toBe(expected));

test("an instance is one folder on one machine", () => {
  const own = instanceOf("m1", "/home/a/config");
  expect(instanceOf("m1", "/home/a/config")).toBe(own);
  expect(instanceOf("m2", "/home/a/config")).not.toBe(own);
  expect(instanceOf("m1", "/home/b/config")).not.toBe(own);
});

test.each<[string, number | null, LeaseState, boolean]>([
  ["the first lease", null, { ...held, revision: 4 }, false],
  ["a renewal", 4, held, false],
  ["another epoch", 3, held, true],
  ["the same epoch on a server that was set up anew", 4, { ...held, revision: 4 }, true],
  ["no lease", 4, { kind: "unknown", sentAtMs: 1 }, false],
])("%s begins anew for others", (_, last, state, isNew) => expect(isAnew(last, state)).toBe(isNew));
