// Runs git once: by argv, without a shell, with limits on time and output.

import { spawn } from "node:child_process";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";

export interface GitOptions {
  env: NodeJS.ProcessEnv;
  timeoutMs?: number;
  /** Ends all running git processes; their result is a failure. */
  signal?: AbortSignal;
}

export interface GitAnswer {
  text: string;
  /** Its stderr, in the C locale. */
  complaint: string;
  /** Null if it did not finish, or if git is not installed. */
  exitCode: number | null;
  /** Why it did not finish; null if git is not installed. */
  failure: string | null;
}

export function runGit(
  args: readonly string[],
  { env, timeoutMs = limits.gitMs, signal }: GitOptions,
): Promise<GitAnswer> {
  return new Promise<GitAnswer>((resolve) => {
    const output: Record<"out" | "errors", Buffer[]> = { out: [], errors: [] };
    let sizeBytes = 0;
    const child = spawn("git", args, { env: cleared(env), stdio: ["ignore", "pipe", "pipe"] });
    const nothing = { text: "", complaint: "", exitCode: null };
    const finish = (answer: GitAnswer) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(answer);
    };
    // A child of git may keep the output open, so it is closed here.
    const fail = (failure: string) => {
      child.kill("SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      finish({ ...nothing, failure });
    };
    const stop = () => fail("git was stopped");
    const timer = setTimeout(() => fail(`git took longer than ${timeoutMs} ms`), timeoutMs);
    // If git is not installed, there is nothing to report.
    child.on("error", (error) => {
      const code = errorCode(error);
      finish({ ...nothing, failure: code === "ENOENT" ? null : `git could not be started: ${code}` });
    });
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.gitOutputBytes) fail("git printed too much");
      else into.push(chunk);
    };
    child.stdout.on("data", collect(output.out));
    child.stderr.on("data", collect(output.errors));
    child.on("close", (exitCode, endedBy) => {
      const [text, complaint] = [output.out, output.errors].map((each) =>
        Buffer.concat(each).toString("utf8"),
      );
      const failure = endedBy === null ? null : `git was ended by ${endedBy}`;
      finish({ text: text!, complaint: complaint!, exitCode, failure });
    });
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** A git hook that calls us has variables about its own repository in its environment. */
function cleared(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(own), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
}
