import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { killServer, panesOf, smallFleet, startFleet } from "./fleets.js";

async function fleet(): Promise<TestHome> {
  const home = testHome();
  await startFleet(home, smallFleet);
  return home;
}

const pidOf = (home: TestHome, at: string) =>
  Number(home.tmux("display-message", "-p", "-t", `=web:${at}`, "#{pane_pid}"));

const at = (home: TestHome, pane: string) => panesOf(home).find((each) => each.pane === pane)!;

/** Its pane stays, like that of every agent that hivemind started. */
async function endAgent(home: TestHome, pane: string): Promise<void> {
  home.tmux("set-option", "-p", "-t", `=web:${pane}`, "remain-on-exit", "on");
  process.kill(pidOf(home, pane), "SIGKILL");
  await until("a dead pane", () => home.tmux("list-panes", "-a", "-F", "#{pane_dead}").includes("1"));
}

test("a restart opens the same conversation in the same pane, and needs no confirmation for a given agent", async () => {
  const home = await fleet();
  const before = pidOf(home, "0.2");
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 0, stderr: "" });
  expect(at(home, "web:0.2")).toMatchObject({ role: "builder", uuid: idOf(3), kind: "demo" });
  expect(pidOf(home, "0.2")).not.toBe(before);
});

test("an ended agent is restarted without confirmation", async () => {
  const home = await fleet();
  await endAgent(home, "0.2");
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 0, stderr: "" });
  expect(at(home, "web:0.2")).toMatchObject({ role: "builder", uuid: idOf(3), kind: "demo" });
});

test("an agent that ended without a conversation does not get the one of an earlier agent with its name", async () => {
  const home = await fleet();
  expect(hivemind(home, ["agent", "kill", "builder", "--forget"]).code).toBe(0);
  expect(hivemind(home, ["agent", "spawn", "builder", "--team", "web", "--kind", "demo"]).code).toBe(0);
  const { pane, uuid } = panesOf(home).find(({ role }) => role === "builder")!;
  expect(uuid).not.toBe(idOf(3));
  await endAgent(home, pane.slice("web:".length));
  const { code, stdout } = hivemind(home, ["agent", "restart", "builder"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("starts fresh") });
  expect(at(home, pane)).toMatchObject({ role: "builder", uuid });
});

test("an ended agent comes back as a fork of its last session, or of a given one", async () => {
  const home = await fleet();
  expect(hivemind(home, ["agent", "respawn", "builder"]).stderr).toContain("an agent runs in web:0.2");
  await endAgent(home, "0.2");
  expect(hivemind(home, ["agent", "respawn", "builder"])).toMatchObject({ code: 0, stderr: "" });
  const first = at(home, "web:0.2");
  expect(first).toMatchObject({ role: "builder", kind: "demo" });
  expect(first.uuid).not.toBe(idOf(3));
  expect(parentOf(home, first.uuid!)).toBe(idOf(3));

  await endAgent(home, "0.2");
  expect(hivemind(home, ["agent", "respawn", "builder", "--from", "lead"]).code).toBe(0);
  expect(parentOf(home, at(home, "web:0.2").uuid!)).toBe(idOf(1));
  expect(at(home, "web:0.0").uuid).toBe(idOf(1));
});

test("[WS6] a fork that ended without a conversation comes back as that fork, not as its parent (incident 15)", async () => {
  const home = testHome();
  const run = (...args: string[]) => hivemind(home, args);
  const scribe = () => at(home, "web:0.1").uuid!;
  const end = () => endAgent(home, "0.1");
  tmuxTeam(home, "web");
  run("team", "register", "web");
  run("agent", "spawn", "scribe", "--team", "web", "--kind", "demo");
  expect(run("send", "scribe", "--wait", "remember the plan")).toMatchObject({ code: 0 });
  const origin = scribe();
  await end();
  run("agent", "respawn", "scribe");
  const fork = scribe();
  await end();
  const short = (id: string) => id.slice(0, 8);
  const again = `${short(fork)}, a fork of ${short(origin)} (it had no conversation yet`;
  expect(run("agent", "restart", "scribe").stdout).toContain(again);

  // The records of another fork with the same role are not this fork's either.
  expect(run("send", "scribe", "--wait", "another word")).toMatchObject({ code: 0 });
  await end();
  run("agent", "respawn", "scribe", "--from", origin);
  const second = scribe();
  expect([origin, fork]).not.toContain(second);
  await end();
  const { stdout } = run("team", "restart", "web", "--yes");
  expect(stdout).toContain(`${short(second)}, a fork of ${short(origin)} (it had no conversation yet`);

  // Saved after its end, it is not known to be silent: the hint then works as printed.
  await end();
  run("teams", "save", "web");
  const { code, stderr, stdout: refused } = run("teams", "restore", "--team", "web");
  expect(code).toBe(1);
  const hint = /hivemind (sessions fork .*)/.exec(refused + stderr)![1]!;
  expect(run(...hint.split(" ")).stdout).toContain(`a fork of ${origin}`);
  expect(at(home, "web:0.1")).toMatchObject({ role: "scribe", kind: "demo", activity: "idle" });
});

function parentOf(home: TestHome, uuid: string): string | null {
  return json<{ rows: { parent: string | null }[] }>(home, ["forks", "list", "--uuid", uuid]).rows[0]!.parent;
}

test("a shell is never replaced, and nothing is written", async () => {
  const home = await fleet();
  const before = pidOf(home, "0.1");
  const stored = contentsOf(home.config);
  for (const args of [
    ["agent", "restart", "web:0.1"],
    ["agent", "respawn", "web:0.1"],
    ["agent", "respawn", "web:0.1", "--from", idOf(1)],
    ["agent", "restart", "nobody"],
    ["agent", "respawn", "builder", "--from", "ffffffff"],
  ]) {
    expect(hivemind(home, args)).toMatchObject({ code: 1, stdout: "" });
  }
  expect(pidOf(home, "0.1")).toBe(before);
  expect(contentsOf(home.config)).toEqual(stored);
});

test("a running team is restarted agent by agent; its shells keep running", async () => {
  const home = await fleet();
  const shell = pidOf(home, "0.1");
  expect(hivemind(home, ["team", "restart", "web"]).stderr).toContain("3 running agents of web");
  await endAgent(home, "0.3");
  const { code, stdout } = hivemind(home, ["team", "restart", "web", "--yes"]);
  expect(code).toBe(0);
  expect(stdout).toContain("web: 3 of 3 agents restarted");
  expect(panesOf(home).map(({ uuid }) => uuid)).toEqual([idOf(1), null, idOf(3), idOf(4)]);
  expect(pidOf(home, "0.1")).toBe(shell);
});

test("an away agent comes back in a new pane, in a new tmux session if its team does not run", async () => {
  const home = await fleet();
  home.tmux("kill-pane", "-t", "=web:0.2");
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).find(({ role }) => role === "builder")).toMatchObject({ uuid: idOf(3), kind: "demo" });
  home.tmux("kill-pane", "-t", "=web:0.0");
  expect(hivemind(home, ["agent", "respawn", "lead"])).toMatchObject({ code: 0, stderr: "" });
  const lead = panesOf(home).find(({ role }) => role === "lead")!;
  expect(lead.uuid).not.toBe(idOf(1));
  await killServer(home);
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ role, uuid }) => [role, uuid])).toEqual([["builder", idOf(3)]]);
});

test("a failed start of an away agent closes its pane", async () => {
  const home = await fleet();
  home.tmux("kill-pane", "-t", "=web:0.2");
  home.tmux("set-environment", "-g", "DEMO_CRASH_ON_START", "1");
  const before = panesOf(home).length;
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 1, stdout: "" });
  expect(panesOf(home)).toHaveLength(before);
});

test("a team that does not run comes back from its newest snapshot", async () => {
  const home = await fleet();
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  expect(hivemind(home, ["team", "restart", "web"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ uuid }) => uuid)).toEqual([idOf(1), null, idOf(3), idOf(4)]);
  const { stderr } = hivemind(home, ["team", "restart", "nothing"]);
  expect(stderr).toContain('no team "nothing" is stored');
});

test("a team that was never saved comes back from its roles and sessions", async () => {
  const home = await fleet();
  await killServer(home);
  const { stderr, stdout } = hivemind(home, ["teams", "restore"]);
  expect({ stdout, stderr }).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("no snapshot exists yet"),
  });
  expect(hivemind(home, ["team", "restart", "web"])).toMatchObject({ code: 0, stderr: "" });
  const back = panesOf(home).filter(({ role }) => role !== null);
  expect(back.map(({ role, uuid }) => [role, uuid])).toEqual([
    ["lead", idOf(1)],
    ["builder", idOf(3)],
    ["scout", idOf(4)],
  ]);
  expect(readFileSync(join(home.config, "hivemind.sessions.env"), "utf8").trim().split("\n")).toHaveLength(3);
});

test("a team that was renamed after it was saved comes back with its agents", async () => {
  const home = await fleet();
  hivemind(home, ["teams", "save"]);
  hivemind(home, ["team", "rename", "web", "net"]);
  await killServer(home);
  expect(hivemind(home, ["team", "restart", "net"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).filter(({ role }) => role !== null)).toMatchObject(
    [1, 3, 4].map((at) => ({ uuid: idOf(at), kind: "demo" })),
  );
});
