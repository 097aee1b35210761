// A pane that stands where an agent was is not taken for that agent, by any command.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoAgent, hivemind, json, tmuxTeam } from "../command.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";
import { idleAgents, startAgents } from "./agents.js";

const [first, second, third] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
  "2d65a42d-0000-4000-8000-00000000000a",
] as const;

const file = (home: TestHome, name: string) => readFileSync(join(home.config, name), "utf8");
const roles = (home: TestHome) => file(home, "hivemind.roles.env").replaceAll(/\|\d+$/gm, "");

interface Seen {
  pane: string;
  role: string | null;
  uuid: string | null;
  standing: string | null;
  queued: number;
}

const seen = (home: TestHome) =>
  json<{ teams: { agents: Seen[] }[] }>(home, ["status"]).teams.flatMap(({ agents }) => agents);
const shown = (home: TestHome) =>
  seen(home).map(({ pane, role, standing }) => `${pane} ${role} ${standing ?? "nobody"}`);

function startStranger(home: TestHome, ...place: string[]): void {
  const argv = [process.execPath, demoAgent, "--session-id", third, "-n", "stranger"];
  home.tmux(...place, "-c", home.work, ...paneVariables(home.env), ...argv);
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

async function endServer(home: TestHome): Promise<void> {
  home.tmux("kill-server");
  await until("that server to be gone", () => !isAnswering(home));
}

test("[RN4] an agent at a closed pane's address is not named, messaged or ended as the old one (incident 45)", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", first, "-n", "po"], ["--session-id", second, "-n", "dev"]);
  await idleAgents(home, 2);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  startStranger(home, "split-window", "-d", "-t", "=web:0.0");
  await idleAgents(home, 2);
  expect(shown(home)).toEqual(["web:0.0 po present", "web:0.1 null nobody", "web:0.1 dev away"]);
  const { code, stderr } = hivemind(home, ["agent", "kill", "dev", "--yes"]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("dev of web is away") });
  expect(stderr).toMatch(/hivemind agent restart @[a-z2-7]{10}/);
  await idleAgents(home, 2);
});

test("agents of an ended tmux session are away in the next one of its name, and no new agent inherits them", async () => {
  const home = testHome();
  tmuxTeam(home, "keep", 1);
  tmuxTeam(home, "web", 3);
  hivemind(home, ["team", "register", "web"]);
  for (const [at, role] of ["po", "dev", "qa"].entries())
    hivemind(home, ["registry", "set", `web:0.${at}`, role]);
  hivemind(home, ["queue", "append", "po", "for po"]);
  home.tmux("kill-session", "-t", "=web");
  startStranger(home, "new-session", "-d", "-s", "web");
  home.tmux("split-window", "-d", "-t", "=web:0.0", "sh");
  await idleAgents(home, 1);
  hivemind(home, ["registry", "refresh"]);
  expect(shown(home)).toEqual([
    "keep:0.0 null nobody",
    "web:0.0 stranger present",
    "web:0.1 null nobody",
    "web:0.0 po away",
    "web:0.1 dev away",
    "web:0.2 qa away",
  ]);
  expect(roles(home)).toBe("web:0.0|stranger\n");
  expect(seen(home).filter(({ queued }) => queued > 0)).toMatchObject([{ role: "po", standing: "away" }]);
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(0);
  expect(hivemind(home, ["status"]).stdout).toMatch(
    /^ {2}web:0\.0 +po +– +away .*\n(?:.*\n)* {2}bring one back: hivemind agent restart NAME$/m,
  );
});

test("the hint below the table names the command that restores them", () => {
  const home = testHome();
  tmuxTeam(home, "keep", 1);
  tmuxTeam(home, "web", 2);
  hivemind(home, ["registry", "set", "web:0.0", "po"]);
  hivemind(home, ["registry", "set", "web:0.1", "dev"]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  expect(hivemind(home, ["status"]).stdout).toContain("\n  bring it back: hivemind agent restart dev\n");
  home.tmux("kill-session", "-t", "=web");
  expect(hivemind(home, ["status"]).stdout).toContain("\n  bring them back: hivemind team restart web\n");
});

test("an agent confirmed by its session is recognised again, under any title", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", first, "-n", "po"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  tmuxTeam(home, "keep", 1);
  home.tmux("kill-session", "-t", "=web");
  startAgents(home, "web", ["--session-id", first, "-n", "My own words"]);
  await idleAgents(home, 1);
  expect(shown(home)).toContain("web:0.0 po present");
  expect(hivemind(home, ["agent", "spawn", "po", "--team", "web", "--kind", "demo"]).stderr).toContain(
    "web:0.0 is po already",
  );
});

test("an agent that gets a role at a closed pane's address gets nothing else of the old agent", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  hivemind(home, ["registry", "set", "web:0.1", "dev", first]);
  hivemind(home, ["queue", "append", "web:0.1", "for dev"]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  home.tmux("split-window", "-d", "-t", "=web:0.0", "cat");
  expect(hivemind(home, ["registry", "set", "web:0.1", "foo"]).stdout).toBe("web:0.1 is foo\n");
  expect(file(home, "hivemind.sessions.env")).toBe("");
  expect(seen(home)).toMatchObject([
    { pane: "web:0.0", role: null },
    { pane: "web:0.1", role: "foo", uuid: null, standing: "present", queued: 0 },
    { pane: "web:0.1", role: "dev", uuid: first, standing: "away", queued: 1 },
  ]);
});

test("ending a stranger at an agent's old address leaves that agent's rows, hold and messages", async () => {
  const home = testHome();
  tmuxTeam(home, "web", 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "po", first]);
  hivemind(home, ["hold", "po"]);
  hivemind(home, ["queue", "append", "po", "for po"]);
  await endServer(home);
  tmuxTeam(home, "web", 2);
  const before = [seen(home).filter(({ role }) => role === "po"), file(home, "hivemind.state.env")];
  expect(hivemind(home, ["agent", "kill", "web:0.0", "--yes"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ended unnamed .* in web:0\.0\n$/),
  });
  expect([seen(home).filter(({ role }) => role === "po"), file(home, "hivemind.state.env")]).toEqual(before);
  expect(home.tmux("list-panes", "-t", "=web:").trim().split("\n")).toHaveLength(1);
});
