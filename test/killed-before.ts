// Runs the built command and kills it with -9 right before one of its changing operations: a tmux command that changes
// something, or a file that is put in place or removed. Locks have tests of their own.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { atTerminal } from "./at-terminal.js";
import { mainProgram } from "./command.js";
import type { TestHome } from "./home.js";

/** False when it ended before it came to that many. */
export function killedBefore(home: TestHome, operation: number, args: readonly string[]): boolean {
  const killer = join(home.root, "killer.cjs");
  writeFileSync(killer, `(${kill.toString()})(require, ${operation}, ${JSON.stringify(looks)});\n`);
  const [shell, words] = atTerminal([process.execPath, "--require", killer, mainProgram, ...args]);
  const { status } = spawnSync(shell, words, { env: home.env, cwd: home.work, timeout: 60_000 });
  return status === 128 + constants.signals.SIGKILL;
}

const looks = ["list-panes", "display-message", "capture-pane", "show-options", "run-shell"];

/** Runs in the command's own process, before its first line. */
function kill(load: NodeJS.Require, operation: number, only: readonly string[]): void {
  const fs = load("node:fs");
  const programs = load("node:child_process");
  let passed = 0;
  const before = (target: Record<string, unknown>, name: string, isOne: (args: unknown[]) => boolean) => {
    const real = target[name] as (...args: unknown[]) => unknown;
    target[name] = (...args: unknown[]) => {
      if (isOne(args) && ++passed === operation) process.kill(process.pid, "SIGKILL");
      return real(...args);
    };
  };
  before(fs, "renameSync", () => true);
  before(fs, "unlinkSync", ([path]) => !/lock/.test(String(path)));
  before(programs, "spawn", ([program, argv]) => {
    // Options come first, each with a value but -u.
    const verb = (argv as string[]).find(
      (word, at, all) => at > 0 && /^[a-z]+-[a-z]+$/.test(word) && all[at - 1] !== "-S",
    );
    return program === "tmux" && verb !== undefined && !only.includes(verb);
  });
}
