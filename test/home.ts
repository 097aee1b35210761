// A home of its own for each test: nothing a test starts can see the real home, tmux server or config.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readProcStat } from "../src/base/system/proc-stat.js";
import { runSmall } from "./small-parent.js";

export interface TestHome {
  /** The folder everything below lies in; removed when the test ends. */
  root: string;
  home: string;
  config: string;
  claude: string;
  /** Where agents of the test work. */
  work: string;
  socket: string;
  /** The whole environment for a child process: nothing is inherited but PATH. */
  env: Record<string, string>;
  /** Runs the real tmux on this home's private socket. */
  tmux(...args: string[]): string;
}

/** Made for the running test, and taken away with it, its tmux server included. */
export function testHome(): TestHome {
  const made = makeHome();
  onTestFinished(() => removeHome(made));
  return made;
}

/** For a suite that shares one home: call `removeHome` in `afterAll`. */
export function makeHome(): TestHome {
  const root = mkdtempSync(join(tmpdir(), "hm-"));
  const folder = (name: string) => {
    const path = join(root, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  };
  const home = folder("home");
  const claude = folder("claude");
  const work = folder("work");
  const socket = join(root, "tmux.sock");
  const config = join(home, "config");
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    TMPDIR: folder("tmp"),
    XDG_CACHE_HOME: folder("cache"),
    SCREENDIR: folder("screen"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    HIVEMIND_CONFIG_DIR: config,
    HIVEMIND_TMUX_SOCKET: socket,
    CLAUDE_CONFIG_DIR: claude,
  };
  const run = (...args: string[]) => runSmall(["tmux", "-u", "-S", socket, "-f", "/dev/null", ...args], env);
  const tmux = (...args: string[]) =>
    args[0] === "kill-server" && args.length === 1 ? endServer(run) : run(...args);
  return { root, home, config, claude, work, socket, env, tmux };
}

/** tmux returns from kill-server a moment before the server is gone; a new session then meets the dying one. */
function endServer(tmux: (...args: string[]) => string): string {
  const pid = Number(tmux("display-message", "-p", "#{pid}", ";", "kill-server"));
  const isGone = () => readProcStat(pid) === null || readProcStat(pid)?.state === "Z";
  for (let tries = 10_000; tries > 0 && !isGone(); tries--) Atomics.wait(nothing, 0, 0, 2);
  return "";
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

export function removeHome({ root, tmux }: TestHome): void {
  try {
    tmux("kill-server");
  } catch {
    // No server was started, or the test ended it.
  }
  removeFolder(root);
}

/** `maxRetries` of `rmSync` does not list a folder again: what was written meanwhile stays in it. */
function removeFolder(path: string): void {
  for (let tries = 20; ; tries--) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      return;
    } catch (error) {
      if (tries === 0) throw error;
    }
  }
}

/** As tmux takes them for a new pane, which gets the server's environment otherwise. */
export function paneVariables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
}

/**
 * Waits for something to become true; never for time to pass. The rest between two looks grows with what a look costs, so
 * that a loaded machine works on what is waited for.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  timeoutMs = 30_000,
  restMs: number | null = null,
): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const begun = performance.now();
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen as NonNullable<T>;
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    const rest = restMs ?? Math.min(100, Math.max(20, 6 * (performance.now() - begun)));
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
