import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { idleAgents, startAgents, startBehind } from "../cli/agents.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { testHome } from "../home.js";

interface Adopted {
  team: string;
  done: boolean;
  agents: { pane: string; role: string; uuid: string }[];
}

test("ten unnamed agents become a team in one command (incident 30)", async () => {
  const home = testHome();
  const keylog = join(home.root, "keys");
  home.tmux(
    "start-server",
    ";",
    "set-environment",
    "-g",
    "DEMO_KEYLOG",
    keylog,
    ";",
    "set-option",
    "-g",
    "exit-empty",
    "off",
  );
  startAgents(
    home,
    "alpha",
    ["-n", "lead"],
    ["-n", "Read session/x"],
    ...Array.from({ length: 8 }, () => []),
  );
  const running = await idleAgents(home, 10);
  const { agents, done, team } = json<Adopted>(home, ["agent", "adopt", "alpha", "--yes"]);
  expect({ team, done }).toEqual({ team: "alpha", done: true });
  expect(agents.map(({ role }) => role)).toEqual([
    "lead",
    ...Array.from({ length: 9 }, (_, at) => `demo${at + 1}`),
  ]);
  const status = json<{ teams: { registered: boolean; agents: { role: string; uuid: string }[] }[] }>(home, [
    "status",
  ]);
  expect(status.teams[0]).toMatchObject({ registered: true });
  expect(status.teams[0]!.agents.map(({ role }) => role)).toEqual(agents.map(({ role }) => role));
  const uuids = running.map(({ uuid }) => uuid);
  expect(agents.map(({ uuid }) => uuid)).toEqual(uuids);
  expect(
    openStores(home.env)
      .sessions.read()
      .rows.map(({ uuid }) => uuid),
  ).toEqual(uuids);
  expect(() => readFileSync(keylog)).toThrow(/ENOENT/);
  expect(hivemind(home, ["agent", "adopt", "alpha", "--yes"])).toMatchObject({
    code: 0,
    stdout: "alpha has no agent without a role\n",
  });
});

test("without --yes and without a terminal the plan is shown and nothing changes", async () => {
  const home = testHome();
  startAgents(home, "alpha", ["-n", "lead"], []);
  await idleAgents(home, 2);
  const { code, stdout, stderr } = hivemind(home, ["agent", "adopt", "alpha"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/alpha:0\.0 +lead .*\nalpha:0\.1 +demo1 /);
  expect(stderr).toMatch(/nothing was changed\n.*agent adopt alpha --yes/);
  expect(hivemind(home, ["agent", "adopt", "alpha", "--dry-run"])).toMatchObject({
    code: 0,
    stdout,
    stderr: "",
  });
  expect(hivemind(home, ["team", "list"]).stdout).toMatch(/alpha .* not registered\n/);
  expect(home.tmux("list-panes", "-a", "-F", "#{@hivemind}").trim()).toBe("");
});

test("one pane gets the given role, or is refused", async () => {
  const home = testHome();
  startAgents(home, "alpha", ["-n", "lead"], []);
  await idleAgents(home, 2);
  const adopt = (...args: string[]) => hivemind(home, ["agent", "adopt", ...args, "--yes"]);
  expect(adopt("alpha:0.1", "--role", "tester").code).toBe(0);
  expect(json(home, ["resolve", "tester"])).toMatchObject({ pane: "alpha:0.1" });
  expect(adopt("alpha:0.0", "--role", "tester")).toMatchObject({ code: 1, stdout: "" });
  expect(adopt("alpha:0.0", "--role", "chief")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("alpha:0.0 is lead already\n  hivemind agent rename alpha:0.0 chief"),
  });
  expect(adopt("alpha:0.0", "--role", "a|b")).toMatchObject({ code: 1, stdout: "" });
  expect(adopt("alpha", "--role", "x")).toMatchObject({ code: 2, stdout: "" });
  expect(adopt("gamma")).toMatchObject({ code: 1, stdout: "" });
  expect(adopt()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("which team?") });
});

test("moved panes are followed first: no role and no message goes to another agent (incident 45)", async () => {
  const home = testHome();
  startAgents(home, "alpha", [], []);
  await idleAgents(home, 2);
  hivemind(home, ["registry", "set", "alpha:0.0", "lead"]);
  hivemind(home, ["queue", "append", "lead", "for the lead"]);
  home.tmux("swap-pane", "-d", "-s", "=alpha:0.0", "-t", "=alpha:0.1");
  expect(hivemind(home, ["agent", "adopt", "alpha", "--yes"]).code).toBe(0);
  const rows = openStores(home.env)
    .roles.read()
    .rows.map(({ pane, role }) => `${pane} ${role}`);
  expect(rows.sort()).toEqual(["alpha:0.0 demo1", "alpha:0.1 lead"]);
  expect(hivemind(home, ["queue", "list", "lead"]).stdout).toContain("for the lead");
});

test("an agent keeps its role, and it is not proposed again; shells get none", async () => {
  const home = testHome();
  startAgents(home, "alpha", [], ["-n", "lead"]);
  // Two that start in the same moment give each other's name up.
  await idleAgents(home, 2);
  startBehind(home, "alpha", 1, ["-n", "lead"]);
  await idleAgents(home, 3);
  home.tmux("split-window", "-d", "-t", "=alpha:0.0", "cat");
  hivemind(home, ["registry", "set", "alpha:0.0", "demo1"]);
  const { agents } = json<Adopted>(home, ["agent", "adopt", "alpha", "--yes"]);
  expect(agents.map(({ pane }) => pane)).toEqual(["alpha:0.2", "alpha:0.3"]);
  expect(agents.map(({ role }) => role)).toEqual(["lead", "demo2"]);
});

test("a team without agents has nothing to adopt", () => {
  const home = testHome();
  tmuxTeam(home, "alpha", 2);
  expect(hivemind(home, ["agent", "adopt", "alpha", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(json<Adopted>(home, ["agent", "adopt", "alpha", "--yes"]).agents).toEqual([]);
});

test("two agents in one session get their roles, and neither gets the session (incident 27)", async () => {
  const home = testHome();
  const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";
  startAgents(home, "alpha", ["--session-id", uuid], ["--session-id", uuid], []);
  await idleAgents(home, 3);
  const { agents } = json<Adopted>(home, ["agent", "adopt", "alpha", "--yes"]);
  expect(agents.map((agent) => agent.uuid)).toEqual([null, null, expect.any(String)]);
  const { sessions, roles } = openStores(home.env);
  expect(roles.read().rows.map(({ role }) => role)).toEqual(["demo1", "demo2", "demo3"]);
  expect(sessions.read().rows.map(({ pane }) => pane)).toEqual(["alpha:0.2"]);
});
