// Shared by the commands that start an agent in a team.

import { HiveError } from "../../base/errors.js";
import type { RefreshPlan } from "../../fleet/roster/refresh.js";
import { type PaneId, type TeamName, teamName } from "../../names/gates.js";
import { kindsInWords, paneKinds } from "../../names/kind.js";
import type { Started } from "../../teams/start/start.js";
import type { TeamWorld } from "../../teams/world.js";
import type { Cli, Option } from "../command.js";
import { teamMeant } from "../named-agent.js";
import { shown } from "../output.js";
import { watcherBack } from "../watch/bring-back.js";

export const spawnOptions: readonly Option[] = [
  {
    name: "team",
    about: "its team (default: the team you are in, or the active one)",
    value: "team",
    meaning: "team",
  },
  { name: "cwd", about: "the folder it works in (default: this one)", value: "folder", meaning: "path" },
  {
    name: "kind",
    about: kindsInWords(paneKinds),
    value: "kind",
    choices: paneKinds,
  },
  { name: "model", about: "the model it starts with", value: "model" },
  {
    name: "accept-inbound",
    about: "take other agents' messages even if it bypasses permissions; only a person may use it",
  },
  { name: "mcp", about: "give it hivemind's own tools, which it may call without asking" },
  { name: "allow-broad-cwd", about: "allow / and the home folder as work folders" },
];

/** Holds the team's lock while `work` adds a pane. Registers the tmux session as a team if needed. */
export async function joiningTeam(
  cli: Cli,
  typed: TeamName | null,
  work: (world: TeamWorld, team: TeamName) => Promise<StartedPane>,
): Promise<void> {
  const hive = await cli.hive();
  const team = typed ?? teamName(teamMeant(hive, await hive.panes()));
  await startingIn(cli, team, async (world) => {
    const started = await work(world, team);
    if (!hive.stores.teams.read().rows.some((row) => row.team === team)) {
      await world.emit({ name: "team.created", team, description: "" });
      cli.out.note(`registered ${team} as a team`);
    }
    return [started];
  });
}

/** A pane in which an agent was started. */
type StartedPane = Pick<Started, "pane" | "address">;

/** Holds the team's lock while `work` starts agents, then waits until their sessions are known. The watcher is back, too. */
export async function startingIn(
  cli: Cli,
  team: TeamName,
  work: (world: TeamWorld) => Promise<readonly StartedPane[]>,
): Promise<void> {
  const hive = await cli.hive();
  const world = hive.teamWorld(cli.out, cli.untilInterrupted());
  const unknown = await hive.whileChanging(team, async () => {
    const started = await work(world);
    const { forkRows } = await refreshed(cli, world, team);
    const without = new Set(forkRows.filter(({ uuid }) => uuid === null).map((row) => row.pane));
    return started.filter(({ address }) => without.has(address));
  });
  const panes = unknown.map(({ pane }) => pane);
  await sessionsKnown(cli, world, team, panes);
  await watcherBack(cli);
}

/** Brings the stores up to date and prints the warnings. */
export async function refreshed(cli: Cli, world: TeamWorld, team: TeamName): Promise<RefreshPlan> {
  const plan = await world.refresh(team);
  for (const warning of plan.warnings) cli.out.note(`warning: ${shown(warning)}`);
  return plan;
}

/** Waits for the sessions of these panes, without the team's lock, so that other commands can use the team. */
export async function sessionsKnown(
  cli: Cli,
  world: TeamWorld,
  team: TeamName,
  unknown: readonly PaneId[],
): Promise<void> {
  if (unknown.length === 0) return;
  const hive = await cli.hive();
  const { lookAgain } = await import("../../teams/start/look-again.js");
  const left = await lookAgain(world, unknown);
  if (left.length < unknown.length) {
    await hive
      .whileChanging(team, () => refreshed(cli, world, team))
      .catch((error: unknown) => {
        // Another command holds the team now and will refresh it at its end; the work of this one is done.
        if (!(error instanceof HiveError)) throw error;
        cli.out.note(`hivemind: ${shown(error.message)}`);
      });
  }
  for (const { address } of left) {
    cli.out.note(`hivemind: the session of ${shown(address)} is not known yet`);
    cli.out.note(`  after its first answer: ${cli.self} registry refresh ${team}`);
    cli.out.note(`  or ask it now: ${cli.self} session probe ${shown(address)}`);
  }
}

export function sayWaiting(cli: Cli, who: string, waitsFor: string | null): void {
  if (waitsFor !== null) cli.out.note(`${who} ${shown(waitsFor)}`);
}
