import { expect, test } from "vitest";
import { findPaneIn } from "../../src/fleet/find-pane.js";
import { openHive } from "../../src/hive/hive.js";
import type { Role } from "../../src/names/gates.js";
import { openStores } from "../../src/stores/stores.js";
import { renameAgent } from "../../src/teams/rename.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";

async function team(...names: string[]): Promise<TestHome> {
  const home = testHome();
  startAgents(home, "alpha", ...names.map((name) => ["-n", name]));
  await idleAgents(home, names.length);
  hivemind(home, ["team", "register", "alpha"]);
  hivemind(home, ["registry", "refresh"]);
  return home;
}

const title = (home: TestHome, pane: string) =>
  home.tmux("display-message", "-p", "-t", `=${pane}`, "#{pane_title}").trim();
const placedRoles = (home: TestHome) =>
  openStores(home.env)
    .roles.read()
    .rows.map(({ pane, role }) => `${pane} ${role}`)
    .sort();
const roles = (home: TestHome) =>
  openStores(home.env)
    .roles.read()
    .rows.map(({ role }) => role);

test("the new role is in the roster, the title and the client", async () => {
  const home = await team("lead", "builder");
  expect(hivemind(home, ["agent", "rename", "builder", "tester"])).toMatchObject({
    code: 0,
    stdout: "alpha:0.1 is tester now (was builder)\n",
    stderr: "",
  });
  expect(roles(home)).toEqual(["lead", "tester"]);
  expect(home.tmux("display-message", "-p", "-t", "=alpha:0.1", "#{@hivemind}")).toMatch(
    /\|alpha:0\.1\|tester/,
  );
  await until("its title", () => title(home, "alpha:0.1") === "✳ tester");
  expect(hivemind(home, ["events"]).stdout).toContain("agent.renamed alpha:0.1 builder tester ");
  expect(hivemind(home, ["agent", "rename", "tester", "tester"])).toMatchObject({
    code: 0,
    stdout: "alpha:0.1 is tester\n",
  });
});

test("while its box has a draft the stores change, and the output says what is left to do (incident 46)", async () => {
  const home = await team("lead");
  home.tmux("send-keys", "-t", "=alpha:0.0", "-l", "my words");
  await until("the draft", () => home.tmux("capture-pane", "-p", "-t", "=alpha:0.0").includes("my words"));
  const { code, stderr } = hivemind(home, ["agent", "rename", "lead", "chief"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /not typed into the agent: its input box holds an unsent draft.*\n {2}type it there yourself: \/rename chief/,
  );
  expect(roles(home)).toEqual(["chief"]);
  expect(home.tmux("capture-pane", "-p", "-t", "=alpha:0.0")).toContain("❯\u00a0my words\n");
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
  expect(roles(home)).toEqual(["chief"]);
});

test("moved panes are followed first: the other agent keeps its role and messages (incident 45)", async () => {
  const home = await team("lead", "builder");
  hivemind(home, ["queue", "append", "builder", "for the builder"]);
  home.tmux("swap-pane", "-d", "-s", "=alpha:0.0", "-t", "=alpha:0.1");
  expect(hivemind(home, ["agent", "rename", "lead", "chief"]).code).toBe(0);
  expect(placedRoles(home)).toEqual(["alpha:0.0 builder", "alpha:0.1 chief"]);
  expect(hivemind(home, ["queue", "list", "builder"]).stdout).toContain("for the builder");
});

test("a pane that moved after it was given is renamed at its new address (incident 45)", async () => {
  const home = testHome();
  tmuxTeam(home, "alpha", 2);
  hivemind(home, ["registry", "set", "alpha:0.0", "one"]);
  hivemind(home, ["registry", "set", "alpha:0.1", "two"]);
  const hive = openHive({ env: home.env });
  const named = findPaneIn(await hive.panes(), "alpha:0.0");
  home.tmux("swap-pane", "-d", "-s", "=alpha:0.0", "-t", "=alpha:0.1");
  const world = hive.teamWorld({ progress() {}, note() {} });
  expect(await renameAgent(world, named, "three" as Role)).toMatchObject({ pane: "alpha:0.1", old: "one" });
  expect(placedRoles(home)).toEqual(["alpha:0.0 two", "alpha:0.1 three"]);
});

test("while a message is being typed the stores change, and nothing is typed into that message", async () => {
  const home = await team("lead");
  const stores = openStores(home.env);
  await stores.queues.whileDraining(stores.roster.read().agents[0]!.id, async () => {
    const { code, stderr } = hivemind(home, ["agent", "rename", "lead", "chief"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(
        `not typed into the agent: process ${process.pid} is typing into it\\n {2}type it there yourself: /rename`,
      ),
    );
  });
  expect(roles(home)).toEqual(["chief"]);
  expect(home.tmux("capture-pane", "-p", "-t", "=alpha:0.0")).not.toContain("chief");
});

test("a role of another agent is refused, and so is an invalid role (incident 3)", async () => {
  const home = await team("lead", "builder");
  for (const [args, why] of [
    [["builder", "lead"], /alpha:0\.0 is lead already/],
    [["builder", "Read session/x"], /a role starts with a letter/],
    [["nobody", "tester"], /no agent has the role/],
  ] as const) {
    const { code, stdout, stderr } = hivemind(home, ["agent", "rename", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(why);
  }
  expect(roles(home)).toEqual(["lead", "builder"]);
  expect(title(home, "alpha:0.1")).toBe("✳ builder");
});

test("an agent of a team file gets its name there", async () => {
  const home = testHome();
  startAgents(home, "alpha", ["-n", "teamctl:web4:lead"]);
  await idleAgents(home, 1);
  const { code, stderr } = hivemind(home, ["agent", "rename", "alpha:0.0", "chief"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/its name "lead" comes from the team file of web4/);
  expect(roles(home)).toEqual([]);
});

test("a pane without agent and role cannot be renamed; one with a role keeps its row", () => {
  const home = testHome();
  tmuxTeam(home, "alpha", 2);
  expect(hivemind(home, ["agent", "rename", "alpha:0.0", "lead"]).code).toBe(1);
  hivemind(home, ["registry", "set", "alpha:0.1", "shell"]);
  expect(hivemind(home, ["agent", "rename", "shell", "console"]).code).toBe(0);
  expect(roles(home)).toEqual(["console"]);
});
