import fc from "fast-check";
import { expect, test } from "vitest";
import { a, b, c, d, minute, nowMs, pane, transcript } from "../../test/fleet/subjects.js";
import type { SessionId } from "../names/gates.js";
import type { Found } from "../transcripts/find.js";
import type { Transcript } from "../transcripts/transcript.js";
import { discoverAll } from "./discover.js";
import { quickLook } from "./quick-look.js";

/** The same transcripts, seen only by their names and times. */
function filesOf(transcripts: readonly Transcript[]) {
  const found = (kept: readonly Transcript[]): Found => ({
    problems: [],
    files: kept.map(({ id, path, modifiedAtMs, bornAtMs }) => ({
      id,
      root: "/p",
      path,
      stamp: { inode: 1, sizeBytes: 1, modifiedAtMs, changedAtMs: modifiedAtMs, bornAtMs: bornAtMs ?? 0 },
    })),
  });
  return {
    inSlug: (slug: string) =>
      found(transcripts.filter(({ facts }) => facts.firstCwd?.replaceAll("/", "-") === slug)),
    ofSession: (id: SessionId) => found(transcripts.filter((each) => each.id === id)),
  };
}

test("[QL1] what the registry says, where no transcript could correct it", () => {
  const subject = pane({ live: a });
  const files = filesOf([transcript(a, { written: 1 }), transcript(b, { born: 90 })]);
  expect(quickLook(subject, [subject], files, nowMs)).toEqual({ uuid: a, state: "live" });
});

test("[QL1] nothing where one could, where a hook spoke, or without a registry", () => {
  const subject = pane({ live: a });
  expect(quickLook(subject, [subject], filesOf([transcript(b, { born: 10 })]), nowMs)).toBeNull();
  expect(quickLook(pane(), [], filesOf([]), nowMs)).toBeNull();
  const hooked = pane({ live: a, hook: { sessionId: b, atMs: nowMs - minute } });
  expect(quickLook(hooked, [hooked], filesOf([]), nowMs)).toBeNull();
});

test("[QL1] sessions that other agents hold do not slow it down", () => {
  const [one, two] = [pane({ live: a }), pane({ live: b })];
  expect(quickLook(one, [one, two], filesOf([transcript(b, { born: 10 })]), nowMs)).toEqual({
    uuid: a,
    state: "stable",
  });
});

test("[QL1] whatever the fleet looks like, it never differs from the full look", () => {
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
          const quick = quickLook(subject, subjects, filesOf(transcripts), nowMs);
          if (quick !== null) expect(full.get(subject.id)).toMatchObject(quick);
        }
      },
    ),
    { numRuns: 500 },
  );
});
