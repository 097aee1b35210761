import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { noFacts } from "../transcript.js";
import { hasOtherTies, kinGroups } from "./kin-groups.js";
import { lineage } from "./lineage.js";
import { parentsByMessages } from "./parent-by-messages.js";

const minute = 60_000;
const ids = ["A", "B", "C", "D", "E", "F", "G"] as SessionId[];
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null, freq: 3 });
const named = orNull(fc.constantFrom(...ids));
const message = fc.constantFrom("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8");
const atMs = fc.integer({ min: 0, max: 20 }).map((at) => at * minute);

/** A few of many possible relations, so that there are several groups. */
const session = fc
  .record({
    messages: fc.uniqueArray(message, { maxLength: 3 }),
    boundaries: fc.array(message, { maxLength: 1 }),
    forkedFrom: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: named }),
    startedAs: named,
    writtenAs: named,
    beginsWithClear: fc.boolean(),
    title: orNull(fc.constantFrom("one", "other")),
    firstCwd: fc.constantFrom("/a", "/b"),
    bornAtMs: orNull(atMs),
    fromMs: atMs,
  })
  .map(({ messages, boundaries, forkedFrom, bornAtMs, fromMs, ...facts }) => ({
    bornAtMs,
    facts: {
      ...noFacts(),
      ...facts,
      rootMessage: messages[0] ?? null,
      boundaries: messages.length === 0 ? [] : boundaries,
      forkedFrom: forkedFrom && { sessionId: forkedFrom, message: messages[0] ?? null },
      firstAtMs: fromMs,
      lastAtMs: fromMs + 3 * minute,
      writtenAsAtMs: facts.writtenAs && fromMs + 2 * minute,
    },
    chain: {
      messages,
      timesMs: messages.map((_, at) => fromMs + at * minute),
      kinds: messages.map(() => "p").join(""),
    },
  }));

const sessions = fc
  .array(session, { minLength: 2, maxLength: ids.length })
  .map((all) => all.map((each, at) => ({ ...each, id: ids[at]! })));

test("[KG1] the lineage of a group is the same with and without the others", () => {
  fc.assert(
    fc.property(sessions, (all) => {
      const edges = lineage(all, parentsByMessages(all));
      const groups = kinGroups(all);
      for (const group of new Set(groups)) {
        const own = all.filter((_, at) => groups[at] === group);
        const isOwn = ({ child }: { child: SessionId }) => own.some(({ id }) => id === child);
        const alone = lineage(own, parentsByMessages(own));
        expect(new Set(alone)).toEqual(new Set(edges.filter(isOwn)));
      }
    }),
    { numRuns: 5_000 },
  );
});

test("a group is no larger than its ties", () => {
  const of = (id: string, rootMessage: string | null, more: object = {}) => ({
    id: id as SessionId,
    facts: { ...noFacts(), rootMessage, ...more },
  });
  const all = [
    of("A", "m1"),
    of("B", "m2", { boundaries: ["m1"] }),
    of("C", "m3", { startedAs: "D" }),
    of("D", "m4"),
    of("E", null),
    of("F", null),
  ];
  expect(kinGroups(all)).toEqual([0, 0, 1, 1, 2, 3]);
});

test.each<[string, object, boolean]>([
  ["a new title", { title: "new" }, false],
  ["a new answer", { usedTokens: 5, lastAtMs: 7, writtenAs: null }, false],
  ["another folder later on", { lastCwd: "/b" }, false],
  ["its first folder", { firstCwd: "/b" }, true],
  ["a compaction", { boundaries: ["m9"] }, true],
  ["the process that wrote it", { writtenAs: "B" }, true],
  ["its first message", { rootMessage: "m0" }, true],
])("a change that may relate a transcript to another one: %s", (_, more, expected) => {
  const before = { ...noFacts(), rootMessage: "m1", firstCwd: null };
  expect(hasOtherTies(before, { ...before, ...more })).toBe(expected);
});
