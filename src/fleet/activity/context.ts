// How full a conversation's context is, and how large its window. Pure.
//
// Used tokens are those of the last answer on the main chain. Before the first answer, and between a compaction and
// the next answer, there is no figure. Percent refers to the window; if the window is unknown, there is no percent.
// A pane's figure is that of the session discovered in it now. A session known only from the cache counts while its
// transcript is younger than ten minutes. Environment variables set both window sizes; a value that is not a number
// is ignored.
//
// The window, strongest evidence first:
// 1. The client's own records or its status line, if they have it.
// 2. Switches that the process was started with: they apply to every model.
// 3. The newest full name of the model: from the start, a hook's report, `/model` or the last answer. `[1m]` after
//    it means the large window, else the table of models decides. A name that the last answer contradicts does not
//    count. Answers of older clients never have `[1m]`, so alone they prove only models that are always large.
// 4. More tokens than an ordinary window proves the large one.
// Otherwise the window is unknown.

import { asksForLarge, isNamedBy, windowOfModel } from "../../agents/claude/models.js";
import type { ModelSetup, SessionArguments } from "../../agents/launch.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import type { Facts, Transcript } from "../../transcripts/transcript.js";
import type { HookClaim } from "../identity/hook-claims.js";
import { transcriptOfPane } from "../identity/pane-transcript.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";

export interface Context {
  used: number;
  /** These three are null if the window is unknown. */
  window: number | null;
  percent: number | null;
  source: Window["source"] | null;
  /** Since the answer that the figure comes from. */
  ageSeconds: number | null;
}

/** The figure of a session, with the pane it runs in. */
export interface SessionContext {
  pane: FleetPane | null;
  uuid: SessionId | null;
  model: string | null;
  /** Null before the first answer, or if the used tokens are unknown. */
  context: Context | null;
  /** It was compacted and has not answered since. */
  isCompacted: boolean;
}

export function windowsOf(env: NodeJS.ProcessEnv): Windows {
  const ordinary = positive(env.CLAUDE_MAX_TOKENS_DEFAULT);
  return {
    ordinary: ordinary ?? 200_000,
    large: positive(env.CLAUDE_MAX_TOKENS_1M) ?? 1_000_000,
    isOrdinaryGiven: ordinary !== null,
  };
}

export function contextOf(
  { facts }: Pick<Transcript, "facts">,
  agent: WindowAgent | null,
  windows: Windows,
  nowMs: number,
): Context | null {
  if (facts.usedTokens === null) return null;
  const window = windowOf(facts, agent, windows);
  return {
    used: facts.usedTokens,
    window: window?.tokens ?? null,
    percent: window && Math.round((1000 * facts.usedTokens) / window.tokens) / 10,
    source: window?.source ?? null,
    ageSeconds: facts.usedAtMs === null ? null : Math.max(0, Math.round((nowMs - facts.usedAtMs) / 1000)),
  };
}

export function contextIn(pane: FleetPane, fleet: Fleet, windows: Windows): SessionContext {
  const { uuid, evidence } = fleet.sessions.get(pane.id)!;
  const transcript = transcriptIn(pane, fleet);
  const isRemembered = evidence.some(({ chosen, source }) => chosen && source === "cache");
  const isOld = transcript !== null && fleet.takenAtMs - transcript.modifiedAtMs > limits.contextAgeMs;
  if (isRemembered && isOld) return { pane, uuid: null, model: null, context: null, isCompacted: false };
  return { pane, uuid, ...figures(transcript, pane, fleet, windows) };
}

/** The transcript of the session in a pane. */
export function transcriptIn(pane: FleetPane, { sessions, index, hooks }: Fleet): Transcript | null {
  const uuid = sessions.get(pane.id)?.uuid ?? null;
  return uuid === null ? null : transcriptOfPane(index, uuid, pane, hooks.claims.get(pane.id) ?? null);
}

/** Null for an unknown session. */
export function contextOfSession(uuid: SessionId, fleet: Fleet, windows: Windows): SessionContext | null {
  const holder = fleet.panes.find(
    ({ id, process }) => process !== null && fleet.sessions.get(id)!.uuid === uuid,
  );
  if (holder !== undefined) return contextIn(holder, fleet, windows);
  const transcript = fleet.index.byId.get(uuid)?.[0] ?? null;
  return transcript && { pane: null, uuid, ...figures(transcript, null, fleet, windows) };
}

/** The facts about a pane's agent that decide its window; null if none runs. */
export function windowAgentIn(pane: FleetPane, fleet: Fleet): WindowAgent | null {
  const uuid = fleet.sessions.get(pane.id)?.uuid ?? null;
  if (uuid === null || pane.process === null) return null;
  return {
    uuid,
    startedAtMs: pane.live?.startedAtMs ?? pane.process.startedAtMs,
    version: pane.live?.version ?? null,
    arguments: pane.arguments,
    setup: fleet.models?.get(pane.id) ?? null,
    hook: fleet.hooks.claims.get(pane.id) ?? null,
  };
}

function figures(transcript: Transcript | null, pane: FleetPane | null, fleet: Fleet, windows: Windows) {
  const agent = pane && windowAgentIn(pane, fleet);
  return {
    model:
      transcript?.facts.model ?? agent?.hook?.model ?? agent?.setup?.pinned ?? pane?.arguments?.model ?? null,
    context: transcript && contextOf(transcript, agent, windows, fleet.takenAtMs),
    isCompacted: transcript?.facts.isCompacted ?? false,
  };
}

function positive(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

export interface Windows {
  ordinary: number;
  large: number;
  /** The user set the ordinary size, so it also applies to unknown models. */
  isOrdinaryGiven?: boolean;
}

interface Window {
  tokens: number;
  /** Where the size comes from. */
  source: "transcript" | "status line" | "settings" | "model" | "largest" | "default";
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

/** `agent` is null for a conversation that no agent has open. */
export function windowOf(facts: Readonly<Facts>, agent: WindowAgent | null, windows: Windows): Window | null {
  return (
    recordedWindow(facts) ??
    shownWindow(facts, agent, windows) ??
    setWindow(agent?.setup ?? null, windows) ??
    namedWindow(facts, agent, windows) ??
    (facts.largestTokens > windows.ordinary ? { tokens: windows.large, source: "largest" } : null) ??
    (windows.isOrdinaryGiven ? { tokens: windows.ordinary, source: "default" } : null)
  );
}

function recordedWindow({ windowTokens }: Facts): Window | null {
  return windowTokens === null ? null : { tokens: windowTokens, source: "transcript" };
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
  // A short name is not in the table, but the full name of the model that answered is.
  const known = name === null || (model !== null && isNamedBy(model, name)) ? model : name;
  const size = known === null ? null : windowOfModel(known, version);
  if (size === "large") return large;
  const isContradicted = (usedTokens ?? 0) > windows.ordinary;
  return size === "ordinary" && name !== null && !isContradicted
    ? { tokens: windows.ordinary, source: "model" }
    : null;
}

/** A model's full name, and when it was reported. */
interface Naming {
  model: string;
  atMs: number;
}

function newestName(facts: Readonly<Facts>, agent: WindowAgent | null): string | null {
  const { model, askedModel, usedAtMs } = facts;
  // Thousands of conversations are in no pane: their last answer alone names the model.
  if (agent === null) return askedModel;
  const startMs = agent.startedAtMs;
  const answered = askedModel === null ? null : { model: askedModel, atMs: usedAtMs ?? 0 };
  const reported = agent.hook?.named ?? null;
  const names = [
    startName(facts, agent),
    reported && { ...reported, atMs: Math.max(reported.atMs, startMs) },
    choice(facts),
    answered,
  ];
  const since = names.filter((each): each is Naming => each !== null && each.atMs >= startMs);
  const newest = since.toSorted((a, b) => a.atMs - b.atMs).at(-1);
  if (newest === undefined) return null;
  const isAnswered = model !== null && (usedAtMs ?? 0) > newest.atMs;
  return isAnswered && !isNamedBy(model, newest.model) ? null : newest.model;
}

/** "Sonnet 4.6 (1M context)" is how `/model` shows the choice. */
function choice({ modelChoice }: Readonly<Facts>): Naming | null {
  if (modelChoice === null || modelChoice.atMs === null) return null;
  const [, name] = /^(.*?)(?: \(.*)?$/.exec(modelChoice.shown) ?? [];
  const isMarketed = /^[A-Z]/.test(name!);
  const model = isMarketed ? `claude-${name!.toLowerCase().replaceAll(/[ .]/g, "-")}` : name!;
  const isLarge = /\(1M context\)/i.test(modelChoice.shown);
  return { model: isLarge ? `${model}[1m]` : model, atMs: modelChoice.atMs };
}

/**
 * The model the process began this conversation with. A client that resumes takes the model of the last answer,
 * unless arguments or environment name one. After `/clear` it is unknown whether `/model` came before.
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
