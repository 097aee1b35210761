import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { type Facts, noFacts, type Transcript } from "../../transcripts/transcript.js";
import type { EvidenceSource } from "../identity/discover.js";
import { type HookClaim, noHooks } from "../identity/hook-claims.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { contextIn, contextOf, contextOfSession, windowsOf } from "./context.js";

const nowMs = 1_000_000;
const look = (facts: Partial<Facts>, env = {}) =>
  contextOf({ facts: { ...noFacts(), ...facts } }, null, windowsOf(env), nowMs);

const wide = { model: "claude-opus-5-5", version: "2.1.325" };

test("used tokens are those of the last answer", () => {
  const facts = { ...wide, usedTokens: 480_000, largestTokens: 520_000, usedAtMs: nowMs - 5_000 };
  const expected = { used: 480_000, window: 1_000_000, percent: 48, source: "model", ageSeconds: 5 };
  expect(look(facts)).toEqual(expected);
});

test("before the first answer, and after a compaction, there is no figure", () => {
  expect(look({})).toBeNull();
  expect(look({ ...wide, isCompacted: true, largestTokens: 300_000 })).toBeNull();
});

test("without a known window there is no percent", () => {
  const expected = { used: 96_000, window: null, percent: null, source: null };
  expect(look({ model: "claude-nova-7", usedTokens: 96_000 })).toMatchObject(expected);
});

test.each([
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "150000" }, 150_000],
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "many" }, null],
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "-5" }, null],
])("%j gives a window of %i", (env, window) => expect(look({ usedTokens: 1 }, env)?.window).toBe(window));

test("the large window can be set too", () => {
  expect(look({ ...wide, usedTokens: 1 }, { CLAUDE_MAX_TOKENS_1M: "900000" })?.window).toBe(900_000);
});

const [own, parent] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
] as SessionId[] as [SessionId, SessionId];

function transcript(id: SessionId, usedTokens: number | null, ageMs: number): Transcript {
  const facts = { ...noFacts(), usedTokens, usedAtMs: nowMs, model: "claude-opus-4-8", firstAtMs: 10 };
  return {
    id,
    kind: "claude",
    folder: "",
    path: "",
    sizeBytes: 1,
    modifiedAtMs: nowMs - ageMs,
    bornAtMs: null,
    facts,
  };
}

/** One pane with an agent whose session was chosen by evidence, and some transcripts. */
function fleetOf(uuid: SessionId | null, source: EvidenceSource, ...transcripts: Transcript[]) {
  const pane = {
    id: "%1",
    process: { startedAtMs: 1 },
    arguments: { began: uuid, forkedFrom: null, model: "opus[1m]" },
    live: null,
    folder: null,
    cwd: "/w",
  } as unknown as FleetPane;
  const evidence = uuid === null ? [] : [{ source, uuid, chosen: true, reason: "" }];
  const found = { uuid, state: "stable", title: null, evidence } as const;
  const byId = new Map(transcripts.map((each) => [each.id, [each]]));
  const index = { transcripts, byId, problems: [], bytesRead: 0 };
  const fleet = {
    takenAtMs: nowMs,
    panes: [pane],
    hooks: noHooks,
    models: new Map([[pane.id, { pinned: "opus[1m]", usual: null, isLargeOff: false, windowTokens: null }]]),
    index,
    sessions: new Map([[pane.id, found]]),
  };
  return { pane, fleet: fleet as unknown as Fleet };
}

const dead = transcript(parent, 1_000, 2 * limits.contextAgeMs);

test.each([
  [
    "the registry's, not the dead parent's (incident 24)",
    own,
    "registry",
    transcript(own, 520_000, 0),
    520_000,
  ],
  ["the pane's own, however old", own, "args", transcript(own, 7, 2 * limits.contextAgeMs), 7],
  ["a recent one from the cache", own, "cache", transcript(own, 7, limits.contextAgeMs - 1), 7],
  ["none for an old one from the cache", parent, "cache", transcript(own, 7, 0), undefined],
  ["none if no session is known", null, "cache", transcript(own, 7, 0), undefined],
  ["none before the first answer", own, "registry", transcript(own, null, 0), undefined],
] as const)("the figure of a pane is %s", (_, uuid, source, written, used) => {
  const { pane, fleet } = fleetOf(uuid, source, dead, written);
  expect(contextIn(pane, fleet, windowsOf({})).context?.used).toBe(used);
});

test("a running session is shown with its pane, a saved one without, an unknown one not at all", () => {
  const { pane, fleet } = fleetOf(own, "registry", dead, transcript(own, 500_000, 0));
  const of = (id: SessionId) => contextOfSession(id, fleet, windowsOf({}));
  expect(of(own)).toMatchObject({ pane, uuid: own, context: { window: 1_000_000, source: "model" } });
  expect(of(parent)).toMatchObject({ pane: null, uuid: parent, context: { used: 1_000, source: null } });
  expect(of("521f4885-2e98-5949-9f03-b3c5ec64944d" as SessionId)).toBeNull();
});

test("a hook's model comes before the arguments: /model changes the model after the start", () => {
  const made = fleetOf(own, "registry", transcript(own, 1000, 0));
  const named = { model: "claude-opus-4-8", atMs: 2 };
  const live = { version: "2.1.197" } as FleetPane["live"];
  const pane = { ...made.pane, live };
  const claims = new Map([[pane.id, { model: named.model, named, shown: null } as HookClaim]]);
  const fleet = { ...made.fleet, hooks: { ...noHooks, claims } };
  expect(contextIn(pane, fleet, windowsOf({})).context?.window).toBe(200_000);
  expect(contextIn(pane, made.fleet, windowsOf({})).context?.window).toBe(1_000_000);
});
