// How large the context window of a conversation is. Pure.
//
// [CW1] The client's own status line decides, where it was reported. Then come switches that its process was started
//       with: they hold for every model.
// [CW2] Else the newest full name of the model decides: its start, a hook's report, `/model`, the last answer. `[1m]`
//       behind it says the large window, else the table of models. A name that the last answer does not bear out is none.
// [CW3] The name in an answer of an older client never has `[1m]`: alone it tells only of models that are always large.
// [CW4] More tokens than an ordinary window proves the large one.
// [CW5] Where nothing tells, the window is not known.

import type { ModelSetup, SessionArguments } from "../agents/agent.js";
import { asksForLarge, isNamedBy, windowOfModel } from "../agents/claude/models.js";
import type { SessionId } from "../names/gates.js";
import type { Facts } from "../transcripts/transcript.js";
import type { HookClaim } from "./hook-claims.js";

export interface Windows {
  ordinary: number;
  large: number;
  /** A person set the ordinary size: then it also holds for a model that nobody knows. */
  isOrdinaryGiven?: boolean;
}

export interface Window {
  tokens: number;
  /** What the size is known by. */
  source: "status line" | "settings" | "model" | "largest" | "default";
}

/** The running agent of a conversation. */
export interface WindowAgent {
  uuid: SessionId;
  startedAtMs: number;
  version: string | null;
  arguments: SessionArguments | null;
  setup: ModelSetup | null;
  hook: HookClaim | null;
}

/** `agent` is null for a conversation that nobody has open. */
export function windowOf(facts: Readonly<Facts>, agent: WindowAgent | null, windows: Windows): Window | null {
  return (
    shownWindow(facts, agent, windows) ??
    setWindow(agent?.setup ?? null, windows) ??
    namedWindow(facts, agent, windows) ??
    (facts.largestTokens > windows.ordinary ? { tokens: windows.large, source: "largest" } : null) ??
    (windows.isOrdinaryGiven ? { tokens: windows.ordinary, source: "default" } : null)
  );
}

function shownWindow({ model }: Facts, agent: WindowAgent | null, windows: Windows): Window | null {
  const shown = agent?.hook?.shown ?? null;
  if (shown === null || (model !== null && !isNamedBy(model, shown.model))) return null;
  const sizes = new Map([
    [200_000, windows.ordinary],
    [1_000_000, windows.large],
  ]);
  return { tokens: sizes.get(shown.window) ?? shown.window, source: "status line" };
}

function setWindow(setup: ModelSetup | null, windows: Windows): Window | null {
  if (setup === null) return null;
  const tokens = setup.windowTokens ?? (setup.isLargeOff ? windows.ordinary : null);
  return tokens === null ? null : { tokens, source: "settings" };
}

function namedWindow(facts: Readonly<Facts>, agent: WindowAgent | null, windows: Windows): Window | null {
  const { model, usedTokens } = facts;
  const version = agent?.version ?? facts.version;
  const name = newestName(facts, agent);
  const large: Window = { tokens: windows.large, source: "model" };
  if (name !== null && asksForLarge(name)) return large;
  // A short name is not in the table; the model that answered to it is.
  const known = name === null || (model !== null && isNamedBy(model, name)) ? model : name;
  const size = known === null ? null : windowOfModel(known, version);
  if (size === "large") return large;
  const isBelied = (usedTokens ?? 0) > windows.ordinary;
  return size === "ordinary" && name !== null && !isBelied
    ? { tokens: windows.ordinary, source: "model" }
    : null;
}

/** A model's full name, and when it was told. */
interface Naming {
  model: string;
  atMs: number;
}

function newestName(facts: Readonly<Facts>, agent: WindowAgent | null): string | null {
  const { model, askedModel, usedAtMs } = facts;
  const startMs = agent?.startedAtMs ?? 0;
  const answered = askedModel === null ? null : { model: askedModel, atMs: usedAtMs ?? 0 };
  const reported = agent?.hook?.named ?? null;
  const told = [
    agent && startName(facts, agent),
    reported && { ...reported, atMs: Math.max(reported.atMs, startMs) },
    agent && choice(facts),
    answered,
  ];
  const since = told.filter((each): each is Naming => each !== null && each.atMs >= startMs);
  const newest = since.toSorted((a, b) => a.atMs - b.atMs).at(-1);
  if (newest === undefined) return null;
  const isAnswered = model !== null && (usedAtMs ?? 0) > newest.atMs;
  return isAnswered && !isNamedBy(model, newest.model) ? null : newest.model;
}

/** "Sonnet 4.6 (1M context)", as `/model` shows what was chosen. */
function choice({ modelChoice }: Readonly<Facts>): Naming | null {
  if (modelChoice === null || modelChoice.atMs === null) return null;
  const [, name] = /^(.*?)(?: \(.*)?$/.exec(modelChoice.shown) ?? [];
  const isMarketed = /^[A-Z]/.test(name!);
  const model = isMarketed ? `claude-${name!.toLowerCase().replaceAll(/[ .]/g, "-")}` : name!;
  const isLarge = /\(1M context\)/i.test(modelChoice.shown);
  return { model: isLarge ? `${model}[1m]` : model, atMs: modelChoice.atMs };
}

/**
 * What the process began this conversation with. A client that resumes one takes the model of its last answer, unless
 * arguments or environment name one; after `/clear` nobody knows whether `/model` came before it.
 */
function startName(facts: Readonly<Facts>, agent: WindowAgent): Naming | null {
  const { startedAtMs: atMs, setup, arguments: given, uuid } = agent;
  const named = (model: string | null | undefined) => (model ? { model, atMs } : null);
  if (facts.beginsWithClear === true) return null;
  const isBegun = given?.began === uuid || (given?.forkedFrom ?? null) !== null;
  const isOfBefore = facts.firstAtMs !== null && facts.firstAtMs < atMs;
  if (isBegun && setup?.pinned) return named(setup.pinned);
  if (!isOfBefore) return facts.forkedFrom === null ? named(setup?.pinned ?? setup?.usual) : null;
  return setup?.pinned ? null : named(facts.askedModel ?? facts.model);
}
