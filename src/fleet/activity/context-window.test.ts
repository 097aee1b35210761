import { expect, test } from "vitest";
import type { ModelSetup, SessionArguments } from "../../agents/launch.js";
import type { SessionId } from "../../names/gates.js";
import { type Facts, noFacts } from "../../transcripts/transcript.js";
import type { HookClaim } from "../identity/hook-claims.js";
import { type WindowAgent, windowOf, windowsOf } from "./context.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const other = "b63de03a-6d49-5f14-9be3-0aac60a859ed" as SessionId;
const startMs = 1_000_000;
const [older, newer] = ["2.1.197", "2.1.325"];

interface Made {
  version?: string;
  pinned?: string;
  usual?: string;
  isLargeOff?: boolean;
  windowTokens?: number;
  named?: HookClaim["named"];
  shown?: HookClaim["shown"];
  given?: Partial<SessionArguments>;
}

function agent({ version = older, named = null, shown = null, given = {}, ...setup }: Made): WindowAgent {
  const none: ModelSetup = { pinned: null, usual: null, isLargeOff: false, windowTokens: null };
  return {
    uuid,
    startedAtMs: startMs,
    version,
    arguments: { began: uuid, isCreated: true, forkedFrom: null, model: null, name: null, ...given },
    setup: { ...none, ...setup },
    hook: { named, shown } as HookClaim,
  };
}

/** A conversation that began and was answered in the running process. */
function answered(model: string, more: Partial<Facts> = {}): Facts {
  const times = { firstAtMs: startMs + 10, usedAtMs: startMs + 100, beginsWithClear: false };
  return { ...noFacts(), ...times, model, usedTokens: 5_000, largestTokens: 5_000, ...more };
}

const resumed = { began: uuid, isCreated: false };
const ofBefore = { firstAtMs: 10, usedAtMs: 100 };
const opus = "claude-opus-4-8";
const [large, ordinary] = [1_000_000, 200_000];
const at = (afterMs: number) => startMs + afterMs;

test.each<[string, Partial<Facts>, Made, number | null]>([
  ["a status line", answered("x"), { shown: { model: "x", window: 500_000, atMs: at(99) } }, 500_000],
  [
    "no status line of another model",
    answered(opus),
    { shown: { model: "x", window: 500_000, atMs: at(9) } },
    null,
  ],
  ["a switch, whatever the name", answered(opus), { isLargeOff: true, pinned: "opus[1m]" }, ordinary],
  ["a number of tokens", answered(opus), { windowTokens: 300_000, pinned: "opus[1m]" }, 300_000],
])("the window comes from %s", (_, facts, made, expected) => {
  expect(windowOf({ ...noFacts(), ...facts }, agent(made), windowsOf({}))?.tokens ?? null).toBe(expected);
});

test.each<[string, Facts, Made, number | null]>([
  ["[1m] in the arguments", answered(opus), { pinned: "opus[1m]" }, large],
  ["arguments without it", answered(opus), { pinned: "opus" }, ordinary],
  ["[1m] in settings", answered(opus), { usual: "claude-opus-4-8[1m]" }, large],
  ["arguments before settings", answered(opus), { pinned: "opus", usual: "opus[1m]" }, ordinary],
  ["nothing", answered(opus), {}, null],
  ["no arguments that the answer contradicts", answered("claude-haiku-4-5"), { pinned: "opus[1m]" }, null],
  ["a hook", answered(opus), { named: { model: `${opus}[1m]`, atMs: at(1) }, pinned: "opus" }, large],
  [
    "a hook that reported before the client's own start time",
    answered(opus),
    { named: { model: `${opus}[1m]`, atMs: at(-1) } },
    large,
  ],
  [
    "/model after the start",
    answered(opus, { modelChoice: { shown: "Opus 4.8 (1M context)", atMs: at(50) } }),
    { pinned: "opus" },
    large,
  ],
  [
    "/model after a hook",
    answered(opus, { modelChoice: { shown: "Opus 4.8", atMs: at(50) } }),
    { named: { model: `${opus}[1m]`, atMs: at(1) } },
    ordinary,
  ],
  [
    "/model after the last answer",
    answered(opus, { modelChoice: { shown: "Haiku 4.5", atMs: at(500) } }),
    { pinned: "opus[1m]" },
    ordinary,
  ],
  [
    "no /model of an earlier process",
    answered(opus, { modelChoice: { shown: "Opus 4.8 (1M context)", atMs: at(-50) } }),
    { pinned: "opus" },
    ordinary,
  ],
  [
    "the last answer's requested model",
    answered("claude-opus-4-6", { askedModel: "claude-opus-4-6[1m]" }),
    { version: newer, pinned: "claude-opus-4-6" },
    large,
  ],
  [
    "the last answer without [1m]",
    answered("claude-opus-4-6", { askedModel: "claude-opus-4-6", largestTokens: 300_000 }),
    { version: newer, pinned: "opus[1m]" },
    ordinary,
  ],
  [
    "the requested model, even if another one answered",
    answered("claude-haiku-4-5", { askedModel: "claude-opus-4-6[1m]", usedAtMs: at(100) }),
    { version: newer },
    large,
  ],
])("the window comes from %s", (_, facts, made, expected) => {
  expect(windowOf(facts, agent(made), windowsOf({}))?.tokens ?? null).toBe(expected);
});

test.each<[string, Facts, Made, number | null]>([
  ["comes from its last model without [1m]", answered(opus, ofBefore), { given: resumed }, ordinary],
  [
    "does not come from the settings",
    answered(opus, ofBefore),
    { given: resumed, usual: "opus[1m]" },
    ordinary,
  ],
  ["comes from the arguments", answered(opus, ofBefore), { given: resumed, pinned: "opus[1m]" }, large],
  [
    "comes from the arguments, even for another model",
    answered(opus, ofBefore),
    { given: resumed, pinned: "claude-haiku-4-5" },
    ordinary,
  ],
  [
    "comes from the last requested model",
    answered("claude-opus-4-6", { ...ofBefore, askedModel: "claude-opus-4-6[1m]" }),
    { given: resumed, version: newer },
    large,
  ],
  [
    "comes from the last model, also in a fork",
    answered(opus, ofBefore),
    { given: { began: uuid, isCreated: true, forkedFrom: other } },
    ordinary,
  ],
  [
    "comes from the last model, also by /resume",
    answered(opus, ofBefore),
    { given: { began: other, isCreated: true } },
    ordinary,
  ],
  [
    "is unknown by /resume if the start named a model",
    answered(opus, ofBefore),
    { given: { began: other }, pinned: "opus[1m]" },
    null,
  ],
  [
    "is unknown after /clear: /model may have come before it",
    answered(opus, { beginsWithClear: true }),
    { given: { began: other }, pinned: "opus[1m]" },
    null,
  ],
])("the window of a resumed conversation %s", (_, facts, made, expected) => {
  expect(windowOf(facts, agent(made), windowsOf({}))?.tokens ?? null).toBe(expected);
});

test.each<[string, Facts, WindowAgent | null, number | null]>([
  ["a model that is always large", answered("claude-opus-5-5"), agent({ version: newer }), large],
  ["no model that could be either", answered("claude-opus-4-6"), agent({ version: newer }), null],
  ["a saved conversation whose name has it", answered("claude-opus-5-5", { version: newer }), null, large],
  ["no saved conversation of an older client", answered(opus, { version: older }), null, null],
  ["no unknown model", answered("claude-nova-7", { askedModel: "claude-nova-7" }), null, null],
])("the model's name alone decides for %s", (_, facts, of, expected) => {
  expect(windowOf(facts, of, windowsOf({}))?.tokens ?? null).toBe(expected);
});

test("more than an ordinary window proves the large one; exactly that proves nothing", () => {
  const used = (usedTokens: number, largestTokens = usedTokens) =>
    windowOf(answered(opus, { usedTokens, largestTokens }), null, windowsOf({}));
  expect(used(226_000)).toEqual({ tokens: large, source: "largest" });
  expect(used(10, 226_000)).toEqual({ tokens: large, source: "largest" });
  expect(used(200_000)).toBeNull();
  const isNamed = agent({ pinned: "opus" });
  expect(
    windowOf(answered(opus, { usedTokens: 226_000, largestTokens: 226_000 }), isNamed, windowsOf({})),
  ).toEqual({
    tokens: large,
    source: "largest",
  });
});

test("without other evidence, the size set by the user counts", () => {
  const set = windowsOf({ CLAUDE_MAX_TOKENS_DEFAULT: "150000", CLAUDE_MAX_TOKENS_1M: "900000" });
  expect(windowOf(answered("x"), null, set)).toEqual({ tokens: 150_000, source: "default" });
  expect(windowOf(answered(opus), agent({ pinned: "opus" }), set)?.tokens).toBe(150_000);
  expect(windowOf(answered(opus), agent({ pinned: "opus[1m]" }), set)?.tokens).toBe(900_000);
  const shown = { model: opus, window: 1_000_000, atMs: at(1) };
  expect(windowOf(answered(opus), agent({ shown }), set)?.tokens).toBe(900_000);
});
