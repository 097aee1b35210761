// What git says of a folder: the branch, what is changed and not committed, what is committed and not pushed.
//
// [GW1] One spawn a folder; it takes no lock, writes nothing, runs no hook, pager or monitor, and asks nobody.
// [GW2] Nobody waits long: after `gitMs` a folder that did not answer is unknown, which is never "clean". So is one whose git
//       was ended by somebody: that is no machine without git.
// [GW3] A folder outside of any repository, or a machine without git, is null: there is nothing to say. Only a folder
//       that is not there is gone.
// [GW5] The sessions that claw keeps in a workspace are no change of it: untracked files in `.claw/`, and whatever lies in
//       `.claw/sessions/`. Before a worktree is removed they count, because they would be lost.
// [GW4] Where no folder above has a `.git`, git is not asked: it would look for nothing else.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";
import { type GitOptions, runGit } from "./run.js";

export interface Worktree {
  /** Null when no branch is checked out. */
  branch: string | null;
  /** Changed, added, removed or not tracked; a folder of untracked files counts once. */
  changedFiles: number;
  /** Commits that its upstream does not have; null without an upstream. */
  unpushed: number | null;
}

export interface WorktreeLook {
  worktree: Worktree | null;
  /** Why nothing is known, where something should be. */
  unknown: string | null;
  isGone: boolean;
}

export interface Counted {
  hasClawFiles?: boolean;
}

export async function lookAtWorktree(
  folder: string,
  options: GitOptions,
  counted: Counted = {},
): Promise<WorktreeLook> {
  try {
    statSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const isGone = code === "ENOENT" || code === "ENOTDIR";
    return { worktree: null, unknown: isGone ? null : (error as Error).message, isGone };
  }
  if (!isInRepository(folder)) return { worktree: null, unknown: null, isGone: false };
  const { text, exitCode, failure } = await runGit(statusArguments(folder), options);
  const worktree = failure === null && exitCode === 0 ? parseStatus(text, counted) : null;
  return { worktree, unknown: failure, isGone: false };
}

/** What lies in it and git is told to ignore, a folder of such things once; null where git does not tell. */
export async function lookAtIgnored(
  folder: string,
  options: GitOptions,
): Promise<{ ignored: string[] | null; unknown: string | null }> {
  const asked = [...statusArguments(folder), "--ignored=matching"];
  const { text, exitCode, failure } = await runGit(asked, options);
  const records = failure === null && exitCode === 0 ? text.split("\0") : null;
  const ignored = records?.flatMap((record) => (record.startsWith("! ") ? record.slice(2) : [])) ?? null;
  return { ignored, unknown: failure };
}

/** Some at a time; the whole takes no longer than `gitAllMs`. */
export async function lookAtWorktrees(
  folders: readonly string[],
  { env }: Pick<GitOptions, "env">,
): Promise<ReadonlyMap<string, WorktreeLook>> {
  const looks = new Map<string, WorktreeLook>();
  const left = new Set(folders).values();
  const signal = AbortSignal.timeout(limits.gitAllMs);
  const worker = async () => {
    for (const folder of left) looks.set(folder, await lookAtWorktree(folder, { env, signal }));
  };
  await Promise.all(Array.from({ length: limits.gitAtOnce }, worker));
  return looks;
}

/** Of `git status --porcelain=v2 --branch -z`. */
export function parseStatus(text: string, { hasClawFiles = false }: Counted = {}): Worktree {
  const found: Worktree = { branch: null, changedFiles: 0, unpushed: null };
  const records = text.split("\0");
  for (let at = 0; at < records.length; at++) {
    const record = records[at]!;
    const header = /^# branch\.(head|ab) (.*)$/s.exec(record);
    if (header?.[1] === "head") found.branch = header[2] === "(detached)" ? null : header[2]!;
    if (header?.[1] === "ab") found.unpushed = Number(/^\+(\d+)/.exec(header[2]!)?.[1] ?? 0);
    if (!/^[12u?] /.test(record)) continue;
    if (hasClawFiles || !isOfClaw(record)) found.changedFiles++;
    // A renamed file has its former name in a record of its own.
    if (record.startsWith("2 ")) at++;
  }
  return found;
}

/** What somebody tracked in `.claw/` beside the sessions, such as its settings, is work. */
function isOfClaw(record: string): boolean {
  if (record.startsWith("? ")) return /^\? (?:.*\/)?\.claw\//s.test(record);
  const fields = { "1": 8, "2": 9, u: 10 }[record[0]!] ?? 0;
  const path = record.split(" ").slice(fields).join(" ");
  return /(?:^|\/)\.claw\/sessions\//s.test(path);
}

/** It is a file in a linked worktree. */
function isInRepository(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, ".git")) || (above !== folder && isInRepository(above));
}

function statusArguments(folder: string): string[] {
  const off = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=keep"];
  const settings = off.flatMap((setting) => ["-c", setting]);
  const quiet = ["--no-pager", "-C", folder, ...settings];
  const wanted = [
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=dirty",
  ];
  return [...quiet, "status", ...wanted];
}
