// What a process has open: every implementation answers the same about real processes of this machine.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderByProc } from "../../src/base/system/folder-of-process.js";
import { linuxProcesses } from "../../src/base/system/linux-processes.js";
import { listensAtByProc, loopbackPortsByProc } from "../../src/base/system/listening.js";
import {
  folderByLsof,
  listensAtByLsof,
  loopbackPortsByLsof,
  readInputByLsof,
} from "../../src/base/system/lsof.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";

interface Opened {
  folderOf(pid: number): string | null;
  inputOf(pid: number): string | null;
  listensAt(pid: number, path: string): boolean | null;
  loopbackPorts(pid: number): number[] | null;
}

const byProc: Opened = {
  folderOf: folderByProc,
  inputOf: linuxProcesses().readInput,
  listensAt: listensAtByProc,
  loopbackPorts: loopbackPortsByProc,
};
const byLsof: Opened = {
  folderOf: folderByLsof,
  inputOf: readInputByLsof,
  listensAt: listensAtByLsof,
  loopbackPorts: loopbackPortsByLsof,
};
const implementations: [string, Opened][] = [["lsof", byLsof]];
if (process.platform === "linux") implementations.push(["/proc", byProc]);

let home: TestHome;
let child: ChildProcess;
let folder: string;
let pane: { pid: number; tty: string };
const unix = createServer();
const blank = createServer();
const tcp = createServer();
const other = createServer();

beforeAll(async () => {
  home = makeHome();
  folder = join(home.work, "a folder é");
  mkdirSync(folder);
  folder = realpathSync(folder);
  child = spawn("cat", { cwd: folder, stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  const format = "#{pane_pid} #{pane_tty}";
  const [pid, tty] = home.tmux("new-session", "-d", "-P", "-F", format, "-s", "t", "cat").trim().split(" ");
  pane = { pid: Number(pid), tty: tty! };
  for (const [server, at] of [
    [unix, { path: join(home.root, "own.sock") }],
    [blank, { path: join(home.root, "own socket") }],
    [tcp, { port: 0, host: "127.0.0.1" }],
    [other, { port: 0, host: "127.0.0.2" }],
  ] as const) {
    server.listen(at);
    await once(server, "listening");
  }
});

afterAll(() => {
  child.kill();
  for (const server of [unix, blank, tcp, other]) server.close();
  removeHome(home);
});

const portOf = (server: typeof tcp) => (server.address() as { port: number }).port;

describe.each(implementations)("%s", (_, { folderOf, inputOf, listensAt, loopbackPorts }) => {
  test("the folder of a process, whatever its name", () => {
    expect(folderOf(child.pid!)).toBe(folder);
    expect(folderOf(process.pid)).toBe(realpathSync(process.cwd()));
  });

  test("the terminal of its standard input", () => {
    expect(inputOf(pane.pid)).toBe(pane.tty);
  });

  test("a socket is that of the process that listens there, and of no other", () => {
    expect(listensAt(process.pid, join(home.root, "own.sock"))).toBe(true);
    expect(listensAt(process.pid, join(home.root, "own.soc"))).toBe(false);
    expect(listensAt(child.pid!, join(home.root, "own.sock"))).toBe(false);
  });

  test("a path with a blank is not taken for that of nobody", () => {
    expect(listensAt(process.pid, join(home.root, "own socket"))).not.toBe(false);
  });

  test("only ports of 127.0.0.1 are named", () => {
    expect(loopbackPorts(process.pid)).toContain(portOf(tcp));
    expect(loopbackPorts(process.pid)).not.toContain(portOf(other));
    expect(loopbackPorts(child.pid!)).toEqual([]);
  });

  test("a process that is gone has nothing", async () => {
    const gone = spawn("true", { stdio: "ignore" });
    await once(gone, "exit");
    await until("it is gone", () => !isThere(gone.pid!));
    expect(folderOf(gone.pid!)).toBeNull();
    expect(inputOf(gone.pid!)).toBeNull();
    expect(listensAt(gone.pid!, "/x")).not.toBe(true);
    expect(loopbackPorts(gone.pid!) ?? []).toEqual([]);
  });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
