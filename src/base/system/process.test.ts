import { expect, test } from "vitest";
import { type ProcessInfo, processTable } from "./process.js";

function made(pid: number, ppid: number, tty = "/dev/pts/1"): ProcessInfo {
  return {
    pid,
    ppid,
    startTicks: null,
    startedAtMs: 0,
    tty,
    leader: null,
    isForeground: true,
    command: `p${pid}`,
    args: [],
  };
}

const shape = (tree: readonly { pid: number; depth: number }[]) => tree.map(({ pid, depth }) => [pid, depth]);

test("a tree is in order of depth, whatever the order of reading", () => {
  const table = processTable([made(5, 4), made(4, 2), made(1, 0), made(3, 1), made(2, 1), made(9, 8)], []);
  expect(shape(table.treeOf(1))).toEqual([
    [1, 0],
    [3, 1],
    [2, 1],
    [4, 2],
    [5, 3],
  ]);
  expect(shape(table.treeOf(4))).toEqual([
    [4, 0],
    [5, 1],
  ]);
  expect(table.treeOf(7)).toEqual([]);
  expect(table.get(9)?.ppid).toBe(8);
  expect(table.get(7)).toBeNull();
});

test("a process that was read twice is listed once", () => {
  const table = processTable([made(1, 0), made(2, 1), made(2, 1)], []);
  expect(shape(table.treeOf(1))).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

test("the tree of a root at another terminal is empty, and the process stays where it belongs", () => {
  const roots = [
    { pid: 1, tty: "/dev/pts/1" },
    { pid: 2, tty: "/dev/pts/9" },
  ];
  const table = processTable([made(1, 0), made(2, 1)], roots);
  expect(table.treeOf(2)).toEqual([]);
  expect(shape(table.treeOf(1))).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

test("white space around a terminal's name is ignored (incident 29)", () => {
  const table = processTable([made(1, 0)], [{ pid: 1, tty: " /dev/pts/1\n" }]);
  expect(table.treeOf(1)).toHaveLength(1);
});
