import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockHolders, openFiles } from "../../base/system/open-files.js";
import type { ProcessInfo } from "../../base/system/process.js";
import type { SessionId } from "../../names/gates.js";
import { heldSessions, lockingPids, shownSession } from "./live-session.js";

const a = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c" as SessionId;
const b = "01a1ed71-2888-76e2-afa2-9d6882c92b0a" as SessionId;
const process = { pid: 7, startTicks: "1" } as ProcessInfo;
const locked = "pos:\t0\nlock:\t1: FLOCK  ADVISORY  WRITE 7 fe:00:2278050 0 EOF\n";

/** A folder that looks like /proc: files that process 7 has open, with what the kernel says about each. */
function fakeProc(folder: string, files: [path: string, info: string][]): string {
  const proc = join(folder, "proc");
  for (const name of ["fd", "fdinfo"]) mkdirSync(join(proc, "7", name), { recursive: true });
  for (const [fd, [path, info]] of files.entries()) {
    symlinkSync(path, join(proc, "7", "fd", String(fd)));
    writeFileSync(join(proc, "7", "fdinfo", String(fd)), info);
  }
  writeFileSync(join(proc, "7", "stat"), "7 (codex) S 1 1 7 34819 1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0\n");
  return proc;
}

const inProc = (proc: string) => (of: ProcessInfo) => openFiles(of, proc);

function testFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hm-codex-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("the process holds what the kernel says it locked, in its own folder", () => {
  const folder = testFolder();
  const locks = join(folder, "thread-writer-locks");
  const proc = fakeProc(folder, [
    ["/dev/pts/3", ""],
    [join(locks, `${a}.lock`), locked],
    [join(locks, `${b}.lock`), "pos:\t0\n"],
    [join(locks, ".coordination.lock"), locked],
    [`/other/thread-writer-locks/${b}.lock`, locked],
    [`${locks}/${b}.lock (deleted)`, locked],
  ]);
  expect(heldSessions(folder, process, inProc(proc))).toEqual([a]);
  const link = join(folder, "link");
  symlinkSync(folder, link);
  expect(heldSessions(link, process, inProc(proc))).toEqual([a]);
});

test("another process that got the pid holds nothing of it", () => {
  const folder = testFolder();
  const lock = join(folder, "thread-writer-locks", `${a}.lock`);
  const proc = fakeProc(folder, [[lock, locked]]);
  mkdirSync(join(folder, "thread-writer-locks"));
  expect(heldSessions(folder, process, inProc(proc))).toEqual([a]);
  expect(heldSessions(folder, { ...process, startTicks: "2" }, inProc(proc))).toEqual([]);
});

test("the conversation of a sub-agent is not its own", () => {
  const folder = testFolder();
  const rollout = join(folder, `rollout-2026-11-18T06-52-52-${b}.jsonl`);
  const source = { subagent: { thread_spawn: { parent_thread_id: a, depth: 1 } } };
  writeFileSync(rollout, `${JSON.stringify({ type: "session_meta", payload: { id: b, source } })}\n`);
  const locks = [a, b].map(
    (id) => [join(folder, "thread-writer-locks", `${id}.lock`), locked] as [string, string],
  );
  expect(heldSessions(folder, process, inProc(fakeProc(folder, locks)))).toEqual([a, b]);
  rmSync(join(folder, "proc"), { recursive: true });
  expect(heldSessions(folder, process, inProc(fakeProc(folder, [...locks, [rollout, ""]])))).toEqual([a]);
});

test("the processes that lock a file of the folder, by the kernel's table", () => {
  const folder = testFolder();
  const locks = join(folder, "thread-writer-locks");
  mkdirSync(locks);
  writeFileSync(join(locks, `${a}.lock`), "");
  const { ino } = statSync(join(locks, `${a}.lock`));
  const table = join(folder, "locks");
  const row = (kind: string, pid: number, inode: number) =>
    `1: ${kind}  ADVISORY  WRITE ${pid} fe:00:${inode} 0 EOF\n`;
  const inTable = (inodes: ReadonlySet<number>) => lockHolders(inodes, table);
  writeFileSync(table, row("FLOCK", 7, ino) + row("POSIX", 8, ino) + row("FLOCK", 9, ino + 1));
  expect(lockingPids(folder, inTable)).toEqual([7]);
  expect(lockingPids(join(folder, "none"), inTable)).toEqual([]);
});

test("a process that cannot be read, or a missing folder, holds nothing", () => {
  const folder = testFolder();
  expect(heldSessions(folder, process, inProc(join(folder, "none")))).toEqual([]);
  expect(heldSessions(join(folder, "none"), process)).toEqual([]);
});

const names = new Map([
  [a, "lead"],
  [b, "scout"],
]);

test.each<[string, SessionId[], string | null, SessionId | null]>([
  ["nothing held", [], "lead | w", null],
  ["one, whatever name the title says", [a], "scout | w", a],
  ["one, and the id of another in the title", [a], `scout | ${b.slice(0, 29)}... | w`, null],
  ["two, and no title", [a, b], null, null],
  ["two, and the title has no name", [a, b], "w", null],
  ["two, by the name", [a, b], "⠸ scout | w", b],
  ["two, by the id, before the name", [a, b], `scout | ${a.slice(0, 29)}... | w`, a],
  ["two, and another id in the title", [a, b], "scout | 11111111-0553-7f82-bb3b-0e587... | w", null],
])("%s", (_, held, title, expected) => {
  expect(shownSession(held, title, (session) => names.get(session) ?? null)).toBe(expected);
});

test("two with the same name are not told apart by it", () => {
  expect(shownSession([a, b], "lead | w", () => "lead")).toBeNull();
});
