// What git says of a folder: the branch, what is changed and not committed, what is committed and not pushed.
//
// [GW1] One spawn a folder; it takes no lock, writes nothing, runs no hook, pager or monitor, and asks nobody.
// [GW2] Nobody waits long: after `gitMs` a folder that did not answer is unknown, which is never "clean".
// [GW3] A folder outside of any repository, or a machine without git, is null: there is nothing to say. Only a folder
//       that is not there is gone.

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";

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

export interface GitOptions {
  env: NodeJS.ProcessEnv;
  timeoutMs?: number;
  /** Ends all that still run: the answer is `unknown` then. */
  signal?: AbortSignal;
}

export async function lookAtWorktree(folder: string, options: GitOptions): Promise<WorktreeLook> {
  try {
    statSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const isGone = code === "ENOENT" || code === "ENOTDIR";
    return { worktree: null, unknown: isGone ? null : (error as Error).message, isGone };
  }
  const { text, exitCode, failure } = await runGit(statusArguments(folder), options);
  const worktree = failure === null && exitCode === 0 ? parseStatus(text) : null;
  return { worktree, unknown: failure, isGone: false };
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
export function parseStatus(text: string): Worktree {
  const found: Worktree = { branch: null, changedFiles: 0, unpushed: null };
  const records = text.split("\0");
  for (let at = 0; at < records.length; at++) {
    const record = records[at]!;
    const header = /^# branch\.(head|ab) (.*)$/s.exec(record);
    if (header?.[1] === "head") found.branch = header[2] === "(detached)" ? null : header[2]!;
    if (header?.[1] === "ab") found.unpushed = Number(/^\+(\d+)/.exec(header[2]!)?.[1] ?? 0);
    if (!/^[12u?] /.test(record)) continue;
    found.changedFiles++;
    // A renamed file has its former name in a record of its own.
    if (record.startsWith("2 ")) at++;
  }
  return found;
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

interface Answer {
  text: string;
  exitCode: number | null;
  failure: string | null;
}

function runGit(args: readonly string[], { env, timeoutMs = limits.gitMs, signal }: GitOptions) {
  return new Promise<Answer>((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const child = spawn("git", args, { env: cleared(env), stdio: ["ignore", "pipe", "ignore"] });
    const finish = (answer: Answer) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(answer);
    };
    // Something that git started may hold its output open: nobody waits for that.
    const give = (failure: string) => {
      child.kill("SIGKILL");
      child.stdout.destroy();
      finish({ text: "", exitCode: null, failure });
    };
    const stop = () => give("git was not waited for");
    const timer = setTimeout(() => give(`git took longer than ${timeoutMs} ms`), timeoutMs);
    // Without git there is nothing to know.
    child.on("error", () => finish({ text: "", exitCode: null, failure: null }));
    child.stdout.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.gitOutputBytes) give("git said more than can be read");
      else chunks.push(chunk);
    });
    child.on("close", (exitCode) => {
      finish({ text: Buffer.concat(chunks).toString("utf8"), exitCode, failure: null });
    });
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** A hook that calls us has variables about its own repository in its environment. */
function cleared(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(own), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
}
