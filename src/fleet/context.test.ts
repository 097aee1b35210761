import { expect, test } from "vitest";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { type Facts, noFacts, type Transcript } from "../transcripts/transcript.js";
import { contextIn, contextOf, contextOfSession, windowsOf } from "./context.js";
import type { EvidenceSource } from "./discover.js";
import { type HookClaim, noHooks } from "./hook-claims.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";

const nowMs = 1_000_000;
const look = (facts: Partial<Facts>, named: string | null = null, env = {}) =>
  contextOf({ facts: { ...noFacts(), ...facts } }, named, windowsOf(env), nowMs);

test.each([
  [
    "[CX1] the sum of the last answer",
    { usedTokens: 96_000, largestTokens: 120_000, usedAtMs: nowMs - 5_000 },
    null,
    { used: 96_000, window: 200_000, percent: 48, source: "default", ageSeconds: 5 },
  ],
  [
    "[CX2] the model's name (incident 25)",
    { usedTokens: 452_000, largestTokens: 452_000 },
    "claude-opus-4-8[1m]",
    { window: 1_000_000, percent: 45.2, source: "model" },
  ],
  [
    "[CX2] what was once used (incident 25)",
    { usedTokens: 10, largestTokens: 226_000 },
    null,
    { window: 1_000_000, percent: 0, source: "largest" },
  ],
  [
    "[CX2] exactly the ordinary window proves nothing",
    { usedTokens: 200_000, largestTokens: 200_000 },
    "opus",
    { window: 200_000, percent: 100, source: "default" },
  ],
])("%s", (_, facts, named, expected) => expect(look(facts, named)).toMatchObject(expected));

test("[CX1] before the first answer there is no figure", () => expect(look({})).toBeNull());

test.each([
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "150000" }, 150_000],
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "many" }, 200_000],
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "-5" }, 200_000],
])("[CX3] %j gives a window of %i", (env, window) =>
  expect(look({ usedTokens: 1 }, null, env)?.window).toBe(window),
);

test("[CX3] the large window can be set too", () => {
  expect(look({ usedTokens: 1 }, "x[1m]", { CLAUDE_MAX_TOKENS_1M: "900000" })?.window).toBe(900_000);
});

const [own, parent] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
] as SessionId[] as [SessionId, SessionId];

function transcript(id: SessionId, usedTokens: number | null, ageMs: number): Transcript {
  const facts = { ...noFacts(), usedTokens, model: "claude-opus-4-8" };
  return { id, path: "", sizeBytes: 1, modifiedAtMs: nowMs - ageMs, bornAtMs: null, facts };
}

/** One pane with an agent of which evidence chose a session, over some transcripts. */
function fleetOf(uuid: SessionId | null, source: EvidenceSource, ...transcripts: Transcript[]) {
  const pane = { id: "%1", process: {}, arguments: { model: "opus[1m]" } } as unknown as FleetPane;
  const evidence = uuid === null ? [] : [{ source, uuid, chosen: true, reason: "" }];
  const found = { uuid, state: "stable", title: null, evidence } as const;
  const byId = new Map(transcripts.map((each) => [each.id, [each]]));
  const index = { transcripts, byId, problems: [], bytesRead: 0 };
  const fleet = {
    takenAtMs: nowMs,
    panes: [pane],
    hooks: noHooks,
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
  ["a remembered one that is young", own, "cache", transcript(own, 7, limits.contextAgeMs - 1), 7],
  ["none of a remembered one that is old", parent, "cache", transcript(own, 7, 0), undefined],
  ["none where no session is known", null, "cache", transcript(own, 7, 0), undefined],
  ["none before the first answer", own, "registry", transcript(own, null, 0), undefined],
] as const)("[CX4] the figure of a pane is %s", (_, uuid, source, written, used) => {
  const { pane, fleet } = fleetOf(uuid, source, dead, written);
  expect(contextIn(pane, fleet, windowsOf({})).context?.used).toBe(used);
});

test("[CX4] a session that runs is told with its pane, one that does not without, an unknown one not at all", () => {
  const { pane, fleet } = fleetOf(own, "registry", dead, transcript(own, 500_000, 0));
  const of = (id: SessionId) => contextOfSession(id, fleet, windowsOf({}));
  expect(of(own)).toMatchObject({ pane, uuid: own, context: { window: 1_000_000, source: "model" } });
  expect(of(parent)).toMatchObject({ pane: null, uuid: parent, context: { used: 1_000, source: "default" } });
  expect(of("521f4885-2e98-5949-9f03-b3c5ec64944d" as SessionId)).toBeNull();
});

test("[CX2] a hook's model comes before the arguments': /model changes what the process was started with", () => {
  const made = fleetOf(own, "registry", transcript(own, 1000, 0));
  const claims = new Map([[made.pane.id, { model: "sonnet" } as HookClaim]]);
  const fleet = { ...made.fleet, hooks: { ...noHooks, claims } };
  expect(contextIn(made.pane, fleet, windowsOf({})).context?.window).toBe(200_000);
  expect(contextIn(made.pane, made.fleet, windowsOf({})).context?.window).toBe(1_000_000);
});
