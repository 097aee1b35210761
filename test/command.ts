// Runs the built command the way a person's shell does.

import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
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
}

export function hivemind(home: TestHome, args: readonly string[], options: RunOptions = {}): Ran {
  const spawned: SpawnSyncOptions = { env: { ...home.env, ...options.env }, cwd: options.cwd ?? home.work };
  const { status, stdout, stderr } = spawnSync(process.execPath, [mainProgram, ...args], {
    ...spawned,
    input: options.input ?? "",
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: status, stdout, stderr };
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
