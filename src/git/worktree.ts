// The state of a folder in git: its branch, uncommitted changes and unpushed commits.
//
// - One spawn per folder. It takes no lock, writes nothing, runs no hook, pager or monitor, and prompts nobody.
// - A folder that does not answer within `gitMs` is unknown, never "clean". So is one whose git process was killed.
// - A folder outside any repository, or a machine without git, gives null. Only a missing folder is gone.
// - claw's sessions are no change: untracked files in `.claw/`, and everything in `.claw/sessions/`. But before a
//   worktree is removed they count, because they would be lost.
// - If no parent folder has a `.git`, git is not run: it would search for nothing else.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";
import { type GitOptions, runGit } from "./run.js";

export interface Worktree {
  /** Null if no branch is checked out. */
  branch: string | null;
  /** Changed, added, removed or untracked; a folder of untracked files counts once. */
  changedFiles: number;
  /** Commits that its upstream does not have; null without an upstream. */
  unpushed: number | null;
}

export interface WorktreeLook {
  worktree: Worktree | null;
  /** Why the state is unknown although there should be one. */
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

/** The ignored files in it, a folder of them once; null if git cannot tell. */
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

/** A few at a time; all together take at most `gitAllMs`. */
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

/** Parses `git status --porcelain=v2 --branch -z`. */
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
    // A renamed file has its old name in a separate record.
    if (record.startsWith("2 ")) at++;
  }
  return found;
}

/** Tracked files in `.claw/` besides the sessions, such as settings, are work. */
function isOfClaw(record: string): boolean {
  if (record.startsWith("? ")) return /^\? (?:.*\/)?\.claw\//s.test(record);
  const fields = { "1": 8, "2": 9, u: 10 }[record[0]!] ?? 0;
  const path = record.split(" ").slice(fields).join(" ");
  return /(?:^|\/)\.claw\/sessions\//s.test(path);
}

/** In a linked worktree `.git` is a file. */
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
