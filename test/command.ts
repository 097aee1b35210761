// Runs the built command the way a person's shell does.

import { fileURLToPath } from "node:url";
import { ask, type TestLimits } from "./commands/client.js";
import type { TestHome } from "./home.js";

export const mainProgram = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
export const demoAgent = fileURLToPath(new URL("../dist/demo-agent.js", import.meta.url));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  /** Less patience, where the test waits for something that never comes. */
  limits?: TestLimits;
}

export function hivemind(home: TestHome, args: readonly string[], options: RunOptions = {}): Ran {
  const env = { ...home.env, ...options.env };
  const cwd = options.cwd ?? home.work;
  const { input = "", limits = {} } = options;
  return ask({ args, env, cwd, input, program: mainProgram, limits });
}

/** Of a command that must succeed. */
export function json<T = Record<string, unknown>>(home: TestHome, args: readonly string[]): T {
  const { code, stdout, stderr } = hivemind(home, [...args, "--json"]);
  if (code !== 0) throw new Error(`hivemind ${args.join(" ")}: exit ${code}: ${stderr}`);
  const value = JSON.parse(stdout);
  if (value.version !== 1) throw new Error(`hivemind ${args.join(" ")}: no "version": 1`);
  return value;
}

/** A tmux session with so many panes, each a quiet program. */
export function tmuxTeam(home: TestHome, team: string, panes = 1): void {
  home.tmux("new-session", "-d", "-x", "200", "-y", "50", "-s", team, "cat");
  for (let count = 1; count < panes; count++) {
    home.tmux("split-window", "-d", "-t", `=${team}:`, "cat");
    home.tmux("select-layout", "-t", `=${team}:`, "tiled");
  }
}
