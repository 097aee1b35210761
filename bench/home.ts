// A throw-away home for measurements: its own HOME, config, client folder, cache and tmux server.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Timed } from "./used.js";

export const main = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
export const demoAgent = fileURLToPath(new URL("../dist/demo-agent.js", import.meta.url));
export const node = process.execPath;

export interface BenchHome {
  root: string;
  env: Record<string, string>;
  /** Runs tmux on the server of this home. */
  tmux(...args: string[]): string;
  /** A command of hivemind. */
  hivemind(...args: string[]): Timed;
  /** Ends the tmux server and removes all files. */
  remove(): void;
}

export function makeBenchHome(name: string): BenchHome {
  const root = mkdtempSync(join(tmpdir(), `hm-${name}-`));
  const socket = join(root, "tmux");
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: root,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    HIVEMIND_CONFIG_DIR: join(root, "config"),
    HIVEMIND_TMUX_SOCKET: socket,
    CLAUDE_CONFIG_DIR: join(root, "claude"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  mkdirSync(env.HIVEMIND_CONFIG_DIR);
  mkdirSync(join(env.CLAUDE_CONFIG_DIR, "sessions"), { recursive: true });
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...args], {
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
  return {
    ...{ root, env, tmux },
    hivemind: (...args) => ({ program: node, args: [main, ...args], env, cwd: root }),
    remove() {
      try {
        tmux("kill-server");
      } catch {
        // It never started, or has ended.
      }
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
