// The context in the record of an answer, and the model that `/model` prints.

import { type Json, objectOrNull, textOrNull, timeMs } from "../../record.js";

const usageKeys = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/** How the output of `/model` begins. */
export const modelOutput = "<local-command-stdout>Set model to ";

/** Older clients print the model bold, newer ones in backticks. After it they say how long it applies. */
export function shownModel(output: string): string {
  const [shown] = output
    .slice(modelOutput.length)
    .split(/ and saved | for this session|<\/local-command-stdout>/);
  return shown!.replace(/\u001b\[[0-9;]*m|`/g, "").trim();
}

export interface Answer {
  model: string | null;
  askedModel: string | null;
  tokens: number;
  atMs: number | null;
}

export function answerOf(json: Json | null): Answer | null {
  const message = objectOrNull(json?.message);
  const usage = objectOrNull(message?.usage);
  if (json === null || usage === null || isOfSubAgent(json) || message?.model === "<synthetic>") return null;
  const tokens = tokensOf(usage);
  // A fork that begins at a compaction copies the kept answers with every count at zero.
  if (tokens === 0) return null;
  return {
    model: textOrNull(message?.model),
    askedModel: textOrNull(json.requestedModel),
    tokens,
    atMs: timeMs(json.timestamp),
  };
}

function isOfSubAgent({ isSidechain, agentId }: Json): boolean {
  return isSidechain === true || typeof agentId === "string";
}

/** The counts of an answer with several API rounds are sums; its last round had the whole context. */
function tokensOf(usage: Json): number {
  const rounds = Array.isArray(usage.iterations) ? usage.iterations : [];
  const last = objectOrNull(rounds.at(-1)) ?? usage;
  const sum = (counts: Json) => usageKeys.reduce((total, key) => total + count(counts[key]), 0);
  return Math.min(sum(usage), sum(last));
}

/** Token counts are whole numbers, small enough to be added exactly. */
function count(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : 0;
}
