// What is stored of a team whose snapshot is older than it: rows, holds and messages find their agents again.

import { execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive.js";
import { restoreTeam } from "../../src/teams/restore.js";
import { savedTeams } from "../../src/teams/saved-teams.js";
import { hivemind, json } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { killServer, killTeam, panesOf, restore, startFleet } from "./fleets.js";

/** `a` and `c` changed places and were held behind the save; a message waits for each. Then they are lost. */
async function swappedSinceSaved(
  home: TestHome,
  { change = () => {}, lose = killServer }: { change?: () => void; lose?: typeof killServer } = {},
): Promise<void> {
  await startFleet(home, { web: [{ index: 0, name: "all", shape: "even-horizontal", panes: ["a", "c"] }] });
  const run = (...args: string[]) => expect(hivemind(home, args)).toMatchObject({ code: 0 });
  run("teams", "save");
  run("pane", "swap", "a", "c");
  for (const pane of ["web:0.0", "web:0.1"]) run("hold", pane);
  run("queue", "append", "web:0.1", "for a");
  run("queue", "append", "web:0.0", "for c");
  change();
  await lose(home);
}

/** Every agent: role, session, and what waits for it. */
function agents(home: TestHome): string[] {
  const { queues } = json<{ queues: { pane: string; messages: { text: string }[] }[] }>(home, [
    "queue",
    "list",
  ]);
  const waiting = new Map(queues.map(({ pane, messages }) => [pane, messages.map(({ text }) => text)]));
  return panesOf(home).map(({ pane, role, uuid }) => `${pane} ${role} ${uuid}: ${waiting.get(pane) ?? ""}`);
}

const rowsOf = (home: TestHome) =>
  ["roles", "sessions", "state"].map((store) =>
    readFileSync(join(home.config, `hivemind.${store}.env`), "utf8"),
  );

test("[RT3] a shell of the team's name keeps it from coming back, and nothing of it is lost until it does (incident 20)", async () => {
  const home = testHome();
  await swappedSinceSaved(home);
  home.tmux("new-session", "-d", "-x", "200", "-y", "60", "-s", "web", "sh");
  const stored = rowsOf(home);
  const { code, stderr } = restore(home);
  expect(code).toBe(1);
  expect(stderr).toMatch(/a {2}web:0\.0: web:0\.0 runs sh\n/);
  expect(stderr).toMatch(/c {2}web:0\.1: not before web:0\.0 is free/);
  expect(rowsOf(home)).toEqual(stored);
  expect(home.tmux("list-panes", "-a", "-F", "#{pane_id} #{@hivemind}")).toBe("%0 \n");

  // What the hint says works, also where this is not the default server.
  const typed = /end it \((tmux [^)]*)\)/.exec(stderr)![1]!;
  execSync(typed, { env: { ...home.env, TMUX: "" } });
  expect(restore(home)).toMatchObject({ code: 0, stderr: "" });
  expect(agents(home)).toEqual([`web:0.0 a ${idOf(1)}: for a`, `web:0.1 c ${idOf(2)}: for c`]);
});

test.each<[string, typeof killServer]>([
  [
    "[RT2] a restore that was killed once the panes stood goes on: who was renamed since is, and each has its message",
    killServer,
  ],
  [
    "[QH5] it does, and each has its message, also where the server lives on (incident 45)",
    (home) => killTeam(home, "web"),
  ],
])("%s", async (_, lose) => {
  const home = testHome();
  const change = () => expect(hivemind(home, ["agent", "rename", "c", "lead"])).toMatchObject({ code: 0 });
  await swappedSinceSaved(home, { change, lose });
  const hive = openHive({ env: home.env });
  const cutOff = () => Promise.reject(new Error("killed"));
  const world = { ...hive.teamWorld({ progress: () => {}, note: () => {} }), emit: cutOff };
  const [saved] = savedTeams(hive.stores, {}, () => {});
  await expect(hive.whileChanging(saved!.team, () => restoreTeam(world, saved!, false))).rejects.toThrow(
    "killed",
  );
  expect(home.tmux("list-panes", "-s", "-t", "=web").trim().split("\n")).toHaveLength(2);

  expect(restore(home)).toMatchObject({ code: 0, stderr: "" });
  expect(agents(home).filter((agent) => !agent.startsWith("beside:"))).toEqual([
    `web:0.0 a ${idOf(1)}: for a`,
    `web:0.1 lead ${idOf(2)}: for c`,
  ]);
  const { stdout } = hivemind(home, ["events"]);
  expect(stdout).not.toContain("agent.killed");
  expect(rowsOf(home)[2]).toMatch(/^web:0\.[01]\|HELD\|.*\nweb:0\.[01]\|HELD\|/);
});
