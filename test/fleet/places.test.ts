// What users do to names and windows in tmux itself, seen through the roster.

import { expect, test } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import type { TeamName } from "../../src/names/gates.js";
import { tmuxTeam } from "../command.js";
import { endedTeam, knownAgents, rolesIn } from "../ended-team.js";
import { type TestHome, testHome } from "../home.js";

async function teamOf(home: TestHome, name: string): Promise<Hive> {
  const hive = openHive({ env: home.env });
  tmuxTeam(home, name, 3);
  await endedTeam(hive, name as TeamName);
  return hive;
}

const options = (home: TestHome) => home.tmux("list-panes", "-a", "-F", "#{@hivemind} #{@hivemind_team}");
const messages = (hive: Hive) => Object.values(knownAgents(hive)).map((agent) => agent.messages);

test("a window that an older tmux session also shows leaves its team unchanged", async () => {
  const home = testHome();
  tmuxTeam(home, "keep");
  const hive = await teamOf(home, "alpha");
  const before = [rolesIn(hive), knownAgents(hive), options(home)];
  home.tmux("link-window", "-d", "-s", "=alpha:0", "-t", "=keep:5");
  expect((await hive.refreshAll()).events).toEqual([]);
  home.tmux("unlink-window", "-t", "=keep:5");
  expect([rolesIn(hive), knownAgents(hive), options(home)]).toEqual(before);

  home.tmux("link-window", "-d", "-s", "=alpha:0", "-t", "=keep:5");
  home.tmux("kill-session", "-t", "=alpha");
  await hive.refreshAll();
  expect(rolesIn(hive)).toEqual(["keep:5.0 r0", "keep:5.1 r1", "keep:5.2 r2"]);
  expect(knownAgents(hive)).toEqual(before[1]);
});

test("an agent in a window that two tmux sessions show stays in its own team", async () => {
  const home = testHome();
  const hive = await teamOf(home, "zeta");
  home.tmux("new-session", "-d", "-t", "=zeta", "-s", "alpha");
  await hive.change();
  expect(rolesIn(hive)).toEqual(["zeta:0.0 r0", "zeta:0.1 r1", "zeta:0.2 r2"]);
  expect((await hive.panes()).panes[0]).toMatchObject({ address: "zeta:0.0", alsoAt: ["alpha:0.0"] });
});

test.each<[string, (home: TestHome) => void, string[]]>([
  [
    "rename-session",
    (home) => void home.tmux("rename-session", "-t", "=alpha", "beta"),
    // The agents that arrived have no roles: the away agents of beta have them.
    [],
  ],
  [
    "join-pane",
    (home) => {
      tmuxTeam(home, "beta", 2);
      home.tmux("join-pane", "-d", "-s", "=alpha:0.1", "-t", "=beta:0.0");
    },
    ["alpha:0.0 r0", "alpha:0.1 r2"],
  ],
])("%s to the name of a team that does not run loses no session and no message", async (_, act, shown) => {
  const home = testHome();
  tmuxTeam(home, "zz");
  const hive = await teamOf(home, "beta");
  home.tmux("kill-session", "-t", "=beta");
  await teamOf(home, "alpha");
  const before = messages(hive);
  act(home);
  const { warnings } = await hive.refreshAll();
  expect(warnings.filter((line) => /lost the role r\d/.test(line))).toHaveLength(shown.length === 0 ? 3 : 1);
  expect(warnings[0]).toContain("hivemind agent rename @");
  expect(rolesIn(hive)).toEqual(shown);
  expect(messages(hive)).toEqual(before);
  expect((await hive.refreshAll()).events).toEqual([]);
  const [view] = (await hive.viewTeams()).filter(({ team }) => team === "beta");
  expect(view!.agents.filter(({ standing }) => standing === "away").map(({ role }) => role)).toEqual([
    "r0",
    "r1",
    "r2",
  ]);
});

test("a forgotten team leaves its name, and its roles, to the next", async () => {
  const home = testHome();
  tmuxTeam(home, "zz");
  const hive = await teamOf(home, "beta");
  home.tmux("kill-session", "-t", "=beta");
  await teamOf(home, "alpha");
  await hive.change(({ agents }) => ({ agents: agents.filter(({ team }) => team !== "beta") }));
  await hive.emit({ name: "team.destroyed", team: "beta" as TeamName });
  home.tmux("rename-session", "-t", "=alpha", "beta");
  await hive.change();
  expect(hive.stores.teams.read().rows.map(({ team }) => team)).toEqual(["beta"]);
  expect(rolesIn(hive)).toEqual(["beta:0.0 r0", "beta:0.1 r1", "beta:0.2 r2"]);
});
