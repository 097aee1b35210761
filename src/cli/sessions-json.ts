// One session for programs: every key is always there.

import { runningPane } from "../fleet/session-list.js";
import type { SessionRow } from "./sessions-table.js";

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
    state: entry.state,
    lifecycle: fate.lifecycle,
    abandoned: fate.abandoned,
    worktree: look?.worktree ?? null,
    worktreeUnknown: look?.unknown ?? null,
  };
}

export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
