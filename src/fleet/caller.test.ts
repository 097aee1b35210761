import { expect, test } from "vitest";
import type { ProcessInfo } from "../base/system/process.js";
import { callingAgent } from "./caller.js";
import type { Panes } from "./panes.js";

/** Parents by pid: 50 is ours, 40 its shell, 30 the agent of %2, 20 its pane's shell, 70 an agent without a pane. */
const parents: Record<number, number> = {
  50: 40,
  40: 30,
  30: 20,
  20: 5,
  5: 1,
  60: 20,
  80: 70,
  70: 30,
  90: 1,
};
const findProcess = (pid: number) => (pid in parents ? ({ pid, ppid: parents[pid] } as ProcessInfo) : null);

function look(pid: number): string | null {
  const panes = [
    { id: "%1", pid: 20, process: null },
    { id: "%2", pid: 20, process: { pid: 30 } },
  ];
  const seen = { panes, clients: [{ process: { pid: 70 } }] } as unknown as Panes;
  const found = callingAgent(seen, pid, { findProcess });
  return found && (found.pane?.id ?? "no pane");
}

test.each([
  ["[CAL1] a tool of an agent", 50, "%2"],
  ["[CAL1] the agent itself", 30, "%2"],
  ["[CAL1] the nearest of two agents", 80, "no pane"],
  ["[CAL2] a shell beside the agent in its pane", 60, null],
  ["[CAL2] a process without an agent above it", 90, null],
])("%s", (_, pid, expected) => expect(look(pid)).toBe(expected));
