// Shells in a pid namespace of their own, as in a container: at a terminal of a test's tmux, which is outside.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { onTestFinished } from "vitest";
import { findProcess, innerProcess, readTrees } from "../src/base/system/processes.js";
import { paneVariables, type TestHome, until } from "./home.js";

/** Why no test can make a pid namespace here; null if it can. It is printed, so that no such test is left out silently. */
export const whyNoNamespace: string | null = (() => {
  const { status, error, stderr } = spawnSync("unshare", ["-pf", "--mount-proc", "true"], {
    encoding: "utf8",
  });
  if (status === 0) return null;
  const why = `NOT TESTED: this machine makes no pid namespaces: ${error?.message ?? stderr}`;
  console.error(why);
  return why;
})();

/** The namespace ends with the program that made it. */
export const inNamespace = ["unshare", "-pf", "--mount-proc", "--kill-child"] as const;

export interface InnerShell {
  pane: string;
  /** Types a line, and Enter. */
  type(line: string): void;
  screen(): string;
}

/**
 * An interactive shell that is process 1. `isLeader`: it is the leader of its session too, as the first program of a
 * container; otherwise its leader is outside.
 */
export function innerShell(home: TestHome, { isLeader }: { isLeader: boolean }): InnerShell {
  const env = { ...home.env, PS1: "inside$ " };
  const shell = [...(isLeader ? ["setsid", "-c"] : []), "bash", "--norc", "--noprofile"];
  const program = ["env", "-u", "TMUX", "-u", "TMUX_PANE", ...inNamespace, ...shell];
  const options = [
    "-dP",
    "-F",
    "#{pane_id}",
    "-x",
    "130",
    "-y",
    "36",
    "-c",
    home.work,
    ...paneVariables(env),
  ];
  const pane = home.tmux("new-session", ...options, ...program).trim();
  return {
    pane,
    type: (line) => void home.tmux("send-keys", "-t", pane, line, "Enter"),
    screen: () => home.tmux("capture-pane", "-p", "-t", pane),
  };
}

export interface ProgramInside {
  pane: string;
  /** Its pid outside. */
  pid: number;
  screen(): string;
  /** Literal text, without Enter. */
  type(text: string): void;
  press(...keys: string[]): void;
  isAlive(): boolean;
}

/** A client that is process 1 of a namespace of its own, in a pane of the tmux outside. It ends with the test. */
export async function programInside(
  home: TestHome,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = home.work,
): Promise<ProgramInside> {
  const start = existsSync(home.socket)
    ? ["split-window", "-t", "=team:"]
    : ["new-session", "-s", "team", "-x", "160", "-y", "50"];
  const options = ["-dP", "-F", "#{pane_id} #{pane_pid} #{pane_tty}", "-c", cwd, ...paneVariables(env)];
  const keep = [";", "set-option", "-g", "remain-on-exit", "on"];
  const made = home.tmux(...start, ...options, ...inNamespace, ...words, ...keep).trim();
  const [pane, root, tty] = made.split(" ") as [string, string, string];
  const screen = () => home.tmux("capture-pane", "-p", "-t", pane);
  const isIt = (args: readonly string[]) => args.length > 0 && args.at(-1) === words.at(-1);
  const { pid, startTicks } = await until("it is process 1", () =>
    readTrees([{ pid: Number(root), tty }])
      .treeOf(Number(root))
      .find((each) => isIt(each.args) && innerProcess(each)?.pid === 1),
  );
  const isAlive = () => findProcess(pid)?.startTicks === startTicks;
  onTestFinished(() => {
    if (isAlive()) process.kill(pid, "SIGKILL");
  });
  await until("it shows its box", () => /❯/.test(screen()));
  return {
    ...{ pane, pid, screen, isAlive },
    type: (text) => void home.tmux("send-keys", "-t", pane, "-l", "--", text),
    press: (...keys) => void home.tmux("send-keys", "-t", pane, ...keys),
  };
}
