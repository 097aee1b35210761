import { expect, test } from "vitest";
import type { ProcessReader, TreeProcess } from "../../base/system/process.js";
import type { TmuxPane } from "../../tmux/listing.js";
import { type ClientWorld, clientOf } from "./clients.js";

const shell: TreeProcess = {
  ...{ pid: 10, ppid: 1, startTicks: "5", startedAtMs: 0, leader: 10, tty: "/dev/pts/3", depth: 0 },
  ...{ isForeground: true, command: "sh", args: ["sh"] },
};

/** The processes whose environment was read. */
function asked(tree: readonly TreeProcess[]): number[] {
  const pids: number[] = [];
  const processes = {
    readProcessVariable(pid: number) {
      pids.push(pid);
      return null;
    },
    innerProcess: () => null,
  } as unknown as ProcessReader;
  const world: ClientWorld = { env: { HOME: "/home/a" }, processes, folders: [] };
  expect(clientOf({ tty: "/dev/pts/3", title: "" } as TmuxPane, [], tree, world)).toBeNull();
  return pids;
}

test("a program that no agent recognises is asked for its folder unless it has one thread", () => {
  expect(asked([shell])).toEqual([10]);
  expect(asked([{ ...shell, threads: 2 }])).toEqual([10]);
  expect(asked([{ ...shell, threads: 1 }])).toEqual([]);
});
