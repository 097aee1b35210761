import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import {
  type AgentPane,
  ended,
  program,
  runAgent,
  startAgent,
  transcriptPath,
} from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { chosen, lookAt, sessionsIn, uuid } from "./look.js";

async function parentAndSilentFork(home: TestHome): Promise<[AgentPane, AgentPane]> {
  const parent = startAgent(home, ["--session-id", uuid(1), "-n", "po"], {
    env: { DEMO_VERSION: "2.1.197" },
  });
  await parent.becomes("idle");
  await parent.say("remember this");
  const fork = startAgent(home, ["--resume", uuid(1), "--fork-session"], {
    env: { DEMO_VERSION: "2.1.197" },
  });
  await fork.becomes("idle");
  return [parent, fork];
}

test("a fork without messages, its parent beside it with the same title and folder: both are right (incident 24)", async () => {
  const home = testHome();
  const [parent, fork] = await parentAndSilentFork(home);
  expect(fork.title()).toBe(parent.title());
  const forkId = fork.registry()?.sessionId;
  expect(forkId).not.toBe(uuid(1));
  expect(existsSync(transcriptPath(home, home.work, forkId))).toBe(false);
  expect(chosen(await lookAt(home, parent.pane))).toEqual({ uuid: uuid(1), source: "registry" });
  expect(chosen(await lookAt(home, fork.pane))).toEqual({ uuid: forkId, source: "registry" });
});

test.each(["/clear", "/branch side", "/rename other", "/compact"])(
  "after %s both are still right",
  async (command) => {
    const home = testHome();
    const [parent, fork] = await parentAndSilentFork(home);
    for (const agent of [parent, fork]) {
      await agent.say("a word");
      const before = agent.registry()?.updatedAt;
      agent.type(command);
      agent.press("Enter");
      await until(
        "the command is done",
        () => agent.registry()?.updatedAt !== before && agent.registry()?.status === "idle",
      );
      await agent.say("another word");
    }
    const ids = [parent, fork].map((agent) => agent.registry()?.sessionId);
    expect(new Set(ids).size).toBe(2);
    expect(await sessionsIn(home, parent, fork)).toEqual(ids);
  },
);

test("no transcript overrides the registry of a live process, not even one that begins with /clear under its name (incident 31)", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid(1), "-n", "po"], {
    env: { DEMO_STALE_REGISTRY: "1" },
  });
  await agent.becomes("idle");
  for (const words of ["first", "/clear", "second"]) await agent.say(words);
  expect(agent.registry()?.sessionId).toBe(uuid(1));
  expect(chosen(await lookAt(home, agent.pane))).toEqual({ uuid: uuid(1), source: "registry" });
});

test("a client that an agent runs as a tool is not taken for the agent", async () => {
  const home = testHome();
  const client = `"${process.execPath}" "${program}"`;
  // The tool is a child of the agent, with the same terminal and TMUX_PANE, the same title, and it is the one that
  // writes.
  const script = `${client} -p "[busy 20000] think" -n po & exec ${client} --session-id ${uuid(1)} -n po`;
  home.tmux(
    "new-session",
    "-d",
    "-x",
    "100",
    "-y",
    "30",
    "-s",
    "nested",
    "-c",
    home.work,
    "sh",
    "-c",
    script,
  );
  await until("both run", () => home.tmux("capture-pane", "-p", "-t", "=nested:").includes("❯"));
  expect(runAgent(home, ["-p", "say a word", "-n", "po"]).status).toBe(0);
  const found = await until("the agent is found", async () => {
    const pane = home.tmux("display-message", "-p", "-t", "=nested:0.0", "#{pane_id}").trim();
    const look = await lookAt(home, pane);
    return look.uuid && look;
  });
  expect(chosen(found)).toEqual({ uuid: uuid(1), source: "registry" });
});

describe("registry files of other processes", () => {
  test("one of a dead process, whose pid another program now has (incident 32)", async () => {
    const home = testHome();
    const agent = startAgent(home, ["--session-id", uuid(1)]);
    await agent.becomes("idle");
    const left = readFileSync(join(home.claude, "sessions", `${agent.pid}.json`), "utf8");
    process.kill(agent.pid, "SIGKILL");
    await ended(agent.pid);
    const fact = (name: string) => home.tmux("display-message", "-p", "-t", agent.pane, `#{${name}}`).trim();
    await until("tmux to notice", () => fact("pane_dead") === "1" || void home.tmux("run-shell", "true"));
    // In its own dead pane the file counts, if tmux still says whose pane it was. tmux 3.8 does not.
    const found = await lookAt(home, agent.pane);
    if (fact("pane_pid") === "") expect(found).toMatchObject({ uuid: null, state: "unknown" });
    else expect(chosen(found)).toEqual({ uuid: uuid(1), source: "registry" });

    const other = startAgent(home, [], { env: { DEMO_NO_REGISTRY: "1" } });
    await other.sees("❯");
    writeFileSync(
      join(home.claude, "sessions", `${other.pid}.json`),
      left.replaceAll(String(agent.pid), String(other.pid)),
    );
    expect(await lookAt(home, other.pane)).toMatchObject({ uuid: null, state: "unknown" });
  });

  test.each(["", "{", '{"pid":', "[1]", '{"pid":"x","sessionId":7}'])(
    "%j beside a running agent is no evidence and no crash",
    async (text) => {
      const home = testHome();
      const agent = startAgent(home, [], { env: { DEMO_NO_REGISTRY: "1" } });
      await agent.sees("❯");
      mkdirSync(join(home.claude, "sessions"), { recursive: true });
      writeFileSync(join(home.claude, "sessions", `${agent.pid}.json`), text);
      expect(await lookAt(home, agent.pane)).toMatchObject({ uuid: null, state: "unknown" });
    },
  );
});

describe("the five states, each in a real pane", () => {
  test("live, then stable, stale, and broken", async () => {
    const home = testHome();
    const agent = startAgent(home, ["--session-id", uuid(1), "-n", "po"]);
    await agent.becomes("idle");
    expect(hivemind(home, ["session", "state", agent.pane])).toMatchObject({ code: 0, stdout: "stable\n" });
    await agent.say("a word");
    expect(hivemind(home, ["session", "state", agent.pane]).stdout).toBe("live\n");
    expect(hivemind(home, ["session", "discover", agent.pane]).stdout).toBe(`${uuid(1)}|live|po\n`);
    expect(hivemind(home, ["claudeCode.session.current", agent.pane]).stdout).toBe(`${uuid(1)}\n`);

    const team = home.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}:0.0").trim();
    hivemind(home, ["registry", "set", team, "po", uuid(1)]);
    agent.press("C-c");
    agent.press("C-c");
    await ended(agent.pid);
    expect(hivemind(home, ["session", "state", team]).stdout).toBe("stale\n");
    rmSync(transcriptPath(home, home.work, uuid(1)));
    expect(hivemind(home, ["session", "discover", team]).stdout).toMatch(
      new RegExp(`^${uuid(1)}\\|broken\\|`),
    );
  });

  test("stable, by a transcript that is older than two minutes", async () => {
    const home = testHome();
    const agent = startAgent(home, ["--session-id", uuid(1), "-n", "po"]);
    await agent.becomes("idle");
    await agent.say("a word");
    const path = transcriptPath(home, home.work, uuid(1));
    const old = new Date(Date.now() - 200_000);
    spawn("touch", ["-d", old.toISOString(), path]);
    await until(
      "the file is old",
      () => hivemind(home, ["session", "state", agent.pane]).stdout === "stable\n",
    );
  });

  test("unknown: nothing on stdout, and exit code 1 for `current`", () => {
    const home = testHome();
    home.tmux("new-session", "-d", "-s", "plain", "cat");
    expect(hivemind(home, ["session", "state", "plain:0.0"])).toEqual({
      code: 0,
      stdout: "unknown\n",
      stderr: "",
    });
    expect(hivemind(home, ["session", "current", "plain:0.0"])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /the session in plain:0\.0 is not known\n.*: hivemind sessions discover %\d+ --explain\n$/,
      ),
    });
    expect(json(home, ["session", "discover", "plain:0.0"])).toMatchObject({
      pane: "plain:0.0",
      uuid: null,
      state: "unknown",
      evidence: [],
    });
    expect(hivemind(home, ["session", "discover", "plain:0.7"])).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("tmux in unusual shapes", () => {
  test("windows and panes that count from 1, a grouped session, a folder with a newline in its name", async () => {
    const home = testHome();
    const folder = join(home.work, "two\nlines\tand tab");
    mkdirSync(folder);
    home.tmux(
      "new-session",
      "-d",
      "-s",
      "keep",
      "cat",
      ";",
      "set-option",
      "-g",
      "base-index",
      "1",
      ";",
      "set-option",
      "-g",
      "pane-base-index",
      "1",
    );
    const agent = startAgent(home, ["--session-id", uuid(1), "-n", "po"], { cwd: folder });
    await agent.becomes("idle");
    await agent.say("a word");
    const team = home.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}").trim();
    home.tmux("new-session", "-d", "-s", "mirror", "-t", team);
    expect(json(home, ["session", "discover", `${team}:1.1`])).toMatchObject({
      uuid: uuid(1),
      paneId: agent.pane,
      pane: `${team}:1.1`,
    });
    expect(json(home, ["session", "discover", "mirror:1.1"])).toMatchObject({
      uuid: uuid(1),
      paneId: agent.pane,
    });
    const { teams } = json<{ teams: { agents: { uuid: string | null; cwd: string }[] }[] }>(home, ["status"]);
    const all = teams.flatMap(({ agents }) => agents).filter((each) => each.uuid === uuid(1));
    expect(all).toHaveLength(1);
    expect(all[0]?.cwd).toBe(folder);
  });

  test("a hundred panes are one tmux spawn for `status` (incident 61)", () => {
    const home = testHome();
    for (let team = 0; team < 10; team++) {
      home.tmux("new-session", "-d", "-x", "200", "-y", "100", "-s", `t${team}`, "cat");
      const splits = Array.from({ length: 9 }, () => [
        "split-window",
        "-d",
        "-t",
        `=t${team}:`,
        "cat",
        ";",
        "select-layout",
        "-t",
        `=t${team}:`,
        "tiled",
        ";",
      ]);
      home.tmux(...splits.flat().slice(0, -1));
    }
    const real = spawnPath();
    const log = join(home.root, "spawns");
    writeFileSync(join(home.root, "tmux"), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${real}' "$@"\n`, {
      mode: 0o755,
    });
    const { code, stdout } = hivemind(home, ["status", "--json"], {
      env: { PATH: `${home.root}:${home.env.PATH}` },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).teams.flatMap(({ agents }: { agents: unknown[] }) => agents)).toHaveLength(100);
    expect(readFileSync(log, "utf8").trim().split("\n")).toHaveLength(1);
  });
});

function spawnPath(): string {
  const folder = (process.env.PATH ?? "").split(":").find((each) => existsSync(join(each, "tmux")));
  return join(folder!, "tmux");
}
