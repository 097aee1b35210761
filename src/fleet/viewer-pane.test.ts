import { expect, test } from "vitest";
import type { TreeProcess } from "../base/system/process.js";
import { showsViewer } from "./panes.js";

const here = "/dev/pts/3";
const running = (line: string, change: Partial<TreeProcess> = {}): TreeProcess => {
  const args = line.split(" ");
  return {
    ...{ pid: 7, ppid: 1, startTicks: null, startedAtMs: 0, depth: 1 },
    ...{ tty: here, leader: null, isForeground: true, command: args[0]!, args },
    ...change,
  };
};

test.each([
  ["by its name", running("screen -x tronMon"), true],
  ["by its number and name, at a window", running("screen -x 4711.tronMon -p 2"), true],
  ["as the only client", running("screen -D -r tronMon"), true],
  ["another session", running("screen -x other"), false],
  ["a longer name", running("screen -x tronMonitor"), false],
  ["another program with that word", running("grep tronMon"), false],
  ["in the background", running("screen -x tronMon", { isForeground: false }), false],
  ["at another terminal", running("screen -x tronMon", { tty: "/dev/pts/9" }), false],
])("screen attached to the viewer: %s", (_, process, expected) => {
  expect(showsViewer(here, [running("bash", { isForeground: false }), process])).toBe(expected);
});
