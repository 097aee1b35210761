// How full a conversation's context is. Pure.
//
// [CX1] Used is input + cache creation + cache read of the last main-chain answer.
// [CX2] The window: `[1m]` in the model's name says 1,000,000; else more than 200,000 once used proves it; else the
//       model's own.
// [CX3] Environment variables set both sizes; one that is no number is ignored.
// [CX4] A pane's figure is that of the session discovered in it now. What only the cache remembers counts while its
//       transcript is younger than ten minutes.

import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { Transcript } from "../transcripts/transcript.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";

export interface Context {
  used: number;
  window: number;
  percent: number;
  /** What the window was told by. */
  source: "model" | "largest" | "default";
  /** Since the answer that the figure comes from. */
  ageSeconds: number | null;
}

export interface Windows {
  ordinary: number;
  large: number;
}

/** The figure of a session, with the pane it runs in. */
export interface SessionContext {
  pane: FleetPane | null;
  uuid: SessionId | null;
  model: string | null;
  /** Null before the first answer. */
  context: Context | null;
}

export function windowsOf(env: NodeJS.ProcessEnv): Windows {
  return {
    ordinary: positive(env.CLAUDE_MAX_TOKENS_DEFAULT) ?? 200_000,
    large: positive(env.CLAUDE_MAX_TOKENS_1M) ?? 1_000_000,
  };
}

/** `named` is the model as arguments, hooks or the status line give it: the transcript's has no `[1m]`. */
export function contextOf(
  { facts }: Pick<Transcript, "facts">,
  named: string | null,
  windows: Windows,
  nowMs: number,
): Context | null {
  if (facts.usedTokens === null) return null;
  const isLarge = named?.includes("[1m]") ?? false;
  const isProven = facts.largestTokens > windows.ordinary;
  const window = isLarge || isProven ? windows.large : windows.ordinary;
  return {
    used: facts.usedTokens,
    window,
    percent: Math.round((1000 * facts.usedTokens) / window) / 10,
    source: isLarge ? "model" : isProven ? "largest" : "default",
    ageSeconds: facts.usedAtMs === null ? null : Math.max(0, Math.round((nowMs - facts.usedAtMs) / 1000)),
  };
}

export function contextIn(pane: FleetPane, fleet: Fleet, windows: Windows): SessionContext {
  const { uuid, evidence } = fleet.sessions.get(pane.id)!;
  const transcript = transcriptOf(uuid, fleet);
  const isRemembered = evidence.some(({ chosen, source }) => chosen && source === "cache");
  if (isRemembered && isOld(transcript, fleet)) return { pane, uuid: null, model: null, context: null };
  return { pane, uuid, ...figures(transcript, namedModel(pane, fleet), fleet, windows) };
}

/** A hook's word comes before the arguments: `/model` changes what the process was started with. */
function namedModel(pane: FleetPane, { hooks }: Fleet): string | null {
  return hooks.claims.get(pane.id)?.model ?? pane.arguments?.model ?? null;
}

/** Null where nothing knows this session. */
export function contextOfSession(uuid: SessionId, fleet: Fleet, windows: Windows): SessionContext | null {
  const holder = fleet.panes.find(
    ({ id, process }) => process !== null && fleet.sessions.get(id)!.uuid === uuid,
  );
  if (holder !== undefined) return contextIn(holder, fleet, windows);
  const transcript = transcriptOf(uuid, fleet);
  return transcript && { pane: null, uuid, ...figures(transcript, null, fleet, windows) };
}

function figures(transcript: Transcript | null, named: string | null, fleet: Fleet, windows: Windows) {
  return {
    model: transcript?.facts.model ?? named,
    context: transcript && contextOf(transcript, named, windows, fleet.takenAtMs),
  };
}

function transcriptOf(uuid: SessionId | null, { index }: Fleet): Transcript | null {
  return (uuid !== null && index.byId.get(uuid)?.[0]) || null;
}

function isOld(transcript: Transcript | null, { takenAtMs }: Fleet): boolean {
  return transcript !== null && takenAtMs - transcript.modifiedAtMs > limits.contextAgeMs;
}

function positive(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}
