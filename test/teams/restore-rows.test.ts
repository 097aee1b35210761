// A team whose snapshot is older than its stores: rows, holds and messages find their agents again.

import { execSync } from "node:child_process";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { restoreTeam } from "../../src/teams/snapshot/restore.js";
import { savedTeams } from "../../src/teams/snapshot/saved-teams.js";
import { hivemind, json } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { killServer, killTeam, panesOf, restore, startFleet } from "./fleets.js";

/**
 * `a` and `c` swapped places and were put on hold after the save, each with a queued message. Then they are lost.
 */
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

/** Every pane: role, session, and the messages queued for its agent. */
function agents(home: TestHome): string[] {
  const { queues } = json<{ queues: { agent: string; messages: { text: string }[] }[] }>(home, [
    "queue",
    "list",
  ]);
  const waiting = new Map(queues.map(({ agent, messages }) => [agent, messages.map(({ text }) => text)]));
  return panesOf(home).map(
    ({ pane, role, uuid, agent }) => `${pane} ${role} ${uuid}: ${waiting.get(agent ?? "") ?? ""}`,
  );
}

test("a shell in an agent's old pane is left alone, and the agent loses nothing until it comes back (incident 20)", async () => {
  const home = testHome();
  await swappedSinceSaved(home);
  home.tmux("new-session", "-d", "-x", "200", "-y", "60", "-s", "web", "sh");
  const { code, stderr } = restore(home);
  expect(code).toBe(1);
  expect(stderr).toMatch(/a {2}web:0\.0: web:0\.0 runs sh\n/);
  expect(agents(home)).toEqual(["web:0.0 null null: ", `web:0.1 c ${idOf(2)}: for c`]);

  // The hint works as printed, also if this is not the default server.
  const typed = /end it \((tmux [^)]*)\)/.exec(stderr)![1]!;
  execSync(typed, { env: { ...home.env, TMUX: "" } });
  expect(restore(home)).toMatchObject({ code: 0, stderr: "" });
  expect(agents(home)).toEqual([`web:0.0 a ${idOf(1)}: for a`, `web:0.1 c ${idOf(2)}: for c`]);
});

test.each<[string, typeof killServer]>([
  [
    "a restore killed after the panes were made continues: renamed agents keep their names, and each has its message",
    killServer,
  ],
  ["the same if the server lives on (incident 45)", (home) => killTeam(home, "web")],
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
  expect(stdout).not.toMatch(/agent\.forgotten|asked/);
  expect(hivemind(home, ["queue", "drain", "a"]).stdout).toContain("put it on hold");
});

test("an agent that is a shell comes back in its shell, with its messages", async () => {
  const home = testHome();
  const run = (...args: string[]) => expect(hivemind(home, args)).toMatchObject({ code: 0 });
  run("team", "setup", "web", "lead", "--kind", "demo");
  run("agent", "spawn", "log", "--team", "web", "--kind", "shell");
  run("queue", "append", "log", "for log");
  run("teams", "save");
  const log = () => panesOf(home).find(({ role }) => role === "log");
  const { agent } = log()!;
  await killServer(home);
  expect(restore(home)).toMatchObject({ code: 0 });
  expect(log()).toMatchObject({ agent, standing: "present" });
  expect(agents(home)[1]).toBe("web:0.1 log null: for log");
});
