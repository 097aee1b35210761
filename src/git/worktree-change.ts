// Creates and removes worktrees.
//
// - A new branch begins at the repository's HEAD; an existing one is checked out as it is.
// - A worktree is removed only if nothing would be lost: no changed, untracked or ignored file, and no commit that
//   is neither on a remote nor in the repository's own HEAD. If git cannot tell, it counts as work.

import { HiveError } from "../base/errors.js";
import { counted } from "../base/text/counted.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";
import type { GitOptions } from "./run.js";
import { lookAtIgnored, lookAtWorktree } from "./worktree.js";
import { ask, parseWorktrees, unfinished, type WorktreePlace } from "./worktree-list.js";

export async function addWorktree(place: WorktreePlace, options: GitOptions): Promise<void> {
  const { repository, branch, path, is } = place;
  if (is === "there") return;
  if (is === "unfinished") {
    const { why, hint } = unfinished(place);
    throw new HiveError(harmless(why), { hint });
  }
  const known = await ask(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], options);
  const checkedOut = "text" in known ? [path, branch] : ["-b", branch, path, "HEAD"];
  const words = ["worktree", "add", ...(is === "again" ? ["--force"] : []), ...checkedOut];
  const made = await ask(repository, words, { ...options, timeoutMs: limits.gitCheckoutMs });
  if ("why" in made)
    throw new HiveError(`could not create the worktree of ${harmless(branch)}: ${harmless(made.why)}`);
}

/** Why it cannot be removed; null if it is gone. */
export async function removeWorktree(
  { repository, path }: WorktreePlace,
  options: GitOptions,
): Promise<string | null> {
  const work = await workIn(repository, path, options);
  if (work !== null) return work;
  // Without --force git itself refuses if anything changed since.
  const removed = await ask(repository, ["worktree", "remove", path], {
    ...options,
    timeoutMs: limits.gitCheckoutMs,
  });
  return "why" in removed ? removed.why : null;
}

async function workIn(repository: string, path: string, options: GitOptions): Promise<string | null> {
  const { worktree, unknown } = await lookAtWorktree(path, options, { hasClawFiles: true });
  if (worktree === null) return unknown ?? "git cannot tell what is in it";
  if (worktree.changedFiles > 0) return `${counted(worktree.changedFiles, "file")} changed or untracked`;
  const ignored = await ignoredIn(repository, path, options);
  if (ignored !== null) return ignored;
  const listed = await ask(repository, ["worktree", "list", "--porcelain", "-z"], options);
  if ("why" in listed) return listed.why;
  const head = parseWorktrees(listed.text)[0]?.head ?? null;
  const merged = head === null ? [] : [head];
  const ahead = await ask(path, ["rev-list", "--count", "HEAD", "--not", "--remotes", ...merged], options);
  if ("why" in ahead) return ahead.why;
  const commits = Number(ahead.text.trim());
  return commits > 0 ? `${counted(commits, "commit")} not pushed and not merged` : null;
}

/** git itself would remove ignored files silently. */
async function ignoredIn(repository: string, path: string, options: GitOptions): Promise<string | null> {
  const { ignored, unknown } = await lookAtIgnored(path, options);
  if (ignored === null) return unknown ?? "git cannot tell what is in it";
  if (ignored.length === 0) return null;
  const names = ignored.slice(0, limits.ignoredNames).map(harmless).join(", ");
  const others = ignored.length > limits.ignoredNames ? " and others" : "";
  const remove = `git -C ${shellWord(repository)} worktree remove ${shellWord(path)}`;
  return `${ignored.length} ignored by git would be lost: ${names}${others}; to remove them anyway: ${remove}`;
}
