// Real screen sessions in a test's home, and a real terminal in front of them: a pane of a second tmux server.

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { paneVariables, removeHome, type TestHome, testHome } from "../home.js";

/** Its screen sessions and terminals end with the test. */
export function screenHome(): TestHome {
  const home = testHome();
  onTestFinished(() => endScreens(home));
  return home;
}

/** The sessions that have a socket, dead ones too: `4711.tronMon`. */
export function sockets({ env }: TestHome): string[] {
  return readdirSync(env.SCREENDIR!).sort();
}

export function pidOf(home: TestHome, name: string): number {
  const found = sockets(home).find((socket) => socket.replace(/^\d+\./, "") === name);
  if (found === undefined) throw new Error(`no screen session ${name}: ${sockets(home).join(", ")}`);
  return Number.parseInt(found, 10);
}

export function endScreens(home: TestHome): void {
  for (const socket of sockets(home)) signal(Number.parseInt(socket, 10), "SIGKILL");
  terminals(home, "kill-server");
}

/** For a suite that shares one home. */
export function removeScreenHome(home: TestHome): void {
  endScreens(home);
  removeHome(home);
}

/** A process that is already gone needs no signal. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

export interface Terminal {
  /** Its lines as a person sees them. */
  lines(): string[];
}

let opened = 0;

export function openTerminal(
  home: TestHome,
  width: number,
  height: number,
  argv: readonly string[],
): Terminal {
  const name = `terminal${opened++}`;
  const size = ["-x", String(width), "-y", String(height)];
  // A single word would go through a shell.
  const program = ["env", "-u", "TMUX", ...argv];
  terminals(home, "new-session", "-d", "-s", name, ...size, ...paneVariables(home.env), "--", ...program);
  terminals(home, "set-option", "-t", `=${name}:`, "status", "off");
  return { lines: () => terminals(home, "capture-pane", "-p", "-t", `=${name}:`).split("\n") };
}

function terminals({ root, env }: TestHome, ...args: string[]): string {
  const argv = ["-u", "-S", join(root, "terminals.sock"), "-f", "/dev/null", ...args];
  try {
    return execFileSync("tmux", argv, { env, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    // No terminal was ever opened.
    if (args[0] === "kill-server") return "";
    throw error;
  }
}
