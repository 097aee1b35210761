// Who stands where another was is not taken for that one, by any command.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPaneIn } from "../../src/fleet/find-pane.js";
import { storedRows } from "../../src/fleet/moves.js";
import { openHive } from "../../src/hive.js";
import type { Role, TeamName } from "../../src/names/gates.js";
import { adopt, proposeRoles } from "../../src/teams/adopt.js";
import { renameAgent } from "../../src/teams/rename.js";
import { demoAgent, hivemind, json, tmuxTeam } from "../command.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";
import { idleAgents, startAgents } from "./agents.js";

const [first, second, third] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
  "2d65a42d-0000-4000-8000-00000000000a",
] as const;

const path = (home: TestHome, store: string) => join(home.config, `hivemind.${store}.env`);
const roles = (home: TestHome) => readFileSync(path(home, "roles"), "utf8");
const sessions = (home: TestHome) => readFileSync(path(home, "sessions"), "utf8");
const seen = (home: TestHome) =>
  json<{ teams: { agents: { pane: string; role: string | null; uuid: string | null }[] }[] }>(home, [
    "status",
  ])
    .teams.flatMap(({ agents }) => agents)
    .map(({ pane, role, uuid }) => ({ pane, role, uuid }));
const shown = (home: TestHome) => seen(home).map(({ pane, role }) => `${pane} ${role}`);

/** As if all rows were of an hour ago, before the tmux sessions that run now. */
function age(home: TestHome): void {
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  writeFileSync(path(home, "roles"), roles(home).replaceAll(/\|\d+$/gm, `|${hourAgo}`));
}

function startStranger(home: TestHome, ...place: string[]): void {
  const argv = [process.execPath, demoAgent, "--session-id", third, "-n", "stranger"];
  home.tmux(...place, "-c", home.work, ...paneVariables(home.env), ...argv);
}

/** A client that says nothing of its session. */
function startSilent(home: TestHome, ...place: string[]): void {
  const env = { ...home.env, DEMO_NO_REGISTRY: "1" };
  home.tmux(...place, "-c", home.work, ...paneVariables(env), process.execPath, demoAgent);
}

function silentAgents(home: TestHome, count: number): Promise<boolean> {
  return until(`${count} agents`, () => {
    const { teams } = json<{ teams: { agents: { activity: string }[] }[] }>(home, ["status"]);
    const idle = teams.flatMap(({ agents }) => agents).filter(({ activity }) => activity === "idle");
    return idle.length === count;
  });
}

/** One that is just ending still has its socket. */
function isAnswering(home: TestHome): boolean {
  try {
    home.tmux("list-sessions");
    return true;
  } catch (error) {
    return !/no server running|error connecting/.test(String(error));
  }
}

test("[RN5] [GN3] an agent where a registered pane was closed is not named, talked to or ended as that one (incident 45)", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", first, "-n", "po"], ["--session-id", second, "-n", "dev"]);
  await idleAgents(home, 2);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  startStranger(home, "split-window", "-d", "-t", "=web:0.0");
  await idleAgents(home, 2);
  expect(shown(home)).toEqual(["web:0.0 po", "web:0.1 null"]);
  for (const command of [
    ["send", "dev", "for dev only"],
    ["queue", "append", "dev", "for dev only"],
    ["agent", "kill", "dev", "--yes"],
  ]) {
    const { code, stderr } = hivemind(home, command);
    expect({ code, stderr }, command.join(" ")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nobody has the role "dev"'),
    });
  }
  await idleAgents(home, 2);
});

test("[GN4] rows of a tmux session that was ended wait in the next of its name, and nobody there gets them", async () => {
  const home = testHome();
  tmuxTeam(home, "keep", 1);
  tmuxTeam(home, "web", 3);
  hivemind(home, ["team", "register", "web"]);
  for (const [at, role] of ["po", "dev", "qa"].entries())
    hivemind(home, ["registry", "set", `web:0.${at}`, role]);
  home.tmux("kill-session", "-t", "=web");
  age(home);
  const before = roles(home);
  startStranger(home, "new-session", "-d", "-s", "web");
  home.tmux("split-window", "-d", "-t", "=web:0.0", "sh");
  await idleAgents(home, 1);
  const { stderr } = hivemind(home, ["registry", "refresh"]);
  expect(stderr).toContain("unnamed: web:0.0 (its place is kept for po, who was not brought back");
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(0);
  expect(roles(home)).toBe(before);
  expect(shown(home)).toEqual(["keep:0.0 null", "web:0.0 null", "web:0.1 null"]);
  expect(hivemind(home, ["send", "po", "for po"])).toMatchObject({ code: 1 });
  hivemind(home, ["registry", "remove", "web:0.0"]);
  hivemind(home, ["registry", "refresh"]);
  expect(shown(home)).toContain("web:0.0 stranger");
  expect(roles(home)).toMatch(/^web:0\.1\|dev\|\d+\nweb:0\.2\|qa\|\d+\nweb:0\.0\|stranger\|\d+\n$/);
});

test("[KP1] a new agent does not take a place that is kept for another", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.1", "dev"]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  age(home);
  const before = roles(home);
  const spawned = hivemind(home, ["agent", "spawn", "helper", "--team", "web", "--kind", "demo"]);
  expect(spawned).toMatchObject({ code: 1, stdout: "" });
  expect(spawned.stderr).toContain("web:0.1 is kept for dev, who was not brought back");
  expect(spawned.stderr).toContain("hivemind team restart web ");
  expect(roles(home)).toBe(before);
  expect(home.tmux("list-panes", "-t", "=web:").trim().split("\n")).toHaveLength(1);
});

test("[CHD1] what waits at a place is not the session of a shell that stands there, and no restart takes it", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", first, "-n", "po"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  tmuxTeam(home, "keep", 1);
  home.tmux("kill-session", "-t", "=web");
  age(home);
  tmuxTeam(home, "web", 1);
  expect(seen(home)).toContainEqual({ pane: "web:0.0", role: null, uuid: null });
  expect(hivemind(home, ["registry", "refresh"]).stdout).toContain("broken=0");
  for (const verb of ["restart", "respawn"]) {
    const { code, stderr } = hivemind(home, ["agent", verb, "web:0.0"]);
    expect(code).toBe(1);
    expect(stderr).toContain("web:0.0 is kept for po, who was not brought back");
  }
  expect(readFileSync(path(home, "sessions"), "utf8")).toBe(`web:0.0|${first}\n`);
});

test("[RN4] one whom its session alone confirms has its name in every command", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", first, "-n", "po"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  tmuxTeam(home, "keep", 1);
  home.tmux("kill-session", "-t", "=web");
  age(home);
  startAgents(home, "web", ["--session-id", first, "-n", "My own words"]);
  await idleAgents(home, 1);
  expect(shown(home)).toContain("web:0.0 po");
  const saved = json<{ path: string }>(home, ["teams", "save"]).path;
  expect(readFileSync(saved, "utf8")).toContain("\nweb|0.0|po|");
  expect(hivemind(home, ["agent", "spawn", "po", "--team", "web", "--kind", "demo"]).stderr).toContain(
    "web:0.0 is po already",
  );
});

test("[KP2] what is told to type brings back who was not", () => {
  const home = testHome();
  const agent = ["agent", "spawn", "dev", "--team", "web", "--kind", "demo"];
  tmuxTeam(home, "keep", 1);
  tmuxTeam(home, "web", 1);
  hivemind(home, ["team", "register", "web"]);
  expect(hivemind(home, agent).code).toBe(0);
  hivemind(home, ["teams", "save"]);
  home.tmux("kill-session", "-t", "=web");
  age(home);
  tmuxTeam(home, "web", 1);
  const { code, stderr } = hivemind(home, ["team", "restart", "web", "--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain("not brought back: dev");
  expect(stderr).toContain(
    `tmux -S ${home.socket} rename-session -t '=web' NAME – then: hivemind team restart web`,
  );
  home.tmux("rename-session", "-t", "=web", "mine");
  expect(hivemind(home, ["team", "restart", "web", "--yes"]).code).toBe(0);
  expect(shown(home).filter((line) => line.endsWith(" dev"))).toHaveLength(1);
});

test("[KP4] who gets a name where another's pane was closed gets nothing else of that one, by any command", async () => {
  const home = testHome();
  const uuids = { a: first, b: second, c: third };
  for (const [team, uuid] of Object.entries(uuids)) {
    tmuxTeam(home, team, 2);
    hivemind(home, ["registry", "set", `${team}:0.1`, "dev", uuid]);
    hivemind(home, ["queue", "append", `${team}:0.1`, "for dev"]);
    home.tmux("kill-pane", "-t", `=${team}:0.1`);
    startSilent(home, "split-window", "-d", "-t", `=${team}:0.0`);
  }
  await silentAgents(home, 3);
  const hive = openHive({ env: home.env });
  const world = hive.teamWorld({ progress() {}, note() {} });
  const [foo, b] = ["foo" as Role, "b" as TeamName];
  await renameAgent(world, findPaneIn(await hive.panes(), "a:0.1"), foo);
  const fleet = await hive.observe();
  const pane = findPaneIn(fleet, "b:0.1").id;
  await adopt(world, b, proposeRoles(fleet, storedRows(hive.stores), { team: b, pane, role: foo }));
  expect(hivemind(home, ["registry", "set", "c:0.1", "foo"]).stdout).toBe("c:0.1 is foo\n");
  expect(sessions(home)).toBe("");
  expect(seen(home).filter(({ role }) => role !== null)).toEqual(
    Object.keys(uuids).map((team) => ({ pane: `${team}:0.1`, role: "foo", uuid: null })),
  );
  expect(hivemind(home, ["queue", "list"]).stdout).not.toContain("for dev");
  expect(hivemind(home, ["events"]).stdout.match(/agent\.killed .*/g)).toEqual(
    Object.keys(uuids).map((team) => `agent.killed ${team}:0.1 unasked`),
  );
});

test("[KP3] [NMH1] who stands where another is awaited gets no name there, and no command advises one", async () => {
  const home = testHome();
  tmuxTeam(home, "keep", 1);
  tmuxTeam(home, "web", 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "po", first]);
  home.tmux("kill-session", "-t", "=web");
  age(home);
  const before = roles(home);
  startSilent(home, "new-session", "-d", "-s", "web");
  await silentAgents(home, 1);
  const back = `tmux -S ${home.socket} rename-session -t '=web' NAME – then: hivemind team restart web`;
  for (const command of [
    ["agent", "rename", "web:0.0", "foo"],
    ["agent", "rename", "web:0.0", "po"],
    ["agent", "adopt", "web:0.0", "--role", "foo", "--yes"],
    ["agent", "adopt", "web:0.0", "--role", "po", "--yes"],
    ["agent", "adopt", "web", "--yes"],
    ["registry", "set", "web:0.0", "foo"],
    ["registry", "set", "web:0.0", "po", third],
  ])
    expect(hivemind(home, command), command.join(" ")).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "hivemind: web:0.0 is kept for po, who was not brought back\n" +
        `  free its name: ${back} (or forget it: hivemind registry remove web:0.0 )\n`,
    });
  for (const command of [
    ["registry", "refresh"],
    ["consistency", "audit"],
    ["consistency", "fix", "--yes"],
  ]) {
    const { code, stderr } = hivemind(home, command);
    expect(code, command.join(" ")).toBe(0);
    expect(stderr).toContain(`remove web:0.0 ))\n  free its name: ${back}\n`);
    expect(stderr).not.toContain("--role");
  }
  expect(roles(home)).toBe(before);
  expect(sessions(home)).toBe(`web:0.0|${first}\n`);
});

test("[TKI4] to end who stands where another is awaited leaves that one's rows, hold and messages alone", async () => {
  const home = testHome();
  tmuxTeam(home, "web", 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "po", first]);
  hivemind(home, ["hold", "po"]);
  hivemind(home, ["queue", "append", "po", "for po"]);
  home.tmux("kill-server");
  await until("that server to be gone", () => !isAnswering(home));
  age(home);
  tmuxTeam(home, "web", 2);
  hivemind(home, ["queue", "append", "web:0.0", "for who stands there"]);
  const stored = () => [roles(home), sessions(home), readFileSync(path(home, "state"), "utf8")];
  const before = stored();
  const queue = () => readFileSync(join(home.config, "hivemind.queue", "web_0_0.queue"), "utf8");
  expect(queue()).toContain("for who stands there");
  const { code, stdout, stderr } = hivemind(home, ["agent", "kill", "web:0.0", "--yes"]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^ended unnamed .* in web:0\.0\n$/),
  });
  expect(stderr).toContain("messages that waited for it: 1,");
  expect(stored()).toEqual(before);
  expect(queue()).toMatch(/\|for po\n/);
  expect(queue()).not.toContain("for who stands there");
  expect(home.tmux("list-panes", "-t", "=web:").trim().split("\n")).toHaveLength(1);
  expect(hivemind(home, ["events"]).stdout).toContain("agent.killed web:0.0\n");
});

test("[KP4] [TKI3] to end who stands where another's pane was closed buries what was for either of them", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  hivemind(home, ["registry", "set", "web:0.1", "dev", first]);
  hivemind(home, ["queue", "append", "dev", "for dev"]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  home.tmux("split-window", "-d", "-t", "=web:0.0", "cat");
  hivemind(home, ["queue", "append", "web:0.1", "for who stands there"]);
  const { code, stderr } = hivemind(home, ["agent", "kill", "web:0.1", "--yes"]);
  expect(code).toBe(0);
  expect(stderr).toContain("messages that waited for it: 1,");
  expect(hivemind(home, ["queue", "list"]).stdout).not.toContain("for ");
  expect([roles(home), sessions(home)]).toEqual(["", ""]);
});
