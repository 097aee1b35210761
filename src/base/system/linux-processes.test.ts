import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../limits.js";
import { linuxProcesses, ttyOf } from "./linux-processes.js";

test.each([
  [0, null],
  [34816, "/dev/pts/0"],
  [34819, "/dev/pts/3"],
  [1083392, "/dev/pts/256"],
  [1025, "/dev/tty1"],
  [1088, "/dev/ttyS0"],
  [1281, null],
])("the device number %i is %s", (device, tty) => {
  expect(ttyOf(device)).toBe(tty);
});

/** A folder that looks like /proc, with these processes as pid and parent. */
function fakeProc(processes: [pid: number, ppid: number, state?: string][], keepsLists: boolean): string {
  const proc = mkdtempSync(join(tmpdir(), "hm-proc-"));
  onTestFinished(() => rmSync(proc, { recursive: true }));
  writeFileSync(join(proc, "stat"), "cpu 1 2 3\nbtime 1000\nprocesses 5\n");
  for (const [pid, ppid, state = "S"] of processes) {
    const task = join(proc, String(pid), "task", String(pid));
    mkdirSync(task, { recursive: true });
    const rest = `${state} ${ppid} 1 7 34819 1 0 0 0 0 0 0 0 0 0 20 0 1 0 250 0 0`;
    writeFileSync(join(proc, String(pid), "stat"), `${pid} (a) b) ${rest}\n`);
    writeFileSync(join(proc, String(pid), "cmdline"), "a\0\0b c\0");
    const children = processes.filter((other) => other[1] === pid).map(([child]) => `${child} `);
    if (keepsLists) writeFileSync(join(task, "children"), children.join(""));
  }
  return proc;
}

test.each([true, false])("the tree is found if the kernel has lists of children: %s", (keepsLists) => {
  const proc = fakeProc(
    [
      [10, 1],
      [11, 10],
      [12, 11],
      [13, 10, "Z"],
      [20, 1],
      [21, 20],
    ],
    keepsLists,
  );
  const table = linuxProcesses(proc).readTrees([{ pid: 10, tty: "/dev/pts/3" }]);
  expect(table.treeOf(10).map(({ pid, depth }) => [pid, depth])).toEqual([
    [10, 0],
    [11, 1],
    [12, 2],
  ]);
  expect(table.get(20)).toBeNull();
  expect(table.get(11)).toEqual({
    pid: 11,
    ppid: 10,
    startTicks: "250",
    startedAtMs: 1_003_500,
    leader: 7,
    tty: "/dev/pts/3",
    isForeground: true,
    group: 1,
    command: "a) b",
    threads: 1,
    args: ["a", "", "b c"],
  });
});

test("processes with the same arguments share one list of them", () => {
  const proc = fakeProc(
    [10, 11, 12, 13].map((pid) => [pid, 1]),
    true,
  );
  const argumentsOf = (pid: number, cmdline?: string) => {
    if (cmdline !== undefined) writeFileSync(join(proc, String(pid), "cmdline"), cmdline);
    return linuxProcesses(proc).findProcess(pid)!.args;
  };
  expect(argumentsOf(10)).toEqual(["a", "", "b c"]);
  expect(argumentsOf(11)).toBe(argumentsOf(10));
  expect(argumentsOf(12, "a\0")).toEqual(["a"]);
  expect(argumentsOf(12, "")).toEqual([]);
  const long = "x".repeat(limits.sharedArgumentsLength);
  expect(argumentsOf(13, `a\0${long}\0`)).toEqual(["a", long]);
});

test("the child of a second thread is found", () => {
  const proc = fakeProc(
    [
      [10, 1],
      [11, 99],
    ],
    true,
  );
  const stat = join(proc, "10", "stat");
  writeFileSync(stat, readFileSync(stat, "utf8").replace(" 20 0 1 0 ", " 20 0 2 0 "));
  mkdirSync(join(proc, "10", "task", "12"));
  writeFileSync(join(proc, "10", "task", "12", "children"), "11 ");
  expect(
    linuxProcesses(proc)
      .readTrees([{ pid: 10, tty: "/dev/pts/3" }])
      .get(11)?.pid,
  ).toBe(11);
});

test("nothing outside the tree is read if the kernel has lists", () => {
  const proc = fakeProc(
    [
      [10, 1],
      [11, 10],
    ],
    true,
  );
  // Reading a folder as a file fails loudly.
  mkdirSync(join(proc, "20", "stat"), { recursive: true });
  const table = linuxProcesses(proc).readTrees([{ pid: 10, tty: "/dev/pts/3" }]);
  expect(table.treeOf(10)).toHaveLength(2);
});

test("an empty /proc is an error (incident 64)", () => {
  const reader = linuxProcesses(join(fakeProc([], true), "nothing"));
  expect(() => reader.findProcess(1)).toThrow(/cannot read/);
  expect(() => reader.readTrees([{ pid: 1, tty: "/dev/pts/3" }])).toThrow(/cannot read/);
});

test("the start of a new process is not in the future, and at most a tenth of a second late", async () => {
  const before = Date.now();
  const child = spawn("cat");
  onTestFinished(() => void child.kill());
  await once(child, "spawn");
  const found = linuxProcesses().findProcess(child.pid!);
  expect(found!.startedAtMs).toBeGreaterThanOrEqual(before);
  expect(found!.startedAtMs).toBeLessThan(Date.now() + 100);
});

test.each([
  ["no", null, 1_003_500],
  ["a container's own", "5.00 1.00\n", 1_003_500],
])("with %s uptime the reported second counts, to its end", (_, uptime, expected) => {
  const proc = fakeProc([[10, 1]], true);
  if (uptime !== null) writeFileSync(join(proc, "uptime"), uptime);
  expect(linuxProcesses(proc).findProcess(10)?.startedAtMs).toBe(expected);
});
