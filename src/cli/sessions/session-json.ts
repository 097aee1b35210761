// One session, and one message of it, as JSON. Every key is always present.
//
// A tool input that is nested too deeply to write is replaced by a note.

import type { Utterance, UtteranceBlock } from "../../agents/utterance.js";
import { backgroundFacts, runningPane } from "../../fleet/sessions/session-list.js";
import { limits } from "../../limits.js";
import type { SessionRow } from "./table.js";

export function sessionJson({ entry, edge, fate, look }: SessionRow) {
  return {
    id: entry.id,
    agent: entry.agent,
    title: entry.title,
    cwd: entry.workspace?.path ?? null,
    fingerprint: entry.workspace?.fingerprint ?? null,
    model: entry.model,
    context: entry.context,
    messages: entry.messages,
    sizeBytes: entry.sizeBytes,
    gitBranch: entry.gitBranch,
    branch: entry.store === "managed" ? entry.branch : null,
    parent: entry.store === "managed" ? entry.parent : (edge?.parent ?? null),
    forkPoint: edge?.forkPoint ?? null,
    createdAt: timeOf(entry.bornAtMs),
    updatedAt: timeOf(entry.updatedAtMs),
    path: entry.path,
    pane: runningPane(entry)?.address ?? null,
    lastPane: entry.panes[0]?.address ?? null,
    background: backgroundFacts(entry.background),
    state: entry.state,
    lifecycle: fate.lifecycle,
    abandoned: fate.abandoned,
    worktree: look?.worktree ?? null,
    worktreeUnknown: look?.unknown ?? null,
  };
}

export function utteranceJson({ atMs, ...message }: Utterance) {
  return { ...message, blocks: message.blocks.map(writableBlock), at: timeOf(atMs) };
}

export function writableBlock(block: UtteranceBlock): UtteranceBlock {
  if (block.kind !== "tool_use" || !isDeeper(block.input, limits.toolInputDepth)) return block;
  return { ...block, input: "(nested too deeply to be written)" };
}

export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
