// What the commands that bring a new agent into a team have in common.

import { HiveError, UsageError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { RefreshPlan } from "../fleet/refresh.js";
import type { Hive } from "../hive.js";
import { type PaneId, type Role, role, type TeamName, teamName } from "../names/gates.js";
import type { Started } from "../teams/start.js";
import type { TeamWorld } from "../teams/world.js";
import type { Cli } from "./cli.js";
import type { Input, Option } from "./command.js";
import { workspaceHere } from "./here.js";
import { shown } from "./output.js";

export const spawnOptions: readonly Option[] = [
  {
    name: "team",
    about: "where; else the tmux session this runs in, or the active team",
    value: "team",
    meaning: "team",
  },
  { name: "cwd", about: "the folder it works in; else the current one", value: "folder", meaning: "path" },
  {
    name: "kind",
    about: "claude (without it), demo or shell",
    value: "kind",
    choices: ["claude", "demo", "shell"],
  },
  { name: "model", about: "the model it begins with", value: "model", meaning: "text" },
  { name: "allow-broad-cwd", about: "also in / or the home folder" },
];

/** The options above that were given, for a command that can be pasted. */
export function asTyped(input: Input): string[] {
  return spawnOptions.flatMap(({ name, value }) => {
    const typed = input.option(name);
    if (value === undefined) return input.flag(name) ? `--${name}` : [];
    return typed === undefined ? [] : [`--${name}`, shellWord(typed)];
  });
}

/** Everything typed is checked before anything is looked at. */
export function spawnInput(input: Input): SpawnInput {
  const kind = input.option("kind") ?? "claude";
  if (kind !== "claude" && kind !== "demo" && kind !== "shell")
    throw new UsageError(`--kind is claude, demo or shell, not "${shown(kind)}"`);
  const typed = input.option("team");
  return {
    role: role(input.need("name")),
    team: typed === undefined ? null : teamName(typed),
    kind,
    cwd: input.option("cwd") ?? workspaceHere("name one: --cwd FOLDER").path,
    model: input.option("model") ?? null,
    isBroadAllowed: input.flag("allow-broad-cwd"),
  };
}

export interface SpawnInput {
  role: Role;
  team: TeamName | null;
  kind: "claude" | "demo" | "shell";
  cwd: string;
  model: string | null;
  isBroadAllowed: boolean;
}

/** Holds the team while `work` brings a pane into it; a tmux session that was none yet becomes a team. */
export async function joiningTeam(
  cli: Cli,
  typed: TeamName | null,
  work: (world: TeamWorld, team: TeamName) => Promise<Begun>,
): Promise<void> {
  const hive = await cli.hive();
  const team = typed ?? (await teamMeant(hive));
  await startingIn(cli, team, async (world) => {
    const begun = await work(world, team);
    if (!hive.stores.teams.read().rows.some((row) => row.team === team)) {
      await world.emit({ name: "team.created", team, description: "" });
      cli.out.note(`${team} is a team now`);
    }
    return [begun];
  });
}

async function teamMeant(hive: Hive): Promise<TeamName> {
  const { whichTeam } = await import("../fleet/which-team.js");
  const panes = await hive.panes();
  return teamName(whichTeam(panes, { own: hive.ownPane(panes), active: hive.stores.activeTeam.read() }));
}

/** A pane in which something was started. */
type Begun = Pick<Started, "pane" | "address">;

/** Holds the team while `work` starts something in these panes, and ends when it is known which sessions they are in. */
export async function startingIn(
  cli: Cli,
  team: TeamName,
  work: (world: TeamWorld) => Promise<readonly Begun[]>,
): Promise<void> {
  const hive = await cli.hive();
  const world = hive.teamWorld(cli.out, cli.untilInterrupted());
  const unknown = await hive.whileChanging(team, async () => {
    const begun = await work(world);
    const { forkRows } = await refreshed(cli, world, team);
    const without = new Set(forkRows.filter(({ uuid }) => uuid === null).map((row) => row.pane));
    return begun.filter(({ address }) => without.has(address));
  });
  const panes = unknown.map(({ pane }) => pane);
  await sessionsKnown(cli, world, team, panes);
}

/** What is new is also what the stores say, and what a person should know is said. */
export async function refreshed(cli: Cli, world: TeamWorld, team: TeamName): Promise<RefreshPlan> {
  const plan = await world.refresh(team);
  for (const warning of plan.warnings) cli.out.note(`warning: ${shown(warning)}`);
  return plan;
}

/** Waits for the sessions of these panes, without the team's lock: others may go on with it meanwhile. */
export async function sessionsKnown(
  cli: Cli,
  world: TeamWorld,
  team: TeamName,
  unknown: readonly PaneId[],
): Promise<void> {
  if (unknown.length === 0) return;
  const hive = await cli.hive();
  const { lookAgain } = await import("../teams/look-again.js");
  const left = await lookAgain(world, unknown);
  if (left.length < unknown.length) {
    await hive
      .whileChanging(team, () => refreshed(cli, world, team))
      .catch((error: unknown) => {
        // Whoever changes the team now ends with a refresh too, and what was asked for is done.
        if (!(error instanceof HiveError)) throw error;
        cli.out.note(`hivemind: ${shown(error.message)}`);
      });
  }
  for (const { address } of left) {
    cli.out.note(`hivemind: which session ${shown(address)} is in is not known yet`);
    cli.out.note(`  once it has said something: ${cli.self} registry refresh ${team}`);
    cli.out.note(`  or ask it now: ${cli.self} session probe ${shown(address)}`);
  }
}

export function sayWaiting(cli: Cli, who: string, waitsFor: string | null): void {
  if (waitsFor !== null) cli.out.note(`${who} ${shown(waitsFor)}`);
}
