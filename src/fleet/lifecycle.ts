// What became of a session: whether it runs, and whether work was left behind where it was held. Pure.
//
// [LCY1] running: a process has it. idle shell: its pane is still there and its agent has ended. saved: only its file.
// [LCY2] A session is `abandoned?` when it does not run and its folder is gone; or when nobody has touched it for
//        `abandonedDays`, no other session of its folder runs or was touched since, and the worktree there has changes
//        that are not committed or commits that are not pushed. The reason is said.
// [LCY3] A worktree that could not be asked is unknown: it makes nothing dirty, clean or abandoned.

import type { WorktreeLook } from "../git/worktree.js";
import { limits } from "../limits.js";
import { type AnySession, hasProcess, type SessionFacts } from "./session-list.js";

export type Lifecycle = "running" | "idle shell" | "saved";

export interface Fate {
  lifecycle: Lifecycle;
  /** Why it may be abandoned; null where nothing says so. */
  abandoned: string | null;
}

export const goneReason = "its folder is gone";

/** By the path of a workspace. */
export type Looks = ReadonlyMap<string, WorktreeLook>;

export function lifecycleOf(entry: SessionFacts): Lifecycle {
  if (hasProcess(entry)) return "running";
  return entry.panes.length > 0 ? "idle shell" : "saved";
}

/** `all` are the sessions of every workspace that `looks` are about, so that a later one can be seen. */
export function fatesOf(
  all: readonly AnySession[],
  looks: Looks,
  nowMs: number,
): ReadonlyMap<AnySession, Fate> {
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

/** One that runs is later than any that does not. */
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
    changedFiles > 0 ? `${changedFiles} changed file${changedFiles === 1 ? "" : "s"}` : "",
    unpushed > 0 ? `${unpushed} commit${unpushed === 1 ? "" : "s"} not pushed` : "",
  ];
  return parts.some(Boolean) ? parts.filter(Boolean).join(" and ") : null;
}
