// How full a conversation's context is. Pure.
//
// [CX1] Used is what the last main-chain answer used. Before the first answer, and between a compaction and the next
//       answer, there is no figure.
// [CX2] Percent is of the window that fleet/context-window.ts finds; where that is not known there is no percent.
// [CX3] Environment variables set both sizes; one that is no number is ignored.
// [CX4] A pane's figure is that of the session discovered in it now. What only the cache remembers counts while its
//       transcript is younger than ten minutes.

import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { Transcript } from "../transcripts/transcript.js";
import { type Window, type WindowAgent, type Windows, windowOf } from "./context-window.js";
import type { Fleet } from "./observe.js";
import { transcriptOfPane } from "./pane-transcript.js";
import type { FleetPane } from "./panes.js";

export type { Windows } from "./context-window.js";

export interface Context {
  used: number;
  /** These three are null where the window is not known. */
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
  /** Null before the first answer, and where nobody knows what is used. */
  context: Context | null;
  /** It was compacted, and has not answered since. */
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
  if (isRemembered && isOld(transcript, fleet))
    return { pane, uuid: null, model: null, context: null, isCompacted: false };
  return { pane, uuid, ...figures(transcript, pane, fleet, windows) };
}

/** The file of the session that is in a pane. */
export function transcriptIn(pane: FleetPane, { sessions, index, hooks }: Fleet): Transcript | null {
  const uuid = sessions.get(pane.id)?.uuid ?? null;
  return uuid === null ? null : transcriptOfPane(index, uuid, pane, hooks.claims.get(pane.id) ?? null);
}

/** Null where nothing knows this session. */
export function contextOfSession(uuid: SessionId, fleet: Fleet, windows: Windows): SessionContext | null {
  const holder = fleet.panes.find(
    ({ id, process }) => process !== null && fleet.sessions.get(id)!.uuid === uuid,
  );
  if (holder !== undefined) return contextIn(holder, fleet, windows);
  const transcript = fleet.index.byId.get(uuid)?.[0] ?? null;
  return transcript && { pane: null, uuid, ...figures(transcript, null, fleet, windows) };
}

/** What the agent of a pane says of its model; null where none runs. */
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

function isOld(transcript: Transcript | null, { takenAtMs }: Fleet): boolean {
  return transcript !== null && takenAtMs - transcript.modifiedAtMs > limits.contextAgeMs;
}

function positive(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}
