// Whether a pane has nothing but a shell in it.

import type { FleetPane } from "../fleet/panes.js";
import type { ProcessInfo } from "../processes/process.js";
import { readTrees } from "../processes/processes.js";

/** Nothing but shells, one inside the other, of which none runs a script or a line that it was given. */
export function isIdleShell({ pid, tty, dead }: FleetPane): boolean {
  if (dead) return false;
  const tree = readTrees([{ pid, tty }]).treeOf(pid);
  const isIdle = ({ command, args }: ProcessInfo) =>
    shells.has(command) && args.slice(1).every((word) => /^-[^c]*$/.test(word));
  return tree.length > 0 && tree.every(isIdle);
}

const shells = new Set(["sh", "bash", "zsh", "fish", "dash", "ksh", "csh", "tcsh"]);
