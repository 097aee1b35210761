// The worktrees of a repository, and where the worktree of a branch is or would be.
//
// - The worktree of a branch is `<repository>.worktrees/<branch>`, beside the repository, from any of its worktrees.
// - A branch that is checked out elsewhere stays there. A folder that is not a worktree is left alone.
// - A worktree that git is still creating, or whose creation was interrupted, does not count yet: if a running git
//   fails, it deletes the folder with everything in it.

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { shellWord } from "../base/text/shell-word.js";
import { type GitOptions, runGit } from "./run.js";

export interface WorktreePlace {
  /** The repository itself: its first worktree. */
  repository: string;
  branch: string;
  path: string;
  /** The same subfolder in it as the given folder has in its own worktree. */
  folder: string;
  /**
   * `make`: it does not exist yet. `again`: git knows it, but its folder is gone. `unfinished`: git is still
   * creating it, or was interrupted.
   */
  is: "there" | "make" | "again" | "unfinished";
}

/** The place, or why there is none. */
export async function worktreePlace(
  folder: string,
  branch: string,
  options: GitOptions,
): Promise<WorktreePlace | string> {
  const top = await ask(folder, ["rev-parse", "--show-toplevel"], options);
  if ("why" in top) return `${folder} is not in a git repository: ${top.why}`;
  const listed = await ask(folder, ["worktree", "list", "--porcelain", "-z"], options);
  if ("why" in listed) return listed.why;
  const worktrees = parseWorktrees(listed.text);
  const place = placeIn(worktrees, { branch, within: relative(top.text.trim(), folder) }, existsSync);
  if (typeof place === "string" || place.is === "there" || !isUnborn(worktrees[0]!.head)) return place;
  const known = await ask(folder, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], options);
  if ("text" in known) return place;
  return `${place.repository} has no commits yet, and a worktree needs one; make a first commit there`;
}

/** For a branch without a commit, git lists zeros instead of a hash. */
function isUnborn(head: string | null): boolean {
  return head === null || /^0+$/.test(head);
}

export function placeIn(
  worktrees: readonly ListedWorktree[],
  { branch, within }: { branch: string; within: string },
  isThere: (path: string) => boolean,
): WorktreePlace | string {
  const [main] = worktrees;
  if (main === undefined || main.isBare) return "its repository has no main worktree";
  const path = join(`${main.path}.worktrees`, branch);
  const elsewhere = worktrees.find((each) => each.branch === branch && each.path !== path);
  if (elsewhere !== undefined) return `the branch ${branch} is checked out in ${elsewhere.path}`;
  const place = { repository: main.path, branch, path, folder: join(path, within) };
  const known = worktrees.find((each) => each.path === path);
  if (known === undefined)
    return isThere(path) ? `${path} exists and is not a worktree` : { ...place, is: "make" };
  if (known.isUnfinished) return { ...place, is: "unfinished" };
  if (!isThere(path)) return { ...place, is: "again" };
  if (known.branch !== branch) return `${path} has ${known.branch ?? "no branch"} checked out, not ${branch}`;
  return { ...place, is: "there" };
}

export interface ListedWorktree {
  path: string;
  /** Null if no branch is checked out. */
  branch: string | null;
  head: string | null;
  isBare: boolean;
  /** git locks a worktree while creating it, with "initializing" as the reason. */
  isUnfinished: boolean;
}

/** Parses `git worktree list --porcelain -z`. The repository's own worktree is first. */
export function parseWorktrees(text: string): ListedWorktree[] {
  const found: ListedWorktree[] = [];
  for (const line of text.split("\0")) {
    const [, word, value] = /^(\S+)(?: (.*))?$/s.exec(line) ?? [];
    if (word === "worktree")
      found.push({ path: value ?? "", branch: null, head: null, isBare: false, isUnfinished: false });
    const last = found.at(-1);
    if (last === undefined) continue;
    if (word === "HEAD") last.head = value ?? null;
    if (word === "branch") last.branch = value?.replace(/^refs\/heads\//, "") ?? null;
    if (word === "bare") last.isBare = true;
    if (word === "locked") last.isUnfinished = value === "initializing";
  }
  return found;
}

/** For an unfinished worktree: the problem, and the command that removes it. */
export function unfinished({ repository, path }: WorktreePlace): { why: string; hint: string } {
  return {
    why: `the worktree ${path} is still being created, or was interrupted`,
    hint: `git -C ${shellWord(repository)} worktree remove -f -f ${shellWord(path)}`,
  };
}

/** git's answer for a folder, or its error message. */
export async function ask(
  folder: string,
  words: readonly string[],
  options: GitOptions,
): Promise<{ text: string } | { why: string }> {
  const { text, complaint, exitCode, failure } = await runGit(
    ["--no-pager", "-C", folder, ...words],
    options,
  );
  if (exitCode === 0) return { text };
  const message = complaint.split("\n").find((line) => /^(?:fatal|error): /.test(line)) ?? complaint.trim();
  return {
    why: failure ?? (exitCode === null ? "git is not installed" : message.replace(/^(?:fatal|error): /, "")),
  };
}
