import { describe, expect, test } from "vitest";
import { a, b, c, check, d, look, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";
import type { SessionId } from "../../names/gates.js";
import { discoverAll } from "./discover.js";

describe("[WS1] the strongest evidence counts", () => {
  const all = { live: a, hook: { sessionId: b, atMs: nowMs - 5 * minute }, began: c, cached: d };
  const seen = { cached: d, registeredAtMs: nowMs - 30 * minute };
  check("[WS1] the registry first", [pane(all)], [], [a, "stable", "registry"]);
  check("[WS1] then the hook", [pane({ hook: all.hook, began: c, cached: d })], [], [b, "stable", "hook"]);
  check("[WS1] then the arguments", [pane({ began: c, cached: d })], [], [c, "stable", "args"]);
  check("[WS1] then the title", [pane({ cached: d })], [transcript(a)], [a, "stable", "title"]);
  check("[WS1] then the cache", [pane({ title: null, ...seen })], [transcript(d)], [d, "stable", "cache"]);
  check("[WS1] and no evidence is unknown", [pane({ title: null })], [transcript(d)], [null, "unknown"]);
  check(
    "[WS1] a fork without messages beside its parent, same title and folder: the registry knows both",
    [pane({ live: a, began: a }), pane({ live: b, forkedFrom: a })],
    [transcript(a)],
    [a, "stable", "registry"],
    [b, "stable", "registry"],
  );
  check(
    "[WS1] a client without a registry tells its session: a later file in its folder is no rival",
    [pane({ live: a, how: "args", began: a })],
    [transcript(a, { written: 20 }), transcript(b, { written: 1 })],
    [a, "stable", "args"],
  );
  check(
    "[WS1] it moved, and another began where it is: both are there",
    [pane({ live: b, how: "records", began: a }), pane({ live: b, how: "args", began: b })],
    [transcript(a), transcript(b)],
    [b, "stable", "records"],
    [b, "stable", "args"],
  );
  const hookAt = (minutesAgo: number) => ({ sessionId: b, atMs: nowMs - minutesAgo * minute });
  check(
    "[WS1] a newer hook report overrides the registry (incident 31)",
    [pane({ live: a, updated: 10, hook: hookAt(5) })],
    [],
    [b, "stable", "hook"],
  );
  check(
    "[WS1] an older one does not",
    [pane({ live: a, updated: 5, hook: hookAt(10) })],
    [],
    [a, "stable", "registry"],
  );
  for (const [what, facts] of [
    ["begun by /clear under its name", { beginsWithClear: true }],
    ["that names it as the session its process began with", { beginsWithClear: true, startedAs: a }],
    ["branched off it", { forkedFrom: { sessionId: a, message: "m" } }],
  ] as const) {
    check(
      `[WS1] no transcript overrides the registry, not even one ${what} (incident 31)`,
      [pane({ live: a })],
      [transcript(a, { written: 10 }), transcript(b, { born: 10, written: 1, ...facts })],
      [a, "stable", "registry"],
    );
  }
  check(
    "[WS1] an agent without messages keeps its session beside a dead fork's cleared one (incident 27)",
    [pane({ live: a }), pane({ started: null, cached: c })],
    [
      transcript(a, { written: 20 }),
      transcript(c, { born: 15, written: 12, rootMessage: `root ${a}` }),
      transcript(b, { born: 10, written: 1, beginsWithClear: true }),
    ],
    [a, "stable", "registry"],
    [null, "unknown"],
  );
});

describe("[WS2] arguments describe the start", () => {
  const left = transcript(a, { written: 10 });
  check(
    "[WS2] they count while nothing else was written",
    [pane({ began: a })],
    [left],
    [a, "stable", "args"],
  );
  check(
    "[WS2] also before its first message",
    [pane({ began: b })],
    [transcript(a, { written: 90 })],
    [b, "stable", "args"],
  );
  check(
    "[WS2] after /clear, the records name the process",
    [pane({ began: a })],
    [left, transcript(b, { born: 10, beginsWithClear: true, startedAs: a })],
    [b, "stable", "records"],
  );
  check(
    "[WS2] two /clear, one after the other",
    [pane({ began: a })],
    [
      left,
      transcript(b, { born: 10, written: 9, beginsWithClear: true, startedAs: a }),
      transcript(c, { born: 9, beginsWithClear: true, startedAs: a }),
    ],
    [c, "stable", "records"],
  );
  check(
    "[WS2] after /branch, the copy names its origin",
    [pane({ began: a })],
    [left, transcript(b, { born: 10, rootMessage: `root ${a}`, forkedFrom: { sessionId: a, message: "m" } })],
    [b, "stable", "records"],
  );
  check(
    "[WS2] a possible /clear without proof makes it unknown",
    [pane({ began: a })],
    [left, transcript(b, { born: 10, beginsWithClear: true })],
    [null, "unknown"],
  );
  check(
    "[WS2] a possible resume makes it unknown",
    [pane({ began: a })],
    [left, transcript(b, { born: 200, title: "other" })],
    [null, "unknown"],
  );
  check(
    "[WS2] not a session written before its own last message",
    [pane({ began: a })],
    [transcript(a, { written: 1 }), transcript(b, { born: 10, beginsWithClear: true })],
    [a, "live", "args"],
  );
  check(
    "[WS2] not a session written before the process started",
    [pane({ began: a, started: 4 })],
    [left, transcript(b)],
    [a, "stable", "args"],
  );
  check(
    "[WS2] not another agent's session",
    [pane({ began: a }), pane({ live: b })],
    [left, transcript(b)],
    [a, "stable", "args"],
    [b],
  );
  check(
    "[WS2] a fork made by another process is not a rival (incident 24)",
    [pane({ began: a }), pane({ forkedFrom: a, started: 20 })],
    [left, transcript(b, { born: 10, rootMessage: `root ${a}` })],
    [a],
    [b, "stable", "title"],
  );
  check(
    "[WS2] a fork without messages is unknown until its first one",
    [pane({ forkedFrom: a })],
    [transcript(a)],
    [null, "unknown"],
  );
});

describe("a member of an agent team", () => {
  const member = { team: "session-1", name: "helper" };
  const others = { team: "session-2", name: "helper" };
  check(
    "has the session that its records name",
    [pane({ member, title: "general-purpose" })],
    [transcript(a, { member }), transcript(b, { member: others }), transcript(c)],
    [a, "stable", "records"],
  );
  check(
    "of two, after /clear, the right one is unknown",
    [pane({ member })],
    [transcript(a, { member }), transcript(b, { member })],
    [null],
  );
  check("has no session by a title", [pane({ member })], [transcript(a)], [null]);
  check(
    "not a session it wrote before it was started",
    [pane({ member, started: 1 })],
    [transcript(a, { member })],
    [null],
  );
});

describe("[WS3] the session last seen in the pane of a running agent", () => {
  const seenAt = (minutesAgo: number) => ({ cached: a, registeredAtMs: nowMs - minutesAgo * minute });
  const untitled = { title: null, started: 20 };
  check("[WS3] counts if this process ran then", [pane({ ...untitled, ...seenAt(10) })], [], [a, "broken"]);
  check(
    "[WS3] not for a client started since that shows its first dialog (incident 26)",
    [pane({ ...untitled, ...seenAt(30) })],
    [transcript(a)],
    [null, "unknown"],
  );
  check("[WS3] nor if the time is unknown", [pane({ ...untitled, cached: a })], [], [null, "unknown"]);
});

describe("[WS4] no session in two panes", () => {
  check(
    "[WS4] a title does not take a session that a registry gives to another",
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
    "[WS4] the one with the strongest evidence keeps it",
    [pane({ began: a }), pane({ live: a })],
    [transcript(a)],
    [null],
    [a],
  );
});

describe("[WS4] an agent with its own registry entry", () => {
  const newer = (sessionId: typeof a) => ({ sessionId, atMs: nowMs });
  check(
    "[WS4] a hook newer than the registry is as strong: two processes may have one session",
    [pane({ live: a }), pane({ live: a, hook: newer(a), began: b })],
    [transcript(a), transcript(b)],
    [a],
    [a, "stable", "hook"],
  );
  check(
    "[WS4] the arguments do not replace a hook's session that another pane's registry has",
    [pane({ live: a }), pane({ hook: newer(a), began: b })],
    [transcript(a), transcript(b)],
    [a],
    [null],
  );
  test("[WS4] a process elsewhere keeps its registered session, and the ended agent does not fall back to it", () => {
    const one = pane({ started: null, cached: a, endedAtMs: nowMs });
    const branched = { born: 10, written: 9, forkedFrom: { sessionId: a, message: "m" } };
    const transcripts = [transcript(a, { written: 20 }), transcript(b, branched)];
    const found = (isHeld: boolean) =>
      discoverAll([one], transcripts, nowMs, { isHeldElsewhere: (id) => isHeld && id === b }).get(one.id)
        ?.uuid;
    expect([found(false), found(true)]).toEqual([b, null]);
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
    "[WS5] one agent, two transcripts of its title",
    [pane()],
    [transcript(a), transcript(b)],
    [null, "unknown"],
  );
  check(
    "[WS5] a different folder decides",
    [pane(), pane({ cwd: "/x" })],
    [transcript(a), transcript(b, { firstCwd: "/x", lastCwd: "/x" })],
    [a],
    [b],
  );
  check(
    "[WS5] of two ended agents, each has the session last seen with it",
    [pane({ started: null, cached: a }), pane({ started: null, cached: b })],
    [transcript(a, { written: 9 }), transcript(b, { written: 8 })],
    [a, "stale"],
    [b, "stale"],
  );
  check(
    "[WS5] of two with one title, the one that is gone gives nothing to the shell of the other (incident 15)",
    [pane({ started: null })],
    [transcript(a, { written: 9 }), transcript(b, { written: 8 })],
    [null, "unknown"],
  );
  test("[WS5] the reason names the rival", () => {
    const [one, two] = [pane(), pane()];
    expect(look([one, two], [transcript(a)])[0]?.evidence[0]?.reason).toContain(two.address);
  });
  check(
    "[WS5] of the conversations that a pane may show, none is chosen",
    [pane({ maybe: [a, b], title: null })],
    [transcript(a)],
    [null, "unknown"],
  );
});

describe("what is no evidence", () => {
  check(
    "the newest transcript of the folder (incident 26)",
    [pane({ title: "dev" }), pane({ title: null })],
    [transcript(a), transcript(b)],
    [null],
    [null],
  );
  check(
    "an earlier title of a renamed session",
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
  check("stable: written earlier", [pane({ live: a })], [transcript(a, { written: 3 })], [a, "stable"]);
  check("stable: no message yet", [pane({ live: a })], [], [a, "stable"]);
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
  check("broken: only the cache, and no transcript", [pane({ started: null, cached: a })], [], [a, "broken"]);
  check("unknown", [pane({ started: null })], [], [null, "unknown"]);
});
test.each([
  ["for an ended agent", pane({ started: null, cached: a })],
  ["for a running agent that only the cache knows", pane({ cached: a, registeredAtMs: nowMs })],
])("[WS7] %s a transcript in an unreadable folder is not gone (incident 64)", (_, one) => {
  const state = (hidden: SessionId) =>
    discoverAll([one], [], nowMs, { isHidden: (id) => id === hidden }).get(one.id);
  expect(state(b)).toMatchObject({ uuid: a, state: "broken" });
  expect(state(a)).toMatchObject({ uuid: a, state: "unknown" });
});
