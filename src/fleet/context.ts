// How full a conversation's context is. Pure.
//
// [CX1] Used is input + cache creation + cache read of the last main-chain answer.
// [CX2] The window: `[1m]` in the model's name says 1,000,000; else more than 200,000 once used proves it; else the
//       model's own.
// [CX3] Environment variables set both sizes; one that is no number is ignored.

import type { Transcript } from "../transcripts/transcript.js";

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

function positive(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}
