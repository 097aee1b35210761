import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { linuxProcesses } from "../../src/base/system/linux-processes.js";
import type { ProcessInfo, ProcessReader, ProcessRoot } from "../../src/base/system/process.js";
import { startByPs } from "../../src/base/system/ps.js";
import { psProcesses } from "../../src/base/system/ps-processes.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";

const readers: [string, ProcessReader][] = [["ps", psProcesses()]];
if (process.platform === "linux") readers.unshift(["linux", linuxProcesses()]);

// A shell that runs a shell that runs two programs, as an agent that runs tools does.
const inner = "sleep 601 & sleep 602 & wait";
const argument = "ünï ✳";

let home: TestHome;
let root: ProcessRoot;
let startedAtMs: number;

beforeAll(async () => {
  home = makeHome();
  startedAtMs = Date.now();
  const shell = ["sh", "-c", `sh -c "${inner}" '${argument}'; true`];
  const format = "#{pane_pid} #{pane_tty}";
  const env = ["-e", "CLAUDE_CONFIG_DIR=/some/where", "-e", "SPACED=a b  c", "-e", "SECRET=x"];
  const printed = home.tmux("new-session", "-d", "-P", "-F", format, "-s", "team", ...env, ...shell);
  const [pid, tty] = printed.trim().split(" ");
  root = { pid: Number(pid), tty: tty! };
  // Between fork and exec a program is still called as its shell is.
  const programs = () =>
    readers[0]![1]
      .readTrees([root])
      .treeOf(root.pid)
      .map(({ command }) => command);
  await until("the whole tree runs", () => programs().filter((command) => command === "sleep").length === 2);
});

afterAll(() => removeHome(home));

describe.each(readers)("%s", (_name, reader) => {
  const tree = () => reader.readTrees([root]).treeOf(root.pid);

  test("a pane's tree lists the nearest process first, with depths", () => {
    const seen = tree();
    expect(seen.map(({ command, depth }) => [command, depth])).toEqual([
      ["sh", 0],
      ["sh", 1],
      ["sleep", 2],
      ["sleep", 2],
    ]);
    expect(seen[0]?.pid).toBe(root.pid);
    expect(seen[1]?.ppid).toBe(root.pid);
    expect(seen[2]?.ppid).toBe(seen[1]?.pid);
    expect(seen.every(({ tty }) => tty === root.tty)).toBe(true);
  });

  test("arguments are there, non-ASCII ones too", () => {
    const [, shell, first, second] = tree();
    expect(shell?.args.join(" ")).toContain(argument);
    expect([first?.args, second?.args].sort()).toEqual([
      ["sleep", "601"],
      ["sleep", "602"],
    ]);
  });

  test("the arguments of a root stay whole if it was started with these words", async () => {
    const words = ["sh", "-c", "cat; exit", "two  words", ""];
    const format = "#{pane_pid} #{pane_tty}";
    const printed = home.tmux(
      "new-window",
      "-d",
      "-P",
      "-F",
      format,
      "-t",
      "=team:",
      "env",
      "A=b c",
      ...words,
    );
    const [pid, tty] = printed.trim().split(" ");
    const argsOf = (...startedWith: string[]) => {
      const seen = { pid: Number(pid), tty: tty!, startedWith: () => startedWith };
      return reader.readTrees([seen]).get(seen.pid)?.args;
    };
    await until("env became the program", () => argsOf()?.[0] === "sh");
    expect(argsOf("env", "A=b c", ...words)).toEqual(words);
    // Other words are no evidence.
    const others = ["sh", "-c", "cat; exit", "two", "words"];
    expect(argsOf(...others)).not.toEqual(others);
  });

  test("the start time is right to about a second", () => {
    const { startedAtMs: told } = tree()[0]!;
    expect(told).toBeGreaterThan(startedAtMs - 3000);
    expect(told).toBeLessThan(Date.now() + 3000);
  });

  test("one process is found by its number, and is the same as in its tree", () => {
    const { depth: _, ...inTree } = tree()[1]!;
    expect(reader.findProcess(inTree.pid)).toEqual(inTree);
  });

  test("no process but those of the pane is in the table", () => {
    const table = reader.readTrees([root]);
    expect(table.get(process.pid)).toBeNull();
    expect(reader.readTrees([]).get(root.pid)).toBeNull();
  });

  test("a root whose number belongs to a process elsewhere has no tree (incident 32)", () => {
    expect(reader.readTrees([{ pid: process.pid, tty: root.tty }]).treeOf(process.pid)).toEqual([]);
    expect(reader.readTrees([{ pid: root.pid, tty: "/dev/pts/none" }]).treeOf(root.pid)).toEqual([]);
  });

  test("a terminal with a stray line break is the same terminal (incident 29)", () => {
    const seen = reader.readTrees([{ pid: root.pid, tty: `${root.tty}\n` }]);
    expect(seen.treeOf(root.pid)).toHaveLength(4);
  });

  test("a root that ended has no tree, and takes no other with it", async () => {
    const gone = await endedPid();
    const table = reader.readTrees([{ pid: gone, tty: "/dev/pts/none" }, root, { pid: gone, tty: root.tty }]);
    expect(table.treeOf(gone)).toEqual([]);
    expect(table.treeOf(root.pid)).toHaveLength(4);
    expect(reader.findProcess(gone)).toBeNull();
  });

  test("a process that ended and was not collected is not there", async () => {
    // The shell becomes a program that never collects the child it inherits; the child ends once that is so.
    const child = 'while [ "$(cat /proc/$PPID/comm)" != cat ]; do :; done';
    const script = `sh -c '${child}' & echo $!; exec cat`;
    const parent = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
    const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
    try {
      await until("it is a zombie", () => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
      expect(reader.findProcess(pid)).toBeNull();
      expect(startByPs(pid)).toBe("ended");
    } finally {
      parent.kill();
    }
  });

  test("only the variables asked for are read, exactly by their names", () => {
    const { pid } = tree()[2]!;
    expect(reader.readProcessVariable(pid, "CLAUDE_CONFIG_DIR")).toBe("/some/where");
    expect(reader.readProcessVariable(pid, "SPACED")).toBe("a b  c");
    expect(reader.readProcessVariable(pid, "CLAUDE_CONFIG")).toBeNull();
    expect(reader.readProcessVariable(pid, "NOT_SET")).toBeNull();
    const some = reader.readProcessVariables(pid, ["SPACED", "CLAUDE_CONFIG_DIR", "NOT_SET"]);
    expect(Object.fromEntries(some)).toEqual({ SPACED: "a b  c", CLAUDE_CONFIG_DIR: "/some/where" });
  });

  test("a process that is gone has no variables", async () => {
    expect(reader.readProcessVariable(await endedPid(), "PATH")).toBeNull();
  });
});

test.runIf(process.platform === "linux")(
  "both answer alike, except for what only one of them can know",
  async () => {
    const [byProc, byPs] = [linuxProcesses(), psProcesses()];
    const child = spawn("sleep", ["600"], { stdio: "ignore", detached: true });
    try {
      await until("it runs", () => byProc.findProcess(child.pid!)?.command === "sleep");
      const pids = [
        root.pid,
        ...byProc
          .readTrees([root])
          .treeOf(root.pid)
          .map(({ pid }) => pid),
        child.pid!,
      ];
      // ps has no exact start, no session leader, no number of threads, and joins arguments.
      const common = ({ pid, ppid, tty, isForeground, command, args }: ProcessInfo) => ({
        ...{ pid, ppid, tty, isForeground, command },
        line: args.join(" "),
      });
      for (const pid of [...pids, process.pid, process.ppid, 1])
        expect(common(byPs.findProcess(pid)!)).toEqual(common(byProc.findProcess(pid)!));
      for (const pid of pids) {
        const apart = byPs.findProcess(pid)!.startedAtMs - byProc.findProcess(pid)!.startedAtMs;
        expect(Math.abs(apart)).toBeLessThan(2_000);
      }
      const found = (reader: ProcessReader) =>
        reader.findAll(({ pid, args }) => pids.includes(pid) && args[0] === "sleep").map(({ pid }) => pid);
      expect(found(byPs).sort()).toEqual(found(byProc).sort());
      expect(found(byPs)).toContain(child.pid);
    } finally {
      child.kill();
    }
  },
);

test("linux: arguments keep their spaces", async () => {
  const child = spawn("sleep", ["600", "--", "0"], { argv0: "two  words", stdio: "ignore" });
  try {
    await until("it runs", () => linuxProcesses().findProcess(child.pid!)?.args[0] === "two  words");
    expect(linuxProcesses().findProcess(child.pid!)?.startTicks).toMatch(/^\d+$/);
  } finally {
    child.kill();
  }
});

// Vitest restores the environment only before the next test, and the next file reads it earlier.
afterEach(() => void vi.unstubAllEnvs());

test("one call of ps answers everything that a look asks, another one all variables (incident 61)", () => {
  const calls = countedPs();
  const look = psProcesses().forOneLook();
  const table = look.readTrees([root, root, { ...root, pid: 1 }]);
  const [, shell, first, second] = table.treeOf(root.pid);
  for (let pid = process.pid; pid > 1; pid = look.findProcess(pid)!.ppid)
    expect(look.findProcess(pid)).not.toBeNull();
  expect(look.findAll(({ ppid, args }) => ppid === shell!.pid && args[0] === "sleep")).toHaveLength(2);
  expect(calls()).toHaveLength(1);
  for (const each of [shell!, first!, second!])
    expect(look.readProcessVariable(each.pid, "SPACED")).toBe("a b  c");
  expect(calls()).toHaveLength(2);
  // A look is not for what changes meanwhile; the reader itself asks again.
  psProcesses().findProcess(root.pid);
  expect(calls()).toHaveLength(3);
});

/** Returns the arguments of each call of ps since then. */
function countedPs(): () => string[] {
  const log = join(home.root, "calls");
  const real = execFileSync("sh", ["-c", "command -v ps"], { encoding: "utf8" }).trim();
  writeFileSync(log, "");
  writeFileSync(join(home.work, "ps"), `#!/bin/sh\necho "$@" >>"${log}"\nexec ${real} "$@"\n`, {
    mode: 0o755,
  });
  vi.stubEnv("PATH", `${home.work}:${process.env.PATH}`);
  return () => readFileSync(log, "utf8").split("\n").slice(0, -1);
}

test("the text of a start is the same in every time zone: it tells whether a lock's holder is alive", () => {
  const startIn = (zone: string) => {
    vi.stubEnv("TZ", zone);
    return startByPs(root.pid);
  };
  expect(startIn("UTC")).toEqual({ start: expect.stringMatching(/^\w{3} \w{3} \d+ [\d:]+ \d{4}$/) });
  expect(startIn("Asia/Tokyo")).toEqual(startIn("UTC"));
});

test("a ps that cannot be run is an error, not an empty table (incident 64)", () => {
  vi.stubEnv("PATH", home.config);
  expect(() => psProcesses().readTrees([root])).toThrow(/ps: /);
});

function endedPid(): Promise<number> {
  const child = spawn("true", { stdio: "ignore" });
  return new Promise((resolve) => child.once("exit", () => resolve(child.pid!)));
}
