// `registry set`, `registry remove`, `agent forget`, `team remove` and `team rename`: what they do to the roster.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome } from "../home.js";

const [first, second] = ["15533422-8bdb-5079-8420-efcdb81dd2e5", "b63de03a-6d49-5f14-9be3-0aac60a859ed"];

interface Agent {
  agent: string;
  pane: string;
  role: string | null;
  uuid: string | null;
  standing: string | null;
  queued: number;
}

const agents = (home: TestHome) =>
  json<{ teams: { agents: Agent[] }[] }>(home, ["status"])
    .teams.flatMap((team) => team.agents)
    .filter(({ agent }) => agent !== null);
const shown = (home: TestHome) =>
  agents(home).map(({ pane, role, standing, queued }) => `${pane} ${role} ${standing} ${queued}`);
const idOf = (home: TestHome, role: string) => agents(home).find((agent) => agent.role === role)!.agent;
const dead = (home: TestHome) => readdirSync(join(home.config, "hivemind.queue", "dead"));

/** `po` and `dev`, each with a message; the pane of `dev` is closed. */
function team(home: TestHome): void {
  tmuxTeam(home, "web", 3);
  hivemind(home, ["team", "register", "web", "the web"]);
  for (const [at, role] of ["po", "dev"].entries()) {
    hivemind(home, ["registry", "set", `web:0.${at}`, role]);
    hivemind(home, ["queue", "append", role, `for ${role}`]);
  }
  home.tmux("kill-pane", "-t", "=web:0.1");
}

test("registry set adds an agent to a pane, or renames the existing one", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  expect(hivemind(home, ["registry", "set", "web:0.1", "po", first!]).stdout).toBe("web:0.1 is po\n");
  const before = idOf(home, "po");
  expect(hivemind(home, ["registry", "set", "web:0.1", "lead"]).stdout).toBe("web:0.1 is lead, was po\n");
  expect(agents(home)).toMatchObject([{ agent: before, pane: "web:0.1", role: "lead", uuid: first }]);
  expect(json(home, ["registry", "list"])).toMatchObject({
    rows: [{ pane: "web:0.1", role: "lead", uuid: first }],
  });
});

test.each<[string, string[], string, string]>([
  ["a role that is present", ["web:0.1", "po"], "web:0.0 is po already", "agent rename web:0.0 ROLE"],
  [
    "a role that is away",
    ["web:0.1", "dev"],
    "web already has an agent dev, which is away",
    "agent forget @",
  ],
  ["a session that another agent has", ["web:0.1", "qa", first!], "po of web has session", "agent forget @"],
])("registry set refuses %s, and says what to type", (_, words, why, hint) => {
  const home = testHome();
  team(home);
  hivemind(home, ["registry", "set", "web:0.0", "po", first!]);
  const before = contentsOf(home.config);
  const { code, stdout, stderr } = hivemind(home, ["registry", "set", ...words]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(why);
  expect(stderr).toContain(hint);
  expect(contentsOf(home.config)).toEqual(before);
});

test.each<[string, (home: TestHome) => string]>([
  ["its role", () => "dev"],
  ["its id", (home) => `@${idOf(home, "dev")}`],
])("agent forget removes an away agent from the roster, named by %s", (_, name) => {
  const home = testHome();
  team(home);
  const [typed, id] = [name(home), idOf(home, "dev")];
  const asked = hivemind(home, ["agent", "forget", typed]);
  expect(asked).toMatchObject({ code: 1, stdout: "" });
  expect(asked.stderr).toContain("this would discard 1 queued message for dev");
  expect(asked.stderr).toContain(`hivemind agent forget @${id} --yes`);
  expect(shown(home)).toEqual(["web:0.0 po present 1", "web:0.1 dev away 1"]);

  expect(json(home, ["agent", "forget", typed, "--yes"])).toMatchObject({
    agent: id,
    role: "dev",
    team: "web",
    pane: "web:0.1",
    uuid: null,
    buried: 1,
  });
  expect(shown(home)).toEqual(["web:0.0 po present 1"]);
  expect(dead(home)).toEqual([expect.stringMatching(new RegExp(`^${id}-`))]);
  expect(hivemind(home, ["agent", "forget", typed])).toMatchObject({ code: 1, stdout: "" });
});

test("agent forget leaves the program in the pane alone, and prints where the messages are", () => {
  const home = testHome();
  team(home);
  const { code, stdout, stderr } = hivemind(home, ["agent", "forget", "web:0.0", "--yes"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "forgot po\n" });
  expect(stderr).toContain(`moved 1 queued message to ${join(home.config, "hivemind.queue")}`);
  expect(shown(home)).toEqual(["web:0.1 dev away 1"]);
  expect(home.tmux("list-panes", "-t", "=web:").trim().split("\n")).toHaveLength(2);
  expect(home.tmux("display-message", "-p", "-t", "=web:0.0", "#{@hivemind}#{@hivemind_agent}").trim()).toBe(
    "",
  );
  // The pane is free for another.
  expect(hivemind(home, ["registry", "set", "web:0.0", "po"]).code).toBe(0);
  expect(shown(home)).toEqual(["web:0.0 po present 0", "web:0.1 dev away 1"]);
});

test("registry remove forgets the agent too", () => {
  const home = testHome();
  team(home);
  expect(hivemind(home, ["registry", "remove", "web:0.1", "--yes"])).toMatchObject({ code: 1 });
  expect(hivemind(home, ["registry", "remove", "dev", "--yes"]).stdout).toBe("removed dev\n");
  expect(hivemind(home, ["registry", "remove", "web:0.0", "--yes"]).stdout).toBe("removed po\n");
  expect(shown(home)).toEqual([]);
  expect(dead(home)).toHaveLength(2);
});

test("team remove forgets its agents, present and away, and asks first", () => {
  const home = testHome();
  team(home);
  expect(hivemind(home, ["team", "remove", "web"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("this would forget 2 agents, 2 queued messages of web"),
  });
  expect(hivemind(home, ["team", "remove", "web", "--yes"]).stdout).toBe(
    "removed web (2 agents, 2 queued messages)\n",
  );
  expect(shown(home)).toEqual([]);
  expect(dead(home)).toHaveLength(2);
  expect(hivemind(home, ["events"]).stdout).toMatch(
    /agent\.forgotten po .*\n.*agent\.forgotten dev .*\n.*team\.destroyed web\n$/,
  );
});

test.each([
  ["that runs", false],
  ["that does not run", true],
])("team rename takes the agents of a team %s with it, present and away", (_, isEnded) => {
  const home = testHome();
  tmuxTeam(home, "keep");
  team(home);
  hivemind(home, ["registry", "refresh"]);
  if (isEnded) home.tmux("kill-session", "-t", "=web");
  const before = agents(home).map(({ agent, role, queued }) => ({ agent, role, queued }));
  expect(hivemind(home, ["team", "rename", "web", "net"])).toMatchObject({
    code: 0,
    stdout: "renamed web to net\n",
  });
  expect(agents(home)).toMatchObject(before);
  expect(shown(home)).toEqual([`net:0.0 po ${isEnded ? "away" : "present"} 1`, "net:0.1 dev away 1"]);
  expect(readFileSync(join(home.config, "hivemind.teams.env"), "utf8")).toBe("net|the web\n");
  expect(hivemind(home, ["team", "rename", "net", "keep"])).toMatchObject({ code: 1 });
  expect(hivemind(home, ["team", "rename", "web", "other"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no team "web"'),
  });
});

test("a team without agents is renamed with its tmux session", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  hivemind(home, ["team", "register", "web", "the web"]);
  expect(hivemind(home, ["team", "rename", "web", "net"]).code).toBe(0);
  expect(home.tmux("list-sessions", "-F", "#{session_name}").trim()).toBe("net");
  expect(readFileSync(join(home.config, "hivemind.teams.env"), "utf8")).toBe("net|the web\n");
});

test("an agent on another tmux server is neither forgotten nor renamed from here", () => {
  const home = testHome();
  tmuxTeam(home, "web", 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "po", second!]);
  const elsewhere = { HIVEMIND_TMUX_SOCKET: join(home.root, "other.sock") };
  for (const words of [
    ["agent", "forget", "po", "--yes"],
    ["team", "remove", "web", "--yes"],
    ["team", "rename", "web", "net"],
  ]) {
    const { code, stderr } = hivemind(home, words, { env: elsewhere });
    expect(code, words.join(" ")).toBe(1);
    expect(stderr).toContain("po of web runs on another tmux server");
  }
  expect(shown(home)).toEqual(["web:0.0 po present 0"]);
});
