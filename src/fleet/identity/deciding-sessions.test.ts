import fc from "fast-check";
import { expect, test } from "vitest";
import { a, b, c, d, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";
import { decidingSessions } from "./deciding-sessions.js";
import { discoverAll, type Subject } from "./discover.js";

test.each<[string, Parameters<typeof pane>[0], readonly string[] | null]>([
  ["a registry entry", { live: a }, [a]],
  ["a registry entry and an earlier session", { live: a, cached: b }, [a, b]],
  ["a hook's report", { hook: { sessionId: a, atMs: nowMs } }, [a]],
  ["arguments", { began: a }, null],
  ["only a title", {}, null],
  [
    "an ended agent that left its registry file",
    { started: null, left: [{ source: "registry", uuid: a }] },
    [a],
  ],
  ["an ended agent with an earlier session", { started: null, cached: a }, null],
  ["a shell with an agent's title", { started: null }, null],
  ["a shell", { started: null, title: null }, []],
])("%s", (_, facts, expected) => {
  const found = decidingSessions([pane(facts)]);
  expect(found && [...found]).toEqual(expected);
});

const ids = [a, b, c, d];
const someId = fc.constantFrom(...ids);
const orNone = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null, freq: 2 });
const archive = fc.array(
  fc.record({
    born: fc.integer({ min: 0, max: 90 }),
    written: fc.integer({ min: 0, max: 30 }),
    beginsWithClear: fc.boolean(),
    title: fc.constantFrom("po", "dev", null),
    startedAs: orNone(someId),
    firstCwd: fc.constantFrom("/w", "/x"),
  }),
  { maxLength: 4 },
);
const subjects: fc.Arbitrary<Subject[]> = fc
  .array(
    fc.record({
      live: fc.option(someId, { nil: undefined, freq: 2 }),
      hook: orNone(
        fc.record({ sessionId: someId, atMs: fc.integer({ min: nowMs - 9 * minute, max: nowMs }) }),
      ),
      started: orNone(fc.integer({ min: 0, max: 90 })),
      began: fc.option(someId, { nil: null, freq: 2 }),
      cached: orNone(someId),
      registeredAtMs: orNone(fc.integer({ min: nowMs - 90 * minute, max: nowMs })),
      title: orNone(fc.constantFrom("po", "dev")),
      left: fc.array(fc.record({ source: fc.constantFrom("registry", "hook", "screen"), uuid: someId }), {
        maxLength: 1,
      }),
      maybe: fc.array(someId, { maxLength: 1 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((facts) =>
    facts.map(({ live, started, left, ...each }) =>
      pane({
        ...each,
        started,
        ...(live === undefined || started === null ? {} : { live }),
        left: started === null ? left : [],
      } as Parameters<typeof pane>[0]),
    ),
  );

test("[WS8] for any fleet, these transcripts give the same answers as all of them", () => {
  let decided = 0;
  fc.assert(
    fc.property(archive, subjects, (written, panes) => {
      const needed = decidingSessions(panes);
      if (needed === null) return;
      decided += 1;
      const all = written.map((facts, at) => transcript(ids[at]!, { ...facts, lastCwd: facts.firstCwd }));
      const some = all.filter(({ id }) => needed.has(id));
      expect(discoverAll(panes, some, nowMs)).toEqual(discoverAll(panes, all, nowMs));
    }),
    { numRuns: 3000 },
  );
  expect(decided).toBeGreaterThan(300);
});
