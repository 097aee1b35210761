// Runs the built command like `test/command.ts`, and reports its peak memory.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mainProgram, type Ran } from "../command.js";
import type { TestHome } from "../home.js";

export interface BoundedRun extends Ran {
  megabytes: number;
}

/** Generous: a command that takes longer counts as hung. */
const longestMs = 50_000;

/** Several may run at the same time. */
export function bounded(
  home: TestHome,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<BoundedRun> {
  // One file per run: a concurrent run could read a rewritten file half.
  const told = join(home.root, `peak-${++runs}`);
  const preload = `${told}.cjs`;
  writeFileSync(preload, tellPeak);
  const argv = ["--require", preload, mainProgram, ...args];
  const child = spawn(process.execPath, argv, {
    env: { ...home.env, PEAK_FILE: told, ...env },
    cwd: home.work,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestMs,
    killSignal: "SIGKILL",
  });
  const parts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (parts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (parts.stderr += text));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const megabytes = code === null ? Number.NaN : Number(readFileSync(told, "utf8"));
      resolve({ code, ...parts, megabytes });
    });
  });
}

let runs = 0;

const tellPeak = `process.on("exit", () => {
  require("node:fs").writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS / 1024));
});`;
