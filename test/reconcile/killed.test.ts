// `fix` is killed with -9 at each step of its work, and a second one finishes it.

import { spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import type { TeamName } from "../../src/names/gates.js";
import { repairAll } from "../../src/reconcile/apply.js";
import { lookAt } from "../../src/reconcile/look.js";
import { tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { endedTeam, knownAgents } from "../ended-team.js";
import { fixturePrograms } from "../fixture-programs.js";
import { type TestHome, testHome } from "../home.js";

const program = fixturePrograms("reconcile/killed-fixer");

/** Moved panes, a lost row, rows and messages of a missing pane, queues without an owner. */
function damage(home: TestHome, round: number): void {
  home.tmux("swap-pane", "-d", "-s", "=a:0.0", "-t", "=a:0.1");
  const now = Math.floor(Date.now() / 1000);
  const at = (name: string) => join(home.config, name);
  const roles = readFileSync(at("hivemind.roles.env"), "utf8");
  writeFileSync(at("hivemind.roles.env"), `${roles.replace(/.*\|r1\|.*\n/, "")}a:0.9|ghost|${now}\n`);
  appendFileSync(at("hivemind.sessions.env"), "a:0.9|4781d7b3-adbd-552c-8b9d-e2b69c15fed4\n");
  writeFileSync(at("hivemind.queue/a_0_9.queue"), `${now}|inform|ghost ${round}\n`);
  writeFileSync(at("hivemind.queue/a_0_8.queue"), "");
  writeFileSync(at("hivemind.queue/a_0_7.queue"), `${now - 90_000}|inform|expired ${round}\n`);
}

function deadTexts(home: TestHome): string[] {
  const folder = join(home.config, "hivemind.queue", "dead");
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return lines.filter((line) => line !== "").map((line) => line.split("|").at(-1)!);
}

test("[RA5] a fix killed at any step is finished by the next, and nothing is lost (incident 20)", async () => {
  const home = testHome();
  tmuxTeam(home, "a", 3);
  const hive = openHive({ env: home.env });
  await endedTeam(hive, "a" as TeamName);
  const before = knownAgents(hive);
  const world = hive.reconcileWorld({ progress: () => {}, note: () => {} });
  const fix = async () =>
    (await repairAll(world, await lookAt(world, null), { only: null, dropsBroken: true })).after.violations;
  /** The agents of the team, and the one from another program. */
  const agents = () => {
    const { ghost, ...others } = Object.fromEntries(
      Object.entries(knownAgents(hive)).map(([id, agent]) => [agent.role === "ghost" ? "ghost" : id, agent]),
    );
    return { ghost, others };
  };

  const ghosts: string[] = [];
  const expired: string[] = [];
  let lineage = "";
  let round = 0;
  for (let isKilled = true; isKilled; round++) {
    damage(home, round);
    ghosts.push(`ghost ${round}`);
    expired.push(`expired ${round}`);
    isKilled =
      spawnSync(process.execPath, [program("killed-fixer"), String(round)], { env: home.env }).signal ===
      "SIGKILL";
    const when = `killed at step ${round}`;
    expect(await fix(), when).toEqual([]);
    // A message for an away agent is no violation; any change imports it.
    await hive.change();
    expect(agents().others, when).toEqual(before);
    expect(agents().ghost?.messages, when).toEqual(ghosts);
    expect(deadTexts(home).sort(), when).toEqual([...expired].sort());
    const { "hivemind.forks.env": forks = "" } = contentsOf(home.config);
    expect(forks.startsWith(lineage), when).toBe(true);
    lineage = forks;
  }
  expect(round).toBeGreaterThan(6);
  const after = contentsOf(home.config);
  expect(await fix()).toEqual([]);
  expect(contentsOf(home.config)).toEqual(after);
}, 120_000);
