import { describe, expect, test } from "vitest";
import { a, b, c, check, d, look, minute, nowMs, pane, transcript } from "../../test/fleet/subjects.js";
import type { SessionId } from "../names/gates.js";
import { discoverAll } from "./discover.js";

describe("[WS1] the strongest evidence counts", () => {
  const all = { live: a, hook: { sessionId: b, atMs: nowMs - 5 * minute }, began: c, cached: d };
  check("[WS1] the registry before all", [pane(all)], [], [a, "stable", "registry"]);
  check("[WS1] then the hook", [pane({ hook: all.hook, began: c, cached: d })], [], [b, "stable", "hook"]);
  check("[WS1] then the arguments", [pane({ began: c, cached: d })], [], [c, "stable", "args"]);
  check("[WS1] then the title", [pane({ cached: d })], [transcript(a)], [a, "stable", "title"]);
  check("[WS1] then the cache", [pane({ title: null, cached: d })], [transcript(d)], [d, "stable", "cache"]);
  check("[WS1] and nothing is unknown", [pane({ title: null })], [transcript(d)], [null, "unknown"]);
  check(
    "[WS1] a silent fork beside its parent, same title and folder: the registry knows both",
    [pane({ live: a, began: a }), pane({ live: b, forkedFrom: a })],
    [transcript(a)],
    [a, "stable", "registry"],
    [b, "stable", "registry"],
  );
});

describe("[WS2] what corrects the registry", () => {
  const hookAt = (minutesAgo: number) => ({ sessionId: b, atMs: nowMs - minutesAgo * minute });
  check(
    "[WS2] a hook report that is newer (incident 31)",
    [pane({ live: a, updated: 10, hook: hookAt(5) })],
    [],
    [b, "stable", "hook"],
  );
  check(
    "[WS2] not one that is older",
    [pane({ live: a, updated: 5, hook: hookAt(10) })],
    [],
    [a, "stable", "registry"],
  );
  const cleared = { born: 10, written: 1, beginsWithClear: true };
  const left = transcript(a, { written: 10 });
  check(
    "[WS2] a later transcript that begins with /clear (incident 31)",
    [pane({ live: a })],
    [left, transcript(b, cleared)],
    [b, "live", "title"],
  );
  check(
    "[WS2] not where the registry's session has no transcript: nothing shows that it was left (incident 26)",
    [pane({ live: c, began: a })],
    [left, transcript(b, cleared)],
    [c, "stable", "registry"],
  );
  check(
    "[WS2] the last of several",
    [pane({ live: a })],
    [left, transcript(b, cleared), transcript(c, { ...cleared, born: 9 })],
    [c],
  );
  check(
    "[WS2] not one that begins otherwise",
    [pane({ live: a })],
    [left, transcript(b, { ...cleared, beginsWithClear: false })],
    [a],
  );
  check(
    "[WS2] not one of another folder",
    [pane({ live: a })],
    [left, transcript(b, { ...cleared, firstCwd: "/x", lastCwd: "/x" })],
    [a],
  );
  check(
    "[WS2] not one of another title",
    [pane({ live: a })],
    [left, transcript(b, { ...cleared, title: "dev" })],
    [a],
  );
  check(
    "[WS2] not one from before the process",
    [pane({ live: a, started: 8 })],
    [left, transcript(b, cleared)],
    [a],
  );
  check(
    "[WS2] not while its own conversation goes on",
    [pane({ live: a })],
    [transcript(a, { written: 2 }), transcript(b, cleared)],
    [a],
  );
  check(
    "[WS2] not one that another live process holds",
    [pane({ live: a }), pane({ live: b })],
    [left, transcript(b, cleared)],
    [a],
    [b],
  );
  check(
    "[WS2] not when two panes could have begun it",
    [pane({ live: a }), pane({ live: c })],
    [left, transcript(c, { written: 10 }), transcript(b, cleared)],
    [a],
    [c],
  );
});

describe("[WS3] arguments are true for the start", () => {
  const left = transcript(a, { written: 10 });
  check(
    "[WS3] /clear went on to another",
    [pane({ began: a })],
    [left, transcript(b, { born: 10, beginsWithClear: true })],
    [b, "stable", "title"],
  );
  check(
    "[WS3] an old autocompact too",
    [pane({ began: a })],
    [left, transcript(b, { born: 10 })],
    [b, "stable", "title"],
  );
  check(
    "[WS3] /branch too: a copy that names its origin",
    [pane({ began: a })],
    [left, transcript(b, { born: 10, rootMessage: `root ${a}`, forkedFrom: { sessionId: a, message: "m" } })],
    [b],
  );
  check(
    "[WS3] a fork made by another process is no sequel (incident 24)",
    [pane({ began: a }), pane({ forkedFrom: a, started: 20 })],
    [left, transcript(b, { born: 10, rootMessage: `root ${a}` })],
    [a],
    [b, "stable", "title"],
  );
  check(
    "[WS3] what goes on was not left",
    [pane({ began: a })],
    [transcript(a, { written: 1 }), transcript(b, { born: 10, beginsWithClear: true })],
    [a, "live", "args"],
  );
  check(
    "[WS3] of two agents the one that fell silent went on",
    [pane({ began: a }), pane({ began: c })],
    [left, transcript(c, { written: 1 }), transcript(b, { born: 10, beginsWithClear: true })],
    [b],
    [c],
  );
  check(
    "[WS3] a silent fork waits for its first word",
    [pane({ forkedFrom: a })],
    [transcript(a)],
    [null, "unknown"],
  );
});

describe("[WS4] no session in two panes", () => {
  check(
    "[WS4] a title does not take what a registry gives to another",
    [pane({ live: a }), pane()],
    [transcript(a)],
    [a],
    [null, "unknown"],
  );
  check(
    "[WS4] nor does the cache (incident 27)",
    [pane({ live: a }), pane({ title: null, cached: a })],
    [transcript(a)],
    [a],
    [null, "unknown"],
  );
  check(
    "[WS4] an ended agent does not take a running one's",
    [pane({ started: null }), pane()],
    [transcript(a)],
    [null, "unknown"],
    [a],
  );
  check(
    "[WS4] the one nearest in evidence keeps it",
    [pane({ began: a }), pane({ live: a })],
    [transcript(a)],
    [null],
    [a],
  );
});

describe("[WS4] who speaks for itself", () => {
  const newer = (sessionId: typeof a) => ({ sessionId, atMs: nowMs });
  check(
    "[WS4] a hook that is newer than the registry is as strong: two processes may have one session",
    [pane({ live: a }), pane({ live: a, hook: newer(a), began: b })],
    [transcript(a), transcript(b)],
    [a],
    [a, "stable", "hook"],
  );
  check(
    "[WS4] what a hook names and another pane's registry has is not told by the arguments instead",
    [pane({ live: a }), pane({ hook: newer(a), began: b })],
    [transcript(a), transcript(b)],
    [a],
    [null],
  );
  test("[WS4] a process elsewhere keeps what its registry names", () => {
    const one = pane({ live: a });
    const cleared = transcript(b, { born: 10, written: 9, beginsWithClear: true });
    const transcripts = [transcript(a, { written: 20 }), cleared];
    const found = (isHeld: boolean) =>
      discoverAll([one], transcripts, nowMs, (id) => isHeld && id === b).get(one.id)?.uuid;
    expect([found(false), found(true)]).toEqual([b, a]);
  });
});

describe("[WS5] equal claims are ambiguous", () => {
  check(
    "[WS5] two agents, one title, one folder (incident 15)",
    [pane(), pane()],
    [transcript(a), transcript(b)],
    [null, "unknown"],
    [null, "unknown"],
  );
  check(
    "[WS5] the cache does not decide what nothing else can",
    [pane({ cached: a }), pane({ cached: b })],
    [transcript(a), transcript(b)],
    [null],
    [null],
  );
  check(
    "[WS5] another folder decides",
    [pane(), pane({ cwd: "/x" })],
    [transcript(a), transcript(b, { firstCwd: "/x", lastCwd: "/x" })],
    [a],
    [b],
  );
  check(
    "[WS5] arguments decide",
    [pane({ began: a }), pane()],
    [transcript(a), transcript(b, { written: 4 })],
    [a],
    [b],
  );
  check(
    "[WS5] of two that have ended, each has what was last seen with it",
    [pane({ started: null, cached: a }), pane({ started: null, cached: b })],
    [transcript(a, { written: 9 }), transcript(b, { written: 8 })],
    [a, "stale"],
    [b, "stale"],
  );
  test("[WS5] the reason names the rival", () => {
    const [one, two] = [pane(), pane()];
    expect(look([one, two], [transcript(a)])[0]?.evidence[0]?.reason).toContain(two.address);
  });
});

describe("[WS6] what is no evidence", () => {
  check(
    "[WS6] the newest transcript of the folder (incident 26)",
    [pane({ title: "dev" }), pane({ title: null })],
    [transcript(a), transcript(b)],
    [null],
    [null],
  );
  check(
    "[WS6] an earlier title of a renamed session",
    [pane({ title: "old" })],
    [transcript(a, { title: "new" })],
    [null],
  );
});

describe("states", () => {
  check(
    "live: written within two minutes",
    [pane({ live: a })],
    [transcript(a, { written: 1 })],
    [a, "live"],
  );
  check("stable: written before that", [pane({ live: a })], [transcript(a, { written: 3 })], [a, "stable"]);
  check("stable: not a word yet", [pane({ live: a })], [], [a, "stable"]);
  check(
    "stale: no process, a transcript by its title",
    [pane({ started: null })],
    [transcript(a, { written: 900 })],
    [a, "stale"],
  );
  check(
    "stale: no process, a transcript by the cache",
    [pane({ started: null, title: null, cached: a })],
    [transcript(a)],
    [a, "stale"],
  );
  check(
    "broken: only the cache, and no transcript anywhere",
    [pane({ started: null, cached: a })],
    [],
    [a, "broken"],
  );
  check(
    "broken: also while an agent runs that nothing else speaks of",
    [pane({ cached: a })],
    [],
    [a, "broken"],
  );
  check("unknown", [pane({ started: null })], [], [null, "unknown"]);
});

test.each([
  ["of an agent that ended", pane({ started: null, cached: a })],
  ["of one that runs, and that only the cache names", pane({ cached: a })],
])("[WS7] %s a transcript that may lie where nobody could look is not gone (incident 64)", (_, one) => {
  const state = (hidden: SessionId) =>
    discoverAll([one], [], nowMs, undefined, (id) => id === hidden).get(one.id);
  expect(state(b)).toMatchObject({ uuid: a, state: "broken" });
  expect(state(a)).toMatchObject({ uuid: a, state: "unknown" });
});
