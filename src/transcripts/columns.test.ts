import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { packed, plainFacts, unpacked } from "./columns.js";
import { difference, type Reading, type Stamp } from "./scan/scan.js";
import type { Facts } from "./transcript.js";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const amount = fc.double({ min: 0, max: 2 ** 53, noNaN: true });
const session = fc.uuid() as fc.Arbitrary<string> as fc.Arbitrary<SessionId>;

const facts: fc.Arbitrary<Facts> = fc.record({
  title: orNull(text),
  firstCwd: orNull(text),
  lastCwd: orNull(text),
  gitBranch: orNull(text),
  version: orNull(text),
  model: orNull(text),
  askedModel: orNull(text),
  modelChoice: orNull(fc.record({ shown: text, atMs: orNull(amount) })),
  usedTokens: orNull(amount),
  usedAtMs: orNull(amount),
  isCompacted: fc.boolean(),
  largestTokens: amount,
  windowTokens: orNull(amount),
  rootMessage: orNull(text),
  isRooted: fc.boolean(),
  boundaries: fc.array(text, { maxLength: 3 }),
  firstAtMs: orNull(amount),
  lastAtMs: orNull(amount),
  messages: fc.nat(),
  beginsWithClear: orNull(fc.boolean()),
  forkedFrom: orNull(fc.record({ sessionId: session, message: text })),
  forkPointAtMs: orNull(amount),
  isCopying: fc.boolean(),
  behindCopiesAtMs: orNull(amount),
  startedAs: orNull(session),
  member: orNull(fc.record({ team: text, name: text })),
  lastTurn: orNull(
    fc.record({ end: fc.constantFrom("error", "answer", "prompt"), words: text, atMs: orNull(amount) }),
  ),
  isSubAgent: fc.boolean(),
  writtenAs: orNull(session),
  writtenAsAtMs: orNull(amount),
});

const stamp = fc.record({
  inode: fc.nat(),
  sizeBytes: fc.nat(),
  modifiedAtMs: amount,
  changedAtMs: amount,
  bornAtMs: amount,
});

const reading: fc.Arbitrary<Reading<Facts>> = fc.record({
  stamp,
  lookedAtMs: amount,
  offset: fc.nat(),
  headSum: fc.nat(),
  tailSum: fc.nat(),
  value: facts,
  settled: orNull(facts),
});

const needed = fc.constantFrom("most" as const, "few" as const);

test("readings come out of the columns as they went in, at any offset", () => {
  fc.assert(
    fc.property(fc.dictionary(text, reading, { maxKeys: 6 }), fc.nat(9), needed, (made, front, needed) => {
      const readings = new Map(Object.entries(made));
      const bytes = Buffer.concat([Buffer.alloc(front), ...packed(readings)]).subarray(front);
      const columns = unpacked(bytes, needed);
      for (const [path, each] of readings) {
        const row = columns.rowOf(path)!;
        expect(columns.reading(row)).toEqual(each);
        expect(plainFacts(columns.facts(row))).toEqual(each.value);
      }
      expect(columns.rowOf("no such path")).toBeUndefined();
    }),
  );
});

test("a row is found in any order of questions", () => {
  const paths = ["a", "b", "c"];
  const [each] = fc.sample(reading, { seed: 1, numRuns: 1 });
  const asked = fc.array(fc.constantFrom(...paths, "no such path"), { maxLength: 3 * limits.columnSearches });
  fc.assert(
    fc.property(asked, needed, (questions, needed) => {
      const columns = unpacked(Buffer.concat(packed(new Map(paths.map((path) => [path, each!])))), needed);
      for (const path of questions) {
        expect(columns.rowOf(path) ?? -1).toBe(paths.indexOf(path));
      }
    }),
  );
  expect(unpacked(Buffer.concat(packed(new Map()))).rowOf("a")).toBeUndefined();
});

test("a file is unchanged exactly where no difference is found", () => {
  const near = (value: number) => fc.constantFrom(value - 1, value, value, value, value, value + 1);
  const nearby = (then: Stamp) =>
    fc.record({
      inode: near(then.inode),
      sizeBytes: near(then.sizeBytes),
      modifiedAtMs: near(then.modifiedAtMs),
      changedAtMs: near(then.changedAtMs),
      bornAtMs: near(then.bornAtMs),
    });
  const waited = fc.constantFrom(-1, 0, limits.transcriptRacyMs - 1, limits.transcriptRacyMs, 1e9);
  const asked = fc
    .record({ inode: fc.nat(9), sizeBytes: fc.nat(9), modifiedAtMs: fc.nat(9), changedAtMs: fc.nat(9) })
    .chain((then) =>
      fc.tuple(fc.constant({ ...then, bornAtMs: 1 }), nearby({ ...then, bornAtMs: 1 }), waited),
    );
  const [each] = fc.sample(reading, { seed: 1, numRuns: 1 });
  fc.assert(
    fc.property(asked, ([stamp, now, waitedMs]) => {
      const lookedAtMs = Math.max(stamp.modifiedAtMs, stamp.changedAtMs) + waitedMs;
      const then = { ...each!, stamp, lookedAtMs };
      const columns = unpacked(Buffer.concat(packed(new Map([["a", then]]))));
      expect(columns.isUnchanged(0, now)).toBe(difference(then, now) === "none");
    }),
    { numRuns: 1000 },
  );
});

test("a fact is looked up on demand, and a scan that goes on changes only its own copy", () => {
  const [value] = fc.sample(facts, { seed: 1, numRuns: 1 });
  const [each] = fc.sample(reading, { seed: 1, numRuns: 1 });
  for (const boundaries of [[], ["one"]]) {
    const readings = new Map([["a", { ...each!, value: { ...value!, boundaries } }]]);
    const columns = unpacked(Buffer.concat(packed(readings)));
    const found = columns.facts(0);
    expect(found.title).toBe(value!.title);
    expect(found.boundaries).toEqual(boundaries);
    columns.reading(0).value.boundaries.push("added by a scan");
    expect(columns.facts(0).boundaries).toEqual(boundaries);
    expect(columns.reading(0).value.boundaries).toEqual(boundaries);
  }
});
