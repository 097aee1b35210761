// One run of git: by argv, without a shell, bounded in time and in what it says.

import { spawn } from "node:child_process";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";

export interface GitOptions {
  env: NodeJS.ProcessEnv;
  timeoutMs?: number;
  /** Ends all that still run: the answer is a failure then. */
  signal?: AbortSignal;
}

export interface GitAnswer {
  text: string;
  /** What it said beside its answer, in the language of programs. */
  complaint: string;
  /** Null when it did not come to its end, and on a machine without git. */
  exitCode: number | null;
  /** Why it did not come to its end; null also on a machine without git. */
  failure: string | null;
}

export function runGit(
  args: readonly string[],
  { env, timeoutMs = limits.gitMs, signal }: GitOptions,
): Promise<GitAnswer> {
  return new Promise<GitAnswer>((resolve) => {
    const said: Record<"out" | "beside", Buffer[]> = { out: [], beside: [] };
    let sizeBytes = 0;
    const child = spawn("git", args, { env: cleared(env), stdio: ["ignore", "pipe", "pipe"] });
    const nothing = { text: "", complaint: "", exitCode: null };
    const finish = (answer: GitAnswer) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(answer);
    };
    // Something that git started may hold its output open: nobody waits for that.
    const give = (failure: string) => {
      child.kill("SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      finish({ ...nothing, failure });
    };
    const stop = () => give("git was not waited for");
    const timer = setTimeout(() => give(`git took longer than ${timeoutMs} ms`), timeoutMs);
    // Without git there is nothing to know.
    child.on("error", (error) => {
      const code = errorCode(error);
      finish({ ...nothing, failure: code === "ENOENT" ? null : `git could not be started: ${code}` });
    });
    const hear = (into: Buffer[]) => (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.gitOutputBytes) give("git said more than can be read");
      else into.push(chunk);
    };
    child.stdout.on("data", hear(said.out));
    child.stderr.on("data", hear(said.beside));
    child.on("close", (exitCode, endedBy) => {
      const [text, complaint] = [said.out, said.beside].map((each) => Buffer.concat(each).toString("utf8"));
      const failure = endedBy === null ? null : `git was ended by ${endedBy}`;
      finish({ text: text!, complaint: complaint!, exitCode, failure });
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
