import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { testHome, until } from "../home.js";
import {
  ended,
  readTranscript,
  runAgent,
  sessionFiles,
  startAgent,
  texts,
  transcriptPath,
} from "./driver.js";

const P = "11111111-1111-4111-8111-111111111111";
const C = "22222222-2222-4222-8222-222222222222";

test("a new session is in the registry at once, and on disk with its first message", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P, "-n", "mgr"]);
  const entry = await agent.becomes("idle");
  expect(entry).toMatchObject({
    pid: agent.pid,
    sessionId: P,
    cwd: home.work,
    procStart: readProcStat(agent.pid)?.startTicks,
    version: "2.1.325",
    kind: "interactive",
    name: "mgr",
    nameSource: "user",
    tmux: expect.stringMatching(/^team\d+:@\d+\.%\d+$/),
    pidDomain: expect.stringMatching(/^linux:[0-9a-f]{32}:pid:\[\d+\]$/),
  });
  expect(agent.title()).toBe("✳ mgr");
  expect(existsSync(join(home.claude, "projects"))).toBe(false);

  await agent.say("hello");
  const records = agent.transcript()!;
  expect(statSync(transcriptPath(home, home.work, P)).mode & 0o777).toBe(0o600);
  expect(records.map(({ type }) => type)).toEqual([
    ...["custom-title", "agent-name", "mode", "permission-mode", "file-history-snapshot"],
    ...["user", "assistant", "system"],
  ]);
  expect(records.findIndex((record) => "cwd" in record)).toBe(5);
  const [user, answer] = records.slice(5);
  expect(user).toMatchObject({
    parentUuid: null,
    sessionId: P,
    cwd: home.work,
    isSidechain: false,
    gitBranch: "",
  });
  expect(answer).toMatchObject({
    parentUuid: user!.uuid,
    session_id: P,
    message: { model: "claude-opus-4-8" },
  });
  await agent.sees("● Heard: hello");
});

test("a resumed session continues with its id, title and last message", async () => {
  const home = testHome();
  runAgent(home, ["-p", "--session-id", P, "-n", "mgr", "one"]);
  const agent = startAgent(home, ["--resume", P]);
  expect(await agent.becomes("idle")).toMatchObject({ sessionId: P, name: "mgr" });
  await agent.say("two");
  const records = agent.transcript(P)!;
  expect(texts(records, "user")).toEqual(["one", "two"]);
  const messages = records.filter((record) => "uuid" in record);
  expect(messages.map((record) => record.parentUuid)).toEqual([
    null,
    ...messages.slice(0, -1).map(({ uuid }) => uuid),
  ]);
});

test.each([
  ["2.1.197", undefined],
  ["2.1.325", C],
])(
  "a fork on %s has the chosen id before its first message, and its parent's messages after it",
  async (version, startedAs) => {
    const home = testHome();
    runAgent(home, ["-p", "--session-id", P, "-n", "mgr", "one"]);
    const agent = startAgent(home, ["--resume", P, "--fork-session", "--session-id", C], {
      env: { DEMO_VERSION: version },
    });
    expect(await agent.becomes("idle")).toMatchObject({ sessionId: C, name: "mgr" });
    expect(agent.transcript(C)).toBeNull();
    await agent.say("two");
    const parent = readTranscript(home, home.work, P)!.filter((record) => "uuid" in record);
    const child = agent.transcript(C)!.filter((record) => "uuid" in record);
    expect(child.slice(0, 2).map(({ uuid }) => uuid)).toEqual(parent.map(({ uuid }) => uuid));
    expect(new Set(child.map(({ sessionId }) => sessionId))).toEqual(new Set([C]));
    expect(child.some((record) => "forkedFrom" in record)).toBe(false);
    expect(child[3]!.session_id).toBe(startedAs);
    expect(parent).toHaveLength(2);
  },
);

test("two processes may resume one session, and the newer version gives them different names", async () => {
  const home = testHome();
  runAgent(home, ["-p", "--session-id", P, "-n", "mgr", "one"]);
  const first = startAgent(home, ["-r", P]);
  expect(await first.becomes("idle")).toMatchObject({ sessionId: P, name: "mgr", nameSource: "user" });
  const second = startAgent(home, ["-r", P]);
  const name = expect.stringMatching(/^mgr-[a-z]+-[a-z]+$/);
  expect(await second.becomes("idle")).toMatchObject({ sessionId: P, name, nameSource: "collision" });
});

test("the name of an ended process is free again", async () => {
  const home = testHome();
  const first = startAgent(home, ["-n", "mgr"]);
  await first.becomes("idle");
  process.kill(first.pid, "SIGKILL");
  await ended(first.pid);
  expect(first.registry()).toMatchObject({ name: "mgr" });
  const second = startAgent(home, ["-n", "mgr"]);
  expect(await second.becomes("idle")).toMatchObject({ name: "mgr", nameSource: "user" });
});

test("a message on the command line is the first one", async () => {
  const home = testHome();
  const agent = startAgent(home, [
    "--session-id",
    P,
    "--append-system-prompt",
    "be kind",
    "--mcp-config",
    "{}",
    "do it",
  ]);
  await agent.sees("● Heard: do it");
  await agent.becomes("idle");
  expect(texts(agent.transcript(P), "user")).toEqual(["do it"]);
});

test("--print answers on stdout, writes a transcript and leaves no registry file", () => {
  const home = testHome();
  expect(runAgent(home, ["-p", "--session-id", P, "hello"])).toEqual({
    status: 0,
    stdout: "Heard: hello\n",
    stderr: "",
  });
  expect(texts(readTranscript(home, home.work, P), "assistant")).toEqual(["Heard: hello"]);
  expect(sessionFiles(home)).toEqual([]);
});

test.each([
  [["--session-id", P], `Error: Session ID ${P} is already in use.`],
  [["--resume", P, "--fork-session", "--session-id", P], `Error: Session ID ${P} is already in use.`],
  [["--resume", C], `No conversation found with session ID: ${C}`],
  [["--resume", "../../x"], "No conversation found with session ID: ../../x"],
  [["--session-id", "x"], "Error: Invalid session ID. Must be a valid UUID."],
  [
    ["--resume", P, "--session-id", C],
    "Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.",
  ],
  [["--settings", "nowhere.json"], "Error: Settings file not found: nowhere.json"],
])("%j is refused in the client's words and leaves no trace", (args, words) => {
  const home = testHome();
  runAgent(home, ["-p", "--session-id", P, "one"]);
  const before = readdirSync(home.claude, { recursive: true });
  expect(runAgent(home, ["-p", ...args, "hello"])).toEqual({ status: 1, stdout: "", stderr: `${words}\n` });
  expect(readdirSync(home.claude, { recursive: true })).toEqual(before);
});

test("a transcript in another folder is neither in use nor found", () => {
  const home = testHome();
  const cwd = join(home.root, "other");
  mkdirSync(cwd);
  runAgent(home, ["-p", "--session-id", P, "one"]);
  expect(runAgent(home, ["-p", "--resume", P, "x"], { cwd }).stderr).toContain("No conversation found");
  expect(runAgent(home, ["-p", "--session-id", P, "x"], { cwd }).status).toBe(0);
  expect(readTranscript(home, cwd, P)).not.toBeNull();
});

test("it refuses to start without CLAUDE_CONFIG_DIR", () => {
  const home = testHome();
  const { status, stderr } = runAgent(home, ["-p", "hello"], { env: { CLAUDE_CONFIG_DIR: "" } });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: .*CLAUDE_CONFIG_DIR.*\n$/);
  expect(readdirSync(home.home)).toEqual([]);
});

test("it refuses to start without a terminal", () => {
  const { status, stderr } = runAgent(testHome(), []);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "Error: the demo agent needs a terminal, or --print\n",
  });
});

test("a refusal in a pane is its last output", async () => {
  const agent = startAgent(testHome(), ["--resume", P]);
  expect(await agent.exitCode()).toBe(1);
  expect(agent.history()).toContain(`No conversation found with session ID: ${P}`);
});

test.each([
  ["/exit", (type: (text: string) => void) => type("/exit\r"), 0],
  ["C-d", (type: (text: string) => void) => type("\x04"), 0],
  ["C-c twice", (type: (text: string) => void) => type("\x03\x03"), 0],
])("%s ends it and removes its registry file", async (_, act, code) => {
  const home = testHome();
  const agent = startAgent(home);
  await agent.becomes("idle");
  // The key is written a moment after the registry file.
  await until("both files", () => sessionFiles(home).length === 2);
  act(agent.type);
  expect(await agent.exitCode()).toBe(code);
  expect(sessionFiles(home)).toEqual([]);
});

test.each([
  ["SIGTERM", true],
  ["SIGHUP", true],
  ["SIGKILL", false],
] as const)("after %s the registry file is gone: %s (incident 32)", async (signal, isRemoved) => {
  const home = testHome();
  const agent = startAgent(home);
  await agent.becomes("idle");
  process.kill(agent.pid, signal);
  await ended(agent.pid);
  expect(agent.registry() === null).toBe(isRemoved);
});

test("a killed tmux server leaves no registry file", async () => {
  const home = testHome();
  const agent = startAgent(home);
  await agent.becomes("idle");
  home.tmux("kill-server");
  await ended(agent.pid);
  expect(sessionFiles(home)).toEqual([]);
});
