import fc from "fast-check";
import { expect, test } from "vitest";
import { a, b, c, d, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";
import type { SessionId } from "../../names/gates.js";
import type { Found } from "../../transcripts/find.js";
import type { Transcript } from "../../transcripts/transcript.js";
import { quickLook } from "../observe.js";
import { discoverAll } from "./discover.js";

/** The same transcripts, seen only by their names and times. */
function filesOf(transcripts: readonly Transcript[]) {
  return (wanted: SessionId): Found => ({
    problems: [],
    files: transcripts
      .filter(({ id }) => id === wanted)
      .map(({ id, path, modifiedAtMs, bornAtMs }) => ({
        id,
        root: "/p",
        path,
        stamp: { inode: 1, sizeBytes: 1, modifiedAtMs, changedAtMs: modifiedAtMs, bornAtMs: bornAtMs ?? 0 },
      })),
  });
}

test("the registry's session, whatever else was written", () => {
  const files = filesOf([transcript(a, { written: 1 }), transcript(b, { born: 10 })]);
  expect(quickLook(pane({ live: a }), files, nowMs)).toEqual({ uuid: a, state: "live" });
});

test("nothing if a hook differs, or without a registry entry", () => {
  expect(quickLook(pane(), filesOf([]), nowMs)).toBeNull();
  const hooked = pane({ live: a, hook: { sessionId: b, atMs: nowMs - minute } });
  expect(quickLook(hooked, filesOf([]), nowMs)).toBeNull();
});

test("for any fleet, it never differs from the full look", () => {
  const ids = [a, b, c, d];
  const times = { born: fc.integer({ min: 0, max: 90 }), written: fc.integer({ min: 0, max: 30 }) };
  const written = fc.record({
    ...times,
    beginsWithClear: fc.boolean(),
    title: fc.constantFrom("po", "dev", null),
    firstCwd: fc.constantFrom("/w", "/x"),
  });
  const running = fc.record({
    live: fc.option(fc.constantFrom(...ids), { nil: undefined }),
    started: fc.integer({ min: 0, max: 90 }),
    began: fc.option(fc.constantFrom(...ids)),
  });
  fc.assert(
    fc.property(
      fc.array(written, { maxLength: 4 }),
      fc.array(running, { minLength: 1, maxLength: 3 }),
      (archive, agents) => {
        const transcripts = archive.map((facts, at) =>
          transcript(ids[at]!, { ...facts, lastCwd: facts.firstCwd }),
        );
        const subjects = agents.map(({ live, ...facts }) =>
          pane(live === undefined ? facts : { live, ...facts }),
        );
        const full = discoverAll(subjects, transcripts, nowMs);
        for (const subject of subjects) {
          const quick = quickLook(subject, filesOf(transcripts), nowMs);
          if (quick !== null) expect(full.get(subject.id)).toMatchObject(quick);
        }
      },
    ),
    { numRuns: 500 },
  );
});
