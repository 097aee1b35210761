import { expect, test } from "vitest";
import { findPaneIn } from "../../src/fleet/find-pane.js";
import { openHive } from "../../src/hive.js";
import type { PaneAddress, Role } from "../../src/names/gates.js";
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

test("[RE2] its rows, its mark, its title, and the client itself", async () => {
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
  expect(hivemind(home, ["events"]).stdout).toContain("agent.renamed alpha:0.1 builder tester\n");
  expect(hivemind(home, ["agent", "rename", "tester", "tester"])).toMatchObject({
    code: 0,
    stdout: "alpha:0.1 is tester\n",
  });
});

test("[RE2] while a draft stands in its box the stores follow, and the rest is said and left to do (incident 46)", async () => {
  const home = await team("lead");
  home.tmux("send-keys", "-t", "=alpha:0.0", "-l", "my words");
  await until("the draft", () => home.tmux("capture-pane", "-p", "-t", "=alpha:0.0").includes("my words"));
  const { code, stderr } = hivemind(home, ["agent", "rename", "lead", "chief"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/not renamed: somebody's draft.*\n {2}type it there later: \/rename chief/);
  expect(roles(home)).toEqual(["chief"]);
  expect(home.tmux("capture-pane", "-p", "-t", "=alpha:0.0")).toContain("❯\u00a0my words\n");
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
  expect(roles(home)).toEqual(["chief"]);
});

test("[RE2] what moved before it is followed first: the other one keeps its role and messages (incident 45)", async () => {
  const home = await team("lead", "builder");
  hivemind(home, ["queue", "append", "builder", "for the builder"]);
  home.tmux("swap-pane", "-d", "-s", "=alpha:0.0", "-t", "=alpha:0.1");
  expect(hivemind(home, ["agent", "rename", "lead", "chief"]).code).toBe(0);
  expect(placedRoles(home)).toEqual(["alpha:0.0 builder", "alpha:0.1 chief"]);
  expect(hivemind(home, ["queue", "list", "builder"]).stdout).toContain("for the builder");
});

test("[RE2] a pane that moved since it was named is renamed where it stands now (incident 45)", async () => {
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

test("[RE2] while a message is said to it the stores follow, and nothing is typed beside that message", async () => {
  const home = await team("lead");
  await openStores(home.env).queues.whileDraining("alpha:0.0" as PaneAddress, async () => {
    const { code, stderr } = hivemind(home, ["agent", "rename", "lead", "chief"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(
        `not renamed: process ${process.pid} says something to it\\n {2}type it there later: /rename`,
      ),
    );
  });
  expect(roles(home)).toEqual(["chief"]);
  expect(home.tmux("capture-pane", "-p", "-t", "=alpha:0.0")).not.toContain("chief");
});

test("[RE1] a role that another one has is refused, and so is what is no role (incident 3)", async () => {
  const home = await team("lead", "builder");
  for (const [args, why] of [
    [["builder", "lead"], /alpha:0\.0 is lead already/],
    [["builder", "Read session/x"], /a role starts with a letter/],
    [["nobody", "tester"], /nobody has the role/],
  ] as const) {
    const { code, stdout, stderr } = hivemind(home, ["agent", "rename", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(why);
  }
  expect(roles(home)).toEqual(["lead", "builder"]);
  expect(title(home, "alpha:0.1")).toBe("✳ builder");
});

test("[RE3] an agent of a team file is named there", async () => {
  const home = testHome();
  startAgents(home, "alpha", ["-n", "teamctl:web4:lead"]);
  await idleAgents(home, 1);
  const { code, stderr } = hivemind(home, ["agent", "rename", "alpha:0.0", "chief"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/"lead" of the team file of web4/);
  expect(roles(home)).toEqual([]);
});

test("a pane without agent and role has nothing to rename; one that has a role keeps its row", () => {
  const home = testHome();
  tmuxTeam(home, "alpha", 2);
  expect(hivemind(home, ["agent", "rename", "alpha:0.0", "lead"]).code).toBe(1);
  hivemind(home, ["registry", "set", "alpha:0.1", "shell"]);
  expect(hivemind(home, ["agent", "rename", "shell", "console"]).code).toBe(0);
  expect(roles(home)).toEqual(["console"]);
});
