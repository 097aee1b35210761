// Which worktrees a repository has, and where the one of a branch stands or would stand.
//
// [GT1] A branch has its worktree in `<repository>.worktrees/<branch>`, beside the repository that its folder belongs to,
//       whichever of its worktrees that folder lies in.
// [GT2] A branch that is checked out anywhere else is not taken from there; neither is a folder that is something else.
// [GT5] A worktree that git is still making, or was broken off at, is not there yet: a git that is not done takes the folder
//       away again when it fails, with all that is in it.

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { shellWord } from "../base/shell-word.js";
import { type GitOptions, runGit } from "./run.js";

export interface WorktreePlace {
  /** The repository itself: its first worktree. */
  repository: string;
  branch: string;
  path: string;
  /** The same place in it as the folder that was asked about has in its own worktree. */
  folder: string;
  /**
   * `make`: it is not there yet. `again`: git knows of one there, and its folder is gone. `unfinished`: git is still making
   * it, or was broken off.
   */
  is: "there" | "make" | "again" | "unfinished";
}

/** The place, or why there can be none. */
export async function worktreePlace(
  folder: string,
  branch: string,
  options: GitOptions,
): Promise<WorktreePlace | string> {
  const top = await ask(folder, ["rev-parse", "--show-toplevel"], options);
  if ("why" in top) return `${folder} is in no repository of git: ${top.why}`;
  const listed = await ask(folder, ["worktree", "list", "--porcelain", "-z"], options);
  if ("why" in listed) return listed.why;
  const worktrees = parseWorktrees(listed.text);
  const place = placeIn(worktrees, { branch, within: relative(top.text.trim(), folder) }, existsSync);
  if (typeof place === "string" || place.is === "there" || !isUnborn(worktrees[0]!.head)) return place;
  const known = await ask(folder, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], options);
  if ("text" in known) return place;
  return `${place.repository} has no commits yet, and a worktree begins at one; make a first commit there`;
}

/** git lists a branch without a commit with zeros in place of one. */
function isUnborn(head: string | null): boolean {
  return head === null || /^0+$/.test(head);
}

export function placeIn(
  worktrees: readonly ListedWorktree[],
  { branch, within }: { branch: string; within: string },
  isThere: (path: string) => boolean,
): WorktreePlace | string {
  const [main] = worktrees;
  if (main === undefined || main.isBare) return "its repository has no worktree of its own";
  const path = join(`${main.path}.worktrees`, branch);
  const elsewhere = worktrees.find((each) => each.branch === branch && each.path !== path);
  if (elsewhere !== undefined) return `the branch ${branch} is checked out in ${elsewhere.path}`;
  const place = { repository: main.path, branch, path, folder: join(path, within) };
  const known = worktrees.find((each) => each.path === path);
  if (known === undefined)
    return isThere(path) ? `${path} is there, and no worktree` : { ...place, is: "make" };
  if (known.isUnfinished) return { ...place, is: "unfinished" };
  if (!isThere(path)) return { ...place, is: "again" };
  if (known.branch !== branch) return `${path} has ${known.branch ?? "no branch"} checked out, not ${branch}`;
  return { ...place, is: "there" };
}

export interface ListedWorktree {
  path: string;
  /** Null when no branch is checked out. */
  branch: string | null;
  head: string | null;
  isBare: boolean;
  /** git locks what it is making, and says so in the reason. */
  isUnfinished: boolean;
}

/** Of `git worktree list --porcelain -z`: the repository's own first. */
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

/** Of a worktree that is not finished: why it is no use, and what takes it away. */
export function unfinished({ repository, path }: WorktreePlace): { why: string; hint: string } {
  return {
    why: `the worktree ${path} is still being made, or was broken off`,
    hint: `git -C ${shellWord(repository)} worktree remove -f -f ${shellWord(path)}`,
  };
}

/** What git answers of a folder, or its own words why it does not. */
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
  const said = complaint.split("\n").find((line) => /^(?:fatal|error): /.test(line)) ?? complaint.trim();
  return { why: failure ?? (exitCode === null ? "there is no git" : said.replace(/^(?:fatal|error): /, "")) };
}
