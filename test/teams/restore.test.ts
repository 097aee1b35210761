import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { limits } from "../../src/limits.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { demoAgent, hivemind, json, mainProgram, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import {
  countFrom,
  crowdedFleet,
  expectWhole,
  type FleetSpec,
  killServer,
  panesOf,
  picture,
  restore,
  smallFleet,
  startFleet,
} from "./fleets.js";

/** Ten agents with a name, one without, and five shells. */
function largeFleet(base: number): FleetSpec {
  const window = (at: number, name: string, shape: string, ...panes: string[]) => ({
    index: base + at,
    name,
    shape,
    panes,
  });
  return {
    web: [
      window(0, "work", "main-vertical", "lead", "builder", "-"),
      window(1, "two words", "even-horizontal", "tester", "-"),
      window(4, "far", "even-vertical", "docs", "?"),
    ],
    api: [window(0, "api", "main-horizontal", "lead", "-", "db", "auth")],
    ops: [window(0, "-", "even-vertical", "deploy", "-", "watch"), window(1, "logs", "tiled", "-", "reader")],
  };
}

test.each([0, 1])(
  "a whole fleet is restored after the server was killed, with base-index %i",
  async (base) => {
    const home = testHome();
    countFrom(home, base);
    await startFleet(home, largeFleet(base));
    const before = picture(home);
    expect(before).toHaveLength(16);
    expect(hivemind(home, ["teams", "save"]).code).toBe(0);
    await killServer(home);

    const { code, stderr } = restore(home);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(picture(home)).toEqual(before);

    const stored = contentsOf(home.config);
    const again = restore(home);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout.trim().split("\n")).toEqual(
      ["api", "ops", "web"].map((team) => `${team}: nothing to do`),
    );
    expect(picture(home)).toEqual(before);
    expect(contentsOf(home.config)).toEqual(stored);
  },
);

test("forks of a whole fleet are new sessions, each with its parent", async () => {
  const home = testHome();
  await startFleet(home, largeFleet(0));
  hivemind(home, ["teams", "save"]);
  const before = panesOf(home);
  await killServer(home);
  const { code, stderr } = restore(home, "--fork");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const after = panesOf(home);
  const agents = before.filter(({ kind }) => kind === "demo");
  expect(agents).toHaveLength(11);
  for (const { role, uuid, pane } of agents) {
    const now = after.find((each) => each.pane === pane)!;
    expect(now.role).toBe(role);
    expect(agents.map((each) => each.uuid)).not.toContain(now.uuid);
    const { rows } = json<{ rows: { parent: string }[] }>(home, ["forks", "list", "--uuid", now.uuid!]);
    expect(rows).toMatchObject([{ parent: uuid }]);
  }
  expect(new Set(after.map(({ uuid }) => uuid)).size).toBe(11 + 1);
  expect(restore(home, "--fork")).toMatchObject({ code: 0, stdout: expect.not.stringContaining("started") });
  expect(panesOf(home).map(({ uuid }) => uuid)).toEqual(after.map(({ uuid }) => uuid));
});

test("with panes counted from 1 instead of 0, rows and queues follow", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  hivemind(home, ["queue", "append", "web:0.2", "for the builder"]);
  await killServer(home);
  countFrom(home, 1);
  expect(restore(home).code).toBe(0);
  expect(panesOf(home).map(({ pane, role }) => `${pane} ${role}`)).toEqual([
    "web:0.1 lead",
    "web:0.2 null",
    "web:0.3 builder",
    "web:0.4 scout",
  ]);
  const { queues } = json<{ queues: { messages: object[] }[] }>(home, ["queue", "list"]);
  expect(queues.filter(({ messages }) => messages.length > 0)).toMatchObject([
    { pane: "web:0.3", messages: [{ text: "for the builder" }] },
  ]);
  expect(restore(home).stdout).toBe("web: nothing to do\n");
});

test("running agents are left alone, and only missing ones are added", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  const pids = () => home.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n");
  const [, shell, builder, scout] = pids();
  home.tmux("kill-pane", "-t", "=web:0.0");
  expect(restore(home)).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ role }) => role)).toEqual(["lead", null, "builder", "scout"]);
  expect(pids().slice(1)).toEqual([shell, builder, scout]);
});

/** The only snapshot of a home, rewritten. */
function rewrite(home: TestHome, change: (text: string) => string): string {
  const name = readdirSync(home.config).find(
    (each) => each.startsWith("hivemind.snapshot.") && each.endsWith(".env"),
  )!;
  const path = join(home.config, name);
  writeFileSync(path, change(readFileSync(path, "utf8")));
  return path;
}

test("valid rows of a hostile snapshot come back, each bad one is reported, and nothing is destroyed (incident 10) (incident 20)", async () => {
  const home = testHome();
  const roles = ["lead", "lost", "bad", "gone", "pipes", "mover"];
  await startFleet(home, { web: [{ index: 0, name: "all", shape: "tiled", panes: roles }] });
  hivemind(home, ["teams", "save"]);
  hivemind(home, ["queue", "append", "web:0.1", "for the lost one"]);
  await killServer(home);
  const forks = () => readFileSync(join(home.config, "hivemind.forks.env"), "utf8");
  const stored = forks();
  const path = rewrite(home, (text) =>
    text
      .replace(/^#.*\n/gm, "")
      .replace(idOf(3), "not-a-uuid")
      .replace(/^(web\|0\.4\|.*)$/m, "$1|and|more")
      .concat(`web|0.998|ghost|${idOf(98)}||${home.work}||demo\n`),
  );
  const snapshot = readFileSync(path, "utf8");
  renameSync(join(home.work, "web.lost"), join(home.work, "away"));
  const projects = join(home.claude, "projects");
  const slug = readdirSync(projects).find((name) => name.endsWith("web-gone"))!;
  rmSync(join(projects, slug), { recursive: true });
  startAgents({ ...home, work: join(home.work, "web.mover") }, "other", ["--resume", idOf(6)]);
  await idleAgents(home, 1);
  const pid = () => home.tmux("display-message", "-p", "-t", "=other:0.0", "#{pane_pid}");
  const runsElsewhere = pid();

  const { code, stdout, stderr } = restore(home);
  expect(code).toBe(1);
  expect(stdout).toMatch(/✓ lead {2}web:0\.0/);
  expect(stdout).toContain("1 agent started");
  for (const named of [
    "snapshot.*:3: not a session id",
    "snapshot.*:5: a row is team\\|window.pane",
    "ghost {2}web:0\\.998: .*number 998 is impossible",
    "lost {2}web:0\\.1: there is no folder .*web\\.lost\\n +create it, then restore again: mkdir -p",
    `gone {2}web:0\\.3: the transcript of ${idOf(4)} is gone\\n +start a new one`,
    "mover {2}web:0\\.5: skipped: its session runs in other:0\\.0",
  ])
    expect(stderr).toMatch(new RegExp(named));
  // One pane per valid row, and none for the ghost.
  expect(panesOf(home).filter(({ pane }) => pane.startsWith("web:"))).toHaveLength(4);
  expect(pid()).toBe(runsElsewhere);
  expect(readFileSync(path, "utf8")).toBe(snapshot);
  expect(forks().startsWith(stored)).toBe(true);
  const { queues } = json<{ queues: { messages: object[] }[] }>(home, ["queue", "list"]);
  expect(queues.filter(({ messages }) => messages.length > 0)).toMatchObject([
    { pane: "web:0.1", messages: [{ text: "for the lost one" }] },
  ]);

  renameSync(join(home.work, "away"), join(home.work, "web.lost"));
  expect(restore(home).stdout).toContain("✓ lost");
  expect(panesOf(home).filter(({ pane }) => pane.startsWith("web:"))).toHaveLength(4);
});

test("an agent with a model but no conversation comes back empty, with its role, id and model", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  for (const role of ["po", "dev"])
    hivemind(home, ["agent", "spawn", role, "--team", "web", "--kind", "demo", "--model", "opus[1m]"]);
  const before = panesOf(home);
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  // A snapshot that does not record whether there was a conversation.
  const path = rewrite(home, (text) => text.replace(`# no word yet ${before[2]!.uuid}\n`, ""));
  expect(readFileSync(path, "utf8")).toContain(`# no word yet ${before[1]!.uuid}\n`);
  const { code, stdout, stderr } = restore(home);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    new RegExp(
      `✓ po {2}web:0\\.1 {2}${before[1]!.uuid!.slice(0, 8)} \\(it had no conversation yet: starts fresh\\)`,
    ),
  );
  expect(stderr).toContain(`dev  web:0.2: there is no transcript of ${before[2]!.uuid}`);
  expect(panesOf(home)[1]).toMatchObject({ role: "po", uuid: before[1]!.uuid });
  expect(home.tmux("display-message", "-p", "-t", "=web:0.1", "#{pane_start_command}")).toContain("opus[1m]");
  // The hint works as printed.
  expect(stderr).toMatch(/agent forget @\w+ && hivemind agent spawn dev --team web/);
  expect(hivemind(home, ["agent", "forget", "dev"]).code).toBe(0);
  expect(hivemind(home, ["agent", "spawn", "dev", "--team", "web", "--kind", "demo"]).stdout).toContain(
    "web:0.3",
  );
});

test("a given but missing snapshot is an error, and nothing is restored (incident 9)", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  const { code, stdout, stderr } = restore(home, join(home.config, "hivemind.snapshot.20200101T000000.env"));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/there is no such snapshot: .*\n.*hivemind snapshots/);
  expect(panesOf(home).map(({ kind }) => kind)).toEqual(["demo", "demo", "demo"]);
});

test("a team is matched by its exact name (incident 11)", async () => {
  const home = testHome();
  await startFleet(home, {
    ooshTeam: [{ index: 0, name: "a", shape: "tiled", panes: ["one"] }],
    ooshTeam2: [{ index: 0, name: "b", shape: "tiled", panes: ["two"] }],
  });
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  expect(restore(home, "--team", "oosh").stderr).toContain("there are: ooshTeam, ooshTeam2");
  rewrite(home, (text) => text.replace(/^#.*\n/gm, ""));
  expect(restore(home, "--team", "ooshTeam").code).toBe(0);
  expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("ooshTeam\n");
});

test("a snapshot of a newer version is refused, and nothing is done", () => {
  const home = testHome();
  mkdirSync(home.config);
  const saved = (time: string) => join(home.config, `hivemind.snapshot.${time}.env`);
  const row = `web|0.0||||${home.work}||shell\n`;
  writeFileSync(saved("20260101T000000"), row);
  writeFileSync(saved("20260102T000000"), `# version: 2\n${row}`);
  const stored = contentsOf(home.config);
  for (const args of [[], [saved("20260102T000000")]]) {
    const { code, stdout, stderr } = restore(home, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("a snapshot of version 2");
  }
  expect(contentsOf(home.config)).toEqual(stored);
  expect(() => home.tmux("list-sessions")).toThrow();
  // One without a header is version 1.
  expect(restore(home, "hivemind.snapshot.20260101T000000.env", "--dry-run")).toMatchObject({ code: 0 });
});

test("an unreachable tmux is not a missing team: nothing is done, with exit code 3 (incident 64)", () => {
  const home = testHome();
  mkdirSync(home.config);
  const rows = ["web", "api"].map((team) => `${team}|0.0||||${home.work}||shell\n`);
  writeFileSync(join(home.config, "hivemind.snapshot.20260101T000000.env"), rows.join(""));
  const stored = contentsOf(home.config);
  writeFileSync(join(home.root, "tmux"), "#!/bin/sh\necho 'lost server' >&2\nexit 1\n", { mode: 0o755 });
  const env = { PATH: `${home.root}:${home.env.PATH}` };
  for (const args of [
    ["teams", "restore"],
    ["teams", "restore", "--dry-run"],
    ["team", "restart", "web"],
  ])
    expect(hivemind(home, args, { env })).toMatchObject({ code: 3, stdout: "" });
  expect(contentsOf(home.config)).toEqual(stored);
});

test("a dry run prints the plan and changes nothing", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  const stored = contentsOf(home.config);
  const { code, stdout } = restore(home, "--dry-run");
  expect(code).toBe(0);
  expect(stdout).toContain("builds 1 window, 4 panes");
  expect(stdout).toContain(`lead  ${idOf(1)} in ${join(home.work, "web.lead")} with claude-opus-4-8 (demo)`);
  expect(contentsOf(home.config)).toEqual(stored);
  expect(() => home.tmux("list-sessions")).toThrow();
});

function start(home: TestHome, ...args: string[]): ChildProcess & { ended: Promise<number | null> } {
  const child = spawn(process.execPath, [mainProgram, ...args], {
    env: home.env,
    cwd: home.work,
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return Object.assign(child, { ended });
}

test("two restores at once open no conversation twice (incident 22)", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  const before = picture(home);
  await killServer(home);
  const both = [start(home, "teams", "restore"), start(home, "teams", "restore")];
  const codes = await Promise.all(both.map(({ ended }) => ended));
  expect(codes).toContain(0);
  const open = readdirSync(join(home.claude, "sessions")).filter(
    (name) => /^\d+\.json$/.test(name) && isRunning(parseInt(name, 10)),
  );
  const ids = open.map(
    (name) => JSON.parse(readFileSync(join(home.claude, "sessions", name), "utf8")).sessionId,
  );
  expect(ids.sort()).toEqual([idOf(1), idOf(3), idOf(4)]);
  expectWhole(home, before);
});

const isRunning = (pid: number) => readProcStat(pid) !== null;

const running = (home: TestHome) => {
  try {
    return home.tmux("list-panes", "-a", "-F", "#{pane_start_command}").split("demo-agent").length - 1;
  } catch {
    return 0;
  }
};

test("Ctrl-C stops after the agents that are being started, and the same command continues", async () => {
  const home = testHome();
  await startFleet(home, crowdedFleet);
  hivemind(home, ["teams", "save"]);
  const before = picture(home);
  await killServer(home);
  const child = start(home, "teams", "restore");
  await until("the first agent", () => running(home) > 0);
  child.kill("SIGINT");
  expect(await child.ended).toBe(1);
  expect(running(home)).toBe(limits.demoStartsAtOnce);
  expectWhole(home, before);
});

test("a session open on another server is not opened again, and the others come back (incident 22)", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  const other = (...args: string[]) =>
    execFileSync("tmux", ["-S", join(home.root, "other.sock"), "-f", "/dev/null", ...args], {
      env: home.env,
    });
  onTestFinished(() => void other("kill-server"));
  const program = [process.execPath, demoAgent, "--resume", idOf(1)];
  other("new-session", "-d", "-c", join(home.work, "web.lead"), ...program);
  const pid = String(other("list-panes", "-F", "#{pane_pid}")).trim();
  await until("it runs", () => existsSync(join(home.claude, "sessions", `${pid}.json`)));
  const { code, stdout, stderr } = restore(home);
  expect(code).toBe(1);
  expect(stderr).toMatch(/✗ lead {2}web:0\.0: session \S+ is open already/);
  expect(stdout).toContain("2 agents started");
});
