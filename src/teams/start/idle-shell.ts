// Tells whether only a shell runs in a pane.

import type { ProcessInfo } from "../../base/system/process.js";
import { readTrees } from "../../base/system/processes.js";
import type { FleetPane } from "../../fleet/panes.js";

/** Only shells, possibly nested, and none of them runs a script or a given line. */
export function isIdleShell({ pid, tty, dead }: FleetPane): boolean {
  if (dead) return false;
  const tree = readTrees([{ pid, tty }]).treeOf(pid);
  const isIdle = ({ command, args }: ProcessInfo) =>
    shells.has(command) && args.slice(1).every((word) => /^-[^c]*$/.test(word));
  return tree.length > 0 && tree.every(isIdle);
}

const shells = new Set(["sh", "bash", "zsh", "fish", "dash", "ksh", "csh", "tcsh"]);
