import { expect, test } from "vitest";
import type { PaneId } from "../../names/gates.js";
import { managedId } from "../../names/managed-id.js";
import { type Claw, sessionsOfClaws } from "./managed-list.js";

const claw = (pane: PaneId, startedAtMs: number, named: string | null = null): Claw => ({
  ...{ pane, startedAtMs },
  named: named === null ? null : managedId(named),
});
const saved = (id: string, createdAtMs: number | null, updatedAtMs: number) => ({
  ...{ createdAtMs, updatedAtMs },
  id: managedId(id),
});
const [old, young] = [1_000_000, 2_000_000];

test.each<[string, Claw[], ReturnType<typeof saved>[], Record<PaneId, string>]>([
  ["created at its start", [claw("%1", old)], [saved("a", old + 200, old + 200)], { "%1": "a" }],
  ["created at its start, long in use", [claw("%1", old)], [saved("a", old + 200, young)], { "%1": "a" }],
  ["created a moment before its start", [claw("%1", old)], [saved("a", old - 1, old - 1)], {}],
  ["named by its arguments, not yet written to", [claw("%1", old, "a")], [saved("a", 5, 5)], { "%1": "a" }],
  ["named, but missing", [claw("%1", old, "a")], [saved("b", 5, 5)], {}],
  ["named, but missing, with another one written since", [claw("%1", old, "a")], [saved("b", 5, young)], {}],
  ["no sessions", [claw("%1", old)], [], {}],
  ["only older ones", [claw("%1", old)], [saved("a", 5, 5), saved("b", 6, 6)], {}],
  [
    "the only one written since (--resume latest)",
    [claw("%1", old)],
    [saved("a", 5, young), saved("b", 6, 6)],
    { "%1": "a" },
  ],
  [
    "two written since, neither created at its start",
    [claw("%1", old)],
    [saved("a", 5, young), saved("b", 6, young)],
    {},
  ],
  ["two created at its start", [claw("%1", old)], [saved("a", old, old), saved("b", old + 1, old + 1)], {}],
  [
    "two claws, each with its own",
    [claw("%1", old), claw("%2", young)],
    [saved("a", old, young + 5), saved("b", young, young + 9)],
    { "%1": "a", "%2": "b" },
  ],
  [
    "two claws started together",
    [claw("%1", old), claw("%2", old + 50)],
    [saved("a", old, old), saved("b", old + 60, old + 60)],
    {},
  ],
  [
    "two claws, only one of them known",
    [claw("%1", old, "a"), claw("%2", young)],
    [saved("a", 5, young + 5)],
    { "%1": "a" },
  ],
  [
    "two claws in one session",
    [claw("%1", old, "a"), claw("%2", young, "a")],
    [saved("a", 5, 5)],
    { "%1": "a", "%2": "a" },
  ],
])("%s", (_, claws, sessions, expected) =>
  expect(Object.fromEntries(sessionsOfClaws(claws, sessions))).toEqual(expected),
);

test.each<[string, Claw[], ReturnType<typeof saved>[], Record<PaneId, string>]>([
  ["a later one after /clear", [claw("%1", old)], [saved("a", old, old), saved("b", young, young)], {}],
  [
    "an older one that it switched to",
    [claw("%1", old, "a")],
    [saved("a", 5, old + 5), saved("b", 6, young)],
    {},
  ],
  [
    "one written before its own last message",
    [claw("%1", old)],
    [saved("a", old, young), saved("b", old + 99_999, old + 99_999)],
    { "%1": "a" },
  ],
])("%s", (_, claws, sessions, expected) =>
  expect(Object.fromEntries(sessionsOfClaws(claws, sessions))).toEqual(expected),
);
