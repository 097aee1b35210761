// What people do to names and windows in tmux itself, seen through the stores.

import { expect, test } from "vitest";
import { openHive } from "../../src/hive.js";
import type { TeamName } from "../../src/names/gates.js";
import { tmuxTeam } from "../command.js";
import { endedTeam, knownRoles } from "../ended-team.js";
import { type TestHome, testHome } from "../home.js";

const team = (name: string) => name as TeamName;

async function teamOf(home: TestHome, name: string) {
  const hive = openHive({ env: home.env });
  tmuxTeam(home, name, 3);
  await endedTeam(hive, team(name));
  return hive;
}

const marks = (home: TestHome) => home.tmux("list-panes", "-a", "-F", "#{@hivemind} #{@hivemind_team}");

test("[PZ1] [SH2] a window that an older tmux session shows too leaves its team as it is", async () => {
  const home = testHome();
  tmuxTeam(home, "keep");
  const hive = await teamOf(home, "alpha");
  const before = [await knownRoles(hive), marks(home)];
  home.tmux("link-window", "-d", "-s", "=alpha:0", "-t", "=keep:5");
  expect((await hive.refreshAll()).events).toEqual([]);
  home.tmux("unlink-window", "-t", "=keep:5");
  expect([await knownRoles(hive), marks(home)]).toEqual(before);

  home.tmux("link-window", "-d", "-s", "=alpha:0", "-t", "=keep:5");
  home.tmux("kill-session", "-t", "=alpha");
  await hive.refreshAll();
  expect(hive.stores.roles.read().rows.map(({ pane }) => pane)).toEqual(["keep:5.0", "keep:5.1", "keep:5.2"]);
  expect(await knownRoles(hive)).toEqual(before[0]);
});

test("[PZ1] [M3] a pane that is registered where a younger tmux session shows it is that one's", async () => {
  const home = testHome();
  tmuxTeam(home, "keep");
  home.tmux("new-session", "-d", "-t", "=keep", "-s", "alpha");
  const hive = openHive({ env: home.env });
  const { panes } = await hive.panes();
  expect(panes).toMatchObject([{ address: "keep:0.0", alsoAt: ["alpha:0.0"] }]);
  await hive.emit({ name: "agent.spawned", pane: "alpha:0.0", role: "po" as never, uuid: null });
  expect((await hive.panes()).panes).toMatchObject([{ address: "alpha:0.0", alsoAt: ["keep:0.0"] }]);
  expect(home.tmux("list-sessions", "-F", "#{session_name} #{@hivemind_team}")).toBe(
    "alpha $1|alpha\nkeep \n",
  );
});

test.each([
  ["rename-session", (home: TestHome) => home.tmux("rename-session", "-t", "=alpha", "beta")],
  [
    "join-pane",
    (home: TestHome) => {
      tmuxTeam(home, "beta", 2);
      home.tmux("join-pane", "-d", "-s", "=alpha:0.1", "-t", "=beta:0.0");
    },
  ],
])("[SH4] [MV6] %s onto the name of a team that does not run costs nobody anything", async (_, borrow) => {
  const home = testHome();
  tmuxTeam(home, "zz");
  const hive = await teamOf(home, "beta");
  const rows = () => [
    hive.stores.roles.read().rows,
    hive.stores.sessions.read().rows,
    hive.stores.teams.read().rows,
    hive.stores.queues.panes().map((pane) => hive.stores.queues.read(pane).messages),
  ];
  home.tmux("kill-session", "-t", "=beta");
  await teamOf(home, "alpha");
  const before = rows();
  borrow(home);
  const carried = marks(home);
  for (const look of [1, 2]) {
    const { events, warnings } = await hive.refreshAll();
    expect([events, warnings.length, look]).toEqual([[], 1, look]);
  }
  for (const name of ["alpha", "beta"]) {
    await expect(hive.followMoves(team(name))).rejects.toThrow("the name of a team that does not run");
    expect((await hive.refresh(team(name))).events).toEqual([]);
  }
  expect([rows(), marks(home)]).toEqual([before, carried]);

  const [kept] = before;
  home.tmux("rename-session", "-t", "=beta", "gamma");
  await hive.refreshAll();
  const after = hive.stores.roles.read().rows;
  expect(after.filter(({ pane }) => pane.startsWith("beta:"))).toEqual(kept!.slice(0, 3));
  expect(
    after
      .filter(({ pane }) => !pane.startsWith("beta:"))
      .map(({ role }) => role)
      .sort(),
  ).toEqual(["r0", "r1", "r2"]);
  expect((await hive.refreshAll()).events).toEqual([]);
});

test("[MV6] a team whose name is borrowed can be forgotten, and who borrowed it gets it", async () => {
  const home = testHome();
  tmuxTeam(home, "zz");
  const hive = await teamOf(home, "beta");
  home.tmux("kill-session", "-t", "=beta");
  await teamOf(home, "alpha");
  const { r0, r1, r2 } = await knownRoles(hive);
  home.tmux("rename-session", "-t", "=alpha", "beta");
  await hive.emit({ name: "team.destroyed", team: team("beta") });
  await hive.refreshAll();
  expect(await knownRoles(hive)).toEqual({ r0, r1, r2 });
  expect(hive.stores.teams.read().rows.map((row) => row.team)).toEqual(["beta"]);
  expect(hive.stores.roles.read().rows.map(({ pane }) => pane)).toEqual(["beta:0.0", "beta:0.1", "beta:0.2"]);
});
