import { expect, test } from "vitest";
import type { ProcessInfo } from "../base/system/process.js";
import { ownPane } from "./caller.js";
import type { Panes } from "./panes.js";

/** Parents by pid: 50 is ours, 40 its shell, 30 the agent, 20 the pane of %2, 10 the outer pane of %1. */
const parents: Record<number, number> = { 50: 40, 40: 30, 30: 20, 20: 10, 10: 5, 5: 1, 60: 1 };
const findProcess = (pid: number) => (pid in parents ? ({ pid, ppid: parents[pid] } as ProcessInfo) : null);

function look(env: NodeJS.ProcessEnv, pid = 50, deadPid?: number): string | null {
  const panes = [10, 20, 99].map((each, at) => ({
    id: `%${at + 1}`,
    pid: each,
    dead: each === deadPid,
    paneActive: at === 2,
  }));
  const fleet = { server: { pid: 5 }, panes } as unknown as Panes;
  return ownPane(fleet, { env, pid }, { findProcess })?.id ?? null;
}

test.each([
  [
    "[OW1] the nearest pane above, not the focused one (incident 28)",
    look({ TMUX: "/s,5,0", TMUX_PANE: "%2" }),
    "%2",
  ],
  ["[OW1] the pane's own process", look({}, 20), "%2"],
  ["[OW1] a dead pane is nobody's own", look({}, 50, 20), "%1"],
  ["[OW2] a variable that names another pane is wrong", look({ TMUX: "/s,5,0", TMUX_PANE: "%3" }), "%2"],
  ["[OW2] no variable is needed", look({}), "%2"],
  ["[OW2] a process that left its pane is in none", look({ TMUX: "/s,5,0", TMUX_PANE: "%2" }, 60), null],
  ["[OW3] inside another server", look({ TMUX: "/a,b,6,0", TMUX_PANE: "%2" }), null],
  ["[OW3] a comma in the socket's path", look({ TMUX: "/a,b,5,0", TMUX_PANE: "%2" }), "%2"],
])("%s", (_, found, expected) => expect(found).toBe(expected));

test("[OW3] no server, no pane", () => {
  expect(ownPane({ server: null, panes: [] }, { env: {}, pid: 50 }, { findProcess })).toBeNull();
});
