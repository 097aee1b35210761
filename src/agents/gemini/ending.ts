// Which processes must be signalled so that a conversation really ends.
//
// - The first process ignores SIGHUP, SIGINT and SIGTERM: it waits for the second one. A signal to it changes nothing.
// - The second process ignores the hang-up of its terminal when tmux closes the pane. It goes on without a terminal
//   and still holds the conversation.
// - SIGTERM to the second one ends both within a second. SIGKILL to either ends both.
// - So: SIGTERM to the second, then SIGKILL to it if it lives on, then SIGKILL to the first.

import type { ProcessInfo } from "../../base/system/process.js";
import type { EndStep } from "../agent.js";
import { recognises } from "./recognise.js";

/** The steps, in order; each one only if the processes still live. `tree` has parents before their children. */
export function endSteps(tree: readonly ProcessInfo[]): EndStep[] {
  const pids = tree.filter(recognises).map(({ pid }) => pid);
  const holder = pids.at(-1);
  if (holder === undefined) return [];
  return [
    { pid: holder, signal: "SIGTERM" },
    ...pids.toReversed().map((pid) => ({ pid, signal: "SIGKILL" }) as const),
  ];
}
