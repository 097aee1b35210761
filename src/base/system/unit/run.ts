// Runs the program of a service manager, and returns what it says.

import { execFile } from "node:child_process";
import { limits } from "../../../limits.js";
import { errorCode } from "../../errors.js";

export interface Said {
  isWell: boolean;
  stdout: string;
  /** Why it failed, in one line. */
  why: string;
}

export function runManager(env: NodeJS.ProcessEnv, program: string, args: readonly string[]): Promise<Said> {
  const options = {
    env: { ...env, LC_ALL: "C" },
    encoding: "utf8",
    timeout: limits.unitMs,
    killSignal: "SIGKILL",
  } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const [first] = stderr.split("\n").filter((line) => line.trim() !== "");
      resolve({ isWell: error === null, stdout, why: first ?? whyFailed(program, error) });
    }).stdin?.end();
  });
}

function whyFailed(program: string, error: Error | null): string {
  if (errorCode(error) === "ENOENT") return `there is no ${program} here`;
  if (error !== null && "killed" in error && error.killed) return `${program} does not answer`;
  return `${program} failed`;
}
