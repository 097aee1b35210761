import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import type { Role, TeamName } from "../../src/names/gates.js";
import { setUpTeam } from "../../src/teams/setup.js";
import { demoAgent, hivemind, json, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";

interface Status {
  teams: {
    team: string;
    registered: boolean;
    agents: { pane: string; role: string; uuid: string; cwd: string }[];
  }[];
}

/** A `claude` that is the demo agent, except for the role `bad`, which ends at once with an error. */
function clientIn(home: TestHome): Record<string, string> {
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  const script = `#!/usr/bin/env node
if (process.argv.includes("bad")) { console.error("cannot log in"); process.exit(3); }
import(${JSON.stringify(demoAgent)});
`;
  writeFileSync(join(bin, "claude"), script, { mode: 0o755 });
  return { PATH: `${bin}:${home.env.PATH}` };
}

const sessions = (home: TestHome) => {
  try {
    return home.tmux("list-sessions", "-F", "#S").trim();
  } catch {
    return "";
  }
};

test("one pane per role, tiled, each agent up and registered", () => {
  const home = testHome();
  const { code, stdout, stderr } = hivemind(home, [
    "team",
    "setup",
    "web",
    "lead",
    "builder",
    "tester",
    "--kind",
    "demo",
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^✓ lead in web:0\.0\n✓ builder in web:0\.1\n✓ tester in web:0\.2\nlook at it: /);
  const [web] = json<Status>(home, ["status", "web"]).teams;
  expect(web).toMatchObject({
    registered: true,
    agents: ["lead", "builder", "tester"].map((role, at) => ({
      pane: `web:0.${at}`,
      role,
      kind: "demo",
      activity: "idle",
      state: "stable",
    })),
  });
  expect(home.tmux("display-message", "-p", "-t", "=web:0.0", "#{window_width}x#{window_height}")).toBe(
    "200x50\n",
  );
  expect(json<{ rows: { role: string }[] }>(home, ["forks", "list"]).rows.map(({ role }) => role)).toEqual([
    "lead",
    "builder",
    "tester",
  ]);
});

test("a failed agent is reported with its last output, and the others start (incident 21)", () => {
  const home = testHome();
  const ran = hivemind(home, ["team", "setup", "web", "lead", "bad", "tester"], { env: clientIn(home) });
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/^✓ lead in web:0\.0\n✓ tester in web:0\.2\n/);
  expect(ran.stderr).toMatch(/bad: .*status 3.*cannot log in/);
  const [web] = json<Status>(home, ["status", "web"]).teams;
  expect(web!.agents.map(({ role }) => role)).toEqual(["lead", null, "tester"]);
});

test("if none comes up nothing is left, and the name is free again", () => {
  const home = testHome();
  const ran = hivemind(home, ["team", "setup", "web", "bad"], { env: clientIn(home) });
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toMatch(/cannot log in.*\n.*no agent started, so \S+ was removed again/);
  expect(sessions(home)).toBe("");
  expect(json<Status>(home, ["status"]).teams).toEqual([]);
  expect(hivemind(home, ["team", "setup", "web", "lead", "--kind", "demo"]).code).toBe(0);
});

test("if none comes up, messages for agents of an earlier team with this name stay", () => {
  const home = testHome();
  const rows = join(home.config, "hivemind.roles.env");
  mkdirSync(home.config);
  writeFileSync(rows, "web:0.1|po|1700000000\n");
  expect(hivemind(home, ["team", "setup", "web", "bad"], { env: clientIn(home) }).code).toBe(1);
  expect(sessions(home)).toBe("");
  expect(readFileSync(rows, "utf8")).toBe("web:0.1|po|1700000000\n");
});

test("a name in use or an invalid name is refused before anything is made", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  hivemind(home, ["team", "register", "alpha"]);
  tmuxTeam(home, "gone");
  hivemind(home, ["team", "register", "gone"]);
  home.tmux("kill-session", "-t", "=gone");
  home.tmux("new-session", "-d", "-s", "mixed", "--", "env", "HIVEMIND_ROLE=lead", "cat");
  home.tmux("split-window", "-t", "=mixed:", "cat");
  for (const [args, code, why] of [
    [["alpha", "lead"], 1, /tmux session "alpha" exists already/],
    [["mixed", "lead"], 1, /"mixed" exists already\n.* hivemind agent spawn ROLE --team mixed\n/],
    [["gone", "lead"], 1, /team "gone" exists already; it is not running/],
    [["web", "lead", "lead"], 1, /lead is given twice/],
    [["web", "lead", "a|b"], 1, /a role starts/],
    [["web", "lead tester"], 1, /a role starts/],
    [["we.b", "lead"], 1, /a team name is/],
    [["web", "lead", "--cwd", "/nowhere"], 1, /no folder/],
    [["web", "lead", "--cwd", "/"], 1, /--allow-broad-cwd/],
    [["web", "lead", "--kind", "shell"], 2, /is not a kind of agent/],
    [["web"], 2, /roles/],
  ] as const) {
    const ran = hivemind(home, ["team", "setup", "--kind", "demo", ...args]);
    expect({ code: ran.code, stdout: ran.stdout }, ran.stderr).toEqual({ code, stdout: "" });
    expect(ran.stderr).toMatch(why);
  }
  expect(sessions(home)).toBe("alpha\nmixed");
  expect(hivemind(home, ["agent", "spawn", "lead", "--team", "mixed", "--kind", "demo"]).code).toBe(0);
});

test("twelve agents get windows in which each pane is readable", () => {
  const home = testHome();
  const roles = Array.from({ length: 12 }, (_, at) => `r${at}`);
  const cwd = join(home.work, "project");
  mkdirSync(cwd);
  expect(hivemind(home, ["team", "setup", "web", ...roles, "--kind", "demo", "--cwd", cwd]).code).toBe(0);
  const [web] = json<Status>(home, ["status", "web"]).teams;
  expect(web!.agents.map(({ role }) => role)).toEqual(roles);
  expect(new Set(web!.agents.map((agent) => agent.cwd)).size).toBe(1);
  const sizes = home
    .tmux("list-panes", "-s", "-t", "=web", "-F", "#{pane_width} #{pane_height}")
    .trim()
    .split("\n");
  for (const size of sizes) {
    const [width, height] = size.split(" ").map(Number);
    expect(width).toBeGreaterThanOrEqual(60);
    expect(height).toBeGreaterThanOrEqual(12);
  }
});

test("Ctrl-C lets the agent that is starting come up, and leaves no pane for the others", async () => {
  const home = testHome();
  const stopped = new AbortController();
  const hive = openHive({ env: home.env });
  // Printed just before the first agent starts.
  const voice = { progress: () => stopped.abort(), note: () => {} };
  const roles = ["lead", "builder", "tester"] as Role[];
  const setup = { team: "web" as TeamName, roles, kind: "demo" as const, cwd: home.work };
  const { seats } = await setUpTeam(hive.teamWorld(voice, stopped.signal), setup);
  expect(seats.map(({ why }) => why)).toEqual([null, "not started: interrupted", "not started: interrupted"]);
  expect(home.tmux("list-panes", "-a", "-F", "#S:#I.#P")).toBe("web:0.0\n");
});
