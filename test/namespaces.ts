// Shells in a pid namespace of their own, as in a container: at a terminal of a test's tmux, which is outside.

import { spawnSync } from "node:child_process";
import { paneVariables, type TestHome } from "./home.js";

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
