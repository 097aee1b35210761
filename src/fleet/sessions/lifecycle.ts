// Whether a session runs, and whether work was left behind in its folder. Pure.
//
// - running: a process has it. idle shell: its pane exists and its agent has ended. saved: only its file exists.
// - A session is `abandoned?` if it does not run and its folder is gone. It is also if it was not used for
//   `abandonedDays`, no other session of its folder runs or was used since, and its worktree has uncommitted changes
//   or unpushed commits. The reason is part of the result.
// - An unreadable worktree is unknown: neither dirty, clean nor abandoned.

import { counted } from "../../base/text/counted.js";
import type { WorktreeLook } from "../../git/worktree.js";
import { limits } from "../../limits.js";
import { type AnySession, hasProcess, type SessionFacts } from "./session-list.js";

export type Lifecycle = "running" | "idle shell" | "saved";

export interface SessionFate {
  lifecycle: Lifecycle;
  /** Why it may be abandoned; null if there is no sign of it. */
  abandoned: string | null;
}

export const goneReason = "its folder is gone";

/** By workspace path. */
export type Looks = ReadonlyMap<string, WorktreeLook>;

export function lifecycleOf(entry: SessionFacts): Lifecycle {
  if (hasProcess(entry)) return "running";
  return entry.panes.length > 0 ? "idle shell" : "saved";
}

/** `all` must contain every session of the workspaces in `looks`, so that a later one is found. */
export function sessionFates(
  all: readonly AnySession[],
  looks: Looks,
  nowMs: number,
): ReadonlyMap<AnySession, SessionFate> {
  const lastOf = new Map<string, AnySession>();
  for (const entry of all) {
    const path = entry.workspace?.path;
    if (path === undefined) continue;
    const last = lastOf.get(path);
    if (last === undefined || isLater(entry, last)) lastOf.set(path, entry);
  }
  return new Map(
    all.map((entry) => {
      const isLast = lastOf.get(entry.workspace?.path ?? "") === entry;
      return [entry, { lifecycle: lifecycleOf(entry), abandoned: abandoned(entry, isLast, looks, nowMs) }];
    }),
  );
}

/** A running session is later than any that does not run. */
function isLater(entry: AnySession, other: AnySession): boolean {
  const [runs, otherRuns] = [hasProcess(entry), hasProcess(other)];
  return runs === otherRuns ? (entry.updatedAtMs ?? 0) > (other.updatedAtMs ?? 0) : runs;
}

function abandoned(entry: AnySession, isLast: boolean, looks: Looks, nowMs: number): string | null {
  const { workspace, updatedAtMs } = entry;
  if (workspace === null || hasProcess(entry)) return null;
  const look = looks.get(workspace.path);
  if (look?.isGone) return goneReason;
  const days = Math.floor((nowMs - (updatedAtMs ?? nowMs)) / 86_400_000);
  const worktree = look?.worktree ?? null;
  if (!isLast || worktree === null || days < limits.abandonedDays) return null;
  const left = leftBehind(worktree.changedFiles, worktree.unpushed ?? 0);
  return left === null ? null : `${left}, not touched for ${days} d`;
}

function leftBehind(changedFiles: number, unpushed: number): string | null {
  const parts = [
    changedFiles > 0 ? counted(changedFiles, "changed file") : "",
    unpushed > 0 ? `${counted(unpushed, "commit")} not pushed` : "",
  ];
  return parts.some(Boolean) ? parts.filter(Boolean).join(" and ") : null;
}
