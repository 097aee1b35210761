import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ProcessInfo } from "../../base/system/process.js";
import { leftSession, liveSession, registeredPids } from "./registry.js";

const uuid = "2d65a42d-0000-4000-8000-00000000000a";
const process: ProcessInfo = {
  pid: 6086,
  ppid: 1,
  startTicks: "39423",
  startedAtMs: 1_000_000,
  tty: null,
  leader: null,
  isForeground: true,
  command: "claude",
  args: [],
};
const good = {
  pid: 6086,
  sessionId: uuid,
  cwd: "/srv",
  startedAt: 1_000_400,
  procStart: "39423",
  version: "2.1.197",
  status: "waiting",
  waitingFor: "permission prompt",
  updatedAt: 5,
};

function folderWith(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "hm-reg-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "sessions"));
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(folder, "sessions", "6086.json"), text);
  return folder;
}

function read(content: unknown, of: ProcessInfo = process) {
  return liveSession(folderWith(content), of);
}

test("the file of this process counts", () => {
  expect(read(good)).toEqual({
    sessionId: uuid,
    name: null,
    isNameSuffixed: false,
    cwd: "/srv",
    version: "2.1.197",
    activity: "waiting",
    waitingFor: "permission prompt",
    updatedAtMs: 5,
    startedAtMs: 1_000_400,
  });
});

describe("the file of another process does not count", () => {
  test.each([
    ["a reused pid (incident 32)", { ...good, procStart: "39424" }],
    ["another pid in the file", { ...good, pid: 6087 }],
    ["no start at all", { ...good, procStart: undefined, startedAt: undefined }],
    ["a start long before the process", { ...good, procStart: undefined, startedAt: 1 }],
    ["a start long after it", { ...good, procStart: undefined, startedAt: 9_000_000 }],
  ])("%s", (_, file) => expect(read(file)).toBeNull());

  test("without start ticks the client's own time decides", () => {
    expect(read(good, { ...process, startTicks: null })?.sessionId).toBe(uuid);
    expect(read({ ...good, startedAt: 9_000_000 }, { ...process, startTicks: null })).toBeNull();
  });
});

test("a file of another pid namespace does not count (incident 33)", () => {
  const machine = "linux:3d121999bb0a4c6e8f02a7d6c5b4a392";
  expect(read({ ...good, pidDomain: `${machine}:pid:[1]` })).toBeNull();
  // Digits in the machine id are not a namespace.
  expect(read({ ...good, pidDomain: `${machine}:${readlinkSync("/proc/self/ns/pid")}` })?.sessionId).toBe(
    uuid,
  );
  expect(read({ ...good, pidDomain: `${machine}:something new` })?.sessionId).toBe(uuid);
});

describe("no file contents are an error", () => {
  test.each(["", "{", '{"pid":6086,"sessionId":"2d6', "null", "[]", "7", '"x"'])(
    "%j does not count",
    (text) => {
      expect(read(text)).toBeNull();
    },
  );

  test.each([
    ["no session id", { ...good, sessionId: undefined }, null],
    ["an invalid session id", { ...good, sessionId: "../../x" }, null],
    ["an unknown status", { ...good, status: "dreaming" }, { activity: null, waitingFor: null }],
    [
      "an idle prompt with a background command (incident 53)",
      { ...good, status: "shell", waitingFor: undefined },
      { activity: "busy", isInBackground: true, waitingFor: null },
    ],
    [
      "fields of other types",
      { ...good, cwd: 7, version: {}, name: [], updatedAt: "x" },
      { cwd: null, version: null, name: null, updatedAtMs: null },
    ],
    ["unknown fields", { ...good, later: { x: 1 } }, { sessionId: uuid }],
  ])("%s", (_, file, expected) => {
    if (expected === null) expect(read(file)).toBeNull();
    else expect(read(file)).toMatchObject(expected);
  });

  test("a missing folder and a missing file are no evidence", () => {
    expect(liveSession("/nowhere", process)).toBeNull();
  });
});

test("only <pid>.json is opened", () => {
  const folder = mkdtempSync(join(tmpdir(), "hm-reg-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "sessions"));
  writeFileSync(join(folder, "sessions", "6086.abc123.key"), JSON.stringify(good));
  expect(liveSession(folder, process)).toBeNull();
  expect(registeredPids(folder)).toEqual([]);
});

test("the pids come from the file names, whether the processes live or not", () => {
  const folder = mkdtempSync(join(tmpdir(), "hm-reg-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(registeredPids(folder)).toEqual([]);
  mkdirSync(join(folder, "sessions"));
  for (const name of ["6086.json", "7.json", "0.json", "x.json", "6086.json.tmp"])
    writeFileSync(join(folder, "sessions", name), "");
  expect(registeredPids(folder).sort()).toEqual([6086, 7]);
});

test.each([
  ["given by a person", { name: "po", nameSource: "user" }, { name: "po", isNameSuffixed: false }],
  ["of a client that does not say its source", { name: "po" }, { name: "po", isNameSuffixed: false }],
  [
    "derived from the folder's",
    { name: "work-b7", nameSource: "derived" },
    { name: null, isNameSuffixed: false },
  ],
  [
    "that another session has",
    { name: "po-graceful-kettle", nameSource: "collision" },
    { name: "po-graceful-kettle", isNameSuffixed: true },
  ],
])("a name %s", (_, fields, expected) => {
  expect(read({ ...good, ...fields })).toMatchObject(expected);
});

test("a pipe, a link or a giant file is no evidence, and reading it does not block", () => {
  const folder = mkdtempSync(join(tmpdir(), "hm-reg-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "sessions"));
  const path = join(folder, "sessions", "6086.json");
  const makers = [
    () => execFileSync("mkfifo", [path]),
    () => symlinkSync("/dev/zero", path),
    () => writeFileSync(path, `${" ".repeat(2 * 1024 * 1024)}${JSON.stringify(good)}`),
  ];
  for (const make of makers) {
    make();
    expect(liveSession(folder, process)).toBe(null);
    rmSync(path);
  }
});

describe("a process in a pid namespace that is not the machine's first", () => {
  const inside = { ...process, namespace: "pid:[7]" };
  const own = { ...good, pidDomain: "linux:0:pid:[7]" };

  test.each<[string, object, ProcessInfo]>([
    ["names another namespace", own, { ...process, namespace: "pid:[8]" }],
    ["names no namespace", good, inside],
    ["names ours", { ...good, pidDomain: `linux:0:${readlinkSync("/proc/self/ns/pid")}` }, inside],
    ["names another start", { ...own, procStart: "39424" }, inside],
  ])("has a file that %s: of that, only the session may be its own", (_, file, of) => {
    expect(read(own, inside)?.shared).toEqual({ activity: "waiting" });
    const { sessionId, shared, ...rest } = read(file, of)!;
    expect({ sessionId, shared }).toEqual({ sessionId: uuid, shared: { activity: null, isOthers: true } });
    expect(Object.values(rest).filter((value) => value !== null && value !== false)).toEqual([]);
  });

  test("shares its file: what a client changes later does not count as its own", () => {
    const changed = { name: "po", nameSource: "user", status: "idle", updatedAt: 5, statusUpdatedAt: 5 };
    const written = { tmux: "t:@0.%3", messagingSocketPath: "/tmp/cc-socks/1.sock", version: "2.1.325" };
    expect(read({ ...own, ...written, ...changed }, inside)).toEqual({
      sessionId: uuid,
      name: null,
      isNameSuffixed: false,
      cwd: "/srv",
      version: "2.1.325",
      activity: null,
      waitingFor: null,
      updatedAtMs: null,
      startedAtMs: 1_000_400,
      startPane: "%3",
      shared: { activity: "idle" },
    });
  });

  test("is in an unknown conversation if its file says that it moved one to the background", () => {
    expect(read({ ...own, parkedJobId: "9c753d87" }, inside)).toMatchObject({ isLeft: true });
  });

  test("that was killed left nothing that counts", () => {
    const ended = { pid: 6086, pane: "%3", endedAtMs: 10 } as const;
    expect(leftSession(folderWith(good), ended, "pid:[4026531836]")).toBe(uuid);
    expect(leftSession(folderWith(good), ended, null)).toBe(uuid);
    expect(leftSession(folderWith(good), ended, "pid:[7]")).toBeNull();
  });
});

test("parked conversations, jobs and tools are read", () => {
  expect(read({ ...good, parkedJobId: "9c753d87", tmux: "team:@0.%12" })).toMatchObject({
    parkedJob: "9c753d87",
    startPane: "%12",
  });
  expect(read({ ...good, kind: "bg", jobId: "9c753d87", spare: true })).toMatchObject({
    job: "9c753d87",
    isSpare: true,
  });
  expect(read({ ...good, entrypoint: "sdk-cli" })).toMatchObject({ isTool: true });
  expect(read({ ...good, parkedJobId: "../x", jobId: 7, tmux: "team" })).toEqual(read(good));
});

test("the last session of a killed client with a parked conversation is the job's", () => {
  const folder = folderWith({ ...good, parkedJobId: "9c753d87" });
  const other = uuid.replace("2d", "3d");
  mkdirSync(join(folder, "jobs", "9c753d87"), { recursive: true });
  writeFileSync(join(folder, "jobs", "9c753d87", "state.json"), JSON.stringify({ sessionId: other }));
  expect(leftSession(folder, { pid: 6086, pane: "%3", endedAtMs: 10 })).toBe(other);
});

test("a file that its client is just rewriting is read again", () => {
  const folder = folderWith('{"pid":6086,');
  const rest = vi.spyOn(Atomics, "wait").mockImplementation(() => {
    writeFileSync(join(folder, "sessions", "6086.json"), JSON.stringify(good));
    return "timed-out";
  });
  onTestFinished(() => rest.mockRestore());
  expect(liveSession(folder, process)?.sessionId).toBe(uuid);
  expect(rest).toHaveBeenCalledTimes(1);
});

describe("the last session of a killed process", () => {
  const ended = { pid: 6086, pane: "%3", endedAtMs: 10 } as const;
  test.each([
    ["its own file", good, uuid],
    ["its own file, which names its pane", { ...good, tmux: "t:@0.%3" }, uuid],
    ["a file of another pane's client", { ...good, tmux: "t:@0.%4" }, null],
    ["a file written after its end", { ...good, updatedAt: 11 }, null],
    ["a file of another container", { ...good, pidDomain: "linux:0:pid:[7]" }, null],
    ["a torn file", '{"pid":6086,', null],
    [
      "a file whose conversation was parked in a job that no longer exists",
      { ...good, parkedJobId: "9c753d87" },
      null,
    ],
  ])("%s", (_, content, expected) => {
    expect(leftSession(folderWith(content), ended)).toBe(expected);
  });
});
