// How full a context was over time, from the transcript of its conversation.

import { spokenLines } from "../../agents/all.js";
import type { UsageHistory } from "../../agents/utterance.js";
import { limits } from "../../limits.js";
import { newBlock, scanFile } from "../../transcripts/scan/scan.js";
import type { Transcript } from "../../transcripts/transcript.js";
import type { Fleet } from "../observe.js";
import { type SessionContext, transcriptIn } from "./context.js";

/** Reads the whole transcript. */
export function contextHistory({ pane, uuid, model, context }: SessionContext, fleet: Fleet) {
  const transcript =
    pane === null ? (uuid && fleet.index.byId.get(uuid)?.[0]) || null : transcriptIn(pane, fleet);
  const { points, compactedAtMs } = usageIn(transcript);
  return {
    pane: pane?.address ?? null,
    uuid,
    model,
    window: context?.window ?? null,
    points: thinned(points, limits.contextPoints).map(({ atMs, used }) => ({ at: timeOf(atMs), used })),
    compactions: compactedAtMs
      .slice(-limits.transcriptBoundaries)
      .map((atMs) => ({ at: atMs === null ? null : timeOf(atMs) })),
  };
}

export type ContextHistory = ReturnType<typeof contextHistory>;

function usageIn(transcript: Transcript | null): UsageHistory {
  const empty = (): UsageHistory => ({ points: [], compactedAtMs: [] });
  const addLines = transcript === null ? undefined : spokenLines(transcript.kind).addUsage;
  if (transcript === null || addLines === undefined) return empty();
  return scanFile(transcript.path, null, { empty, addLines }, newBlock())?.reading.value ?? empty();
}

/** At most `most` points, in order: the smallest and the largest of each stretch, and both ends. */
export function thinned<P extends { used: number }>(points: readonly P[], most: number): P[] {
  if (points.length <= most) return [...points];
  const stretches = Math.floor((most - 2) / 2);
  const kept = new Set<number>([0, points.length - 1]);
  for (let each = 0; each < stretches; each++) {
    const from = Math.floor((each * points.length) / stretches);
    const to = Math.floor(((each + 1) * points.length) / stretches);
    let [least, largest] = [from, from];
    for (let at = from; at < to; at++) {
      if (points[at]!.used < points[least]!.used) least = at;
      if (points[at]!.used > points[largest]!.used) largest = at;
    }
    kept.add(least).add(largest);
  }
  return [...kept].sort((a, b) => a - b).map((at) => points[at]!);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
