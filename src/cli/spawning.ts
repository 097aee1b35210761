// What the commands that bring a new agent into a team have in common.

import { UsageError } from "../base/errors.js";
import { type Role, role, type TeamName, teamName } from "../names/gates.js";
import type { TeamWorld } from "../teams/world.js";
import type { Cli } from "./cli.js";
import type { Input, Option } from "./command.js";
import { shown } from "./output.js";

export const spawnOptions: readonly Option[] = [
  {
    name: "team",
    about: "where; else the tmux session this runs in, or the active team",
    value: "team",
    meaning: "team",
  },
  { name: "cwd", about: "the folder it works in; else the current one", value: "folder", meaning: "path" },
  { name: "kind", about: "claude (the default), demo or shell", value: "kind", meaning: "text" },
  { name: "model", about: "the model it begins with", value: "model", meaning: "text" },
  { name: "allow-broad-cwd", about: "also in / or the home folder" },
];

/** Everything typed is checked before anything is looked at. */
export function spawnInput(cli: Cli, input: Input): SpawnInput {
  const kind = input.option("kind") ?? "claude";
  if (kind !== "claude" && kind !== "demo" && kind !== "shell")
    throw new UsageError(`--kind is claude, demo or shell, not "${shown(kind)}"`);
  const typed = input.option("team");
  return {
    role: role(input.need("name")),
    team: typed === undefined ? null : teamName(typed),
    kind,
    cwd: input.option("cwd") ?? currentFolder(cli),
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

/** Holds the team while `work` brings an agent into it; a tmux session that was none yet becomes a team. */
export async function joiningTeam(
  cli: Cli,
  typed: TeamName | null,
  work: (world: TeamWorld, team: TeamName) => Promise<void>,
): Promise<void> {
  const hive = await cli.hive();
  const { whichTeam } = await import("../fleet/which-team.js");
  const panes = await hive.panes();
  const own = hive.ownPane(panes);
  const team = typed ?? teamName(whichTeam(panes, { own, active: hive.stores.activeTeam.read() }));
  await hive.whileChanging(team, async () => {
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    await work(world, team);
    if (!hive.stores.teams.read().rows.some((row) => row.team === team)) {
      await world.emit({ name: "team.created", team, description: "" });
      cli.out.note(`${team} is a team now`);
    }
    await refreshed(cli, world, team);
  });
}

/** What is new is also what the stores say, and what a person should know is said. */
export async function refreshed(cli: Cli, world: TeamWorld, team: TeamName): Promise<void> {
  const { warnings } = await world.refresh(team);
  for (const warning of warnings) cli.out.note(`warning: ${shown(warning)}`);
}

export function sayWaiting(cli: Cli, who: string, waitsFor: string | null): void {
  if (waitsFor !== null) cli.out.note(`${who} waits at a dialog: ${shown(waitsFor)} (answer it in its pane)`);
}

function currentFolder(cli: Cli): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError("the current folder does not exist any more", {
      hint: `${cli.self} … --cwd FOLDER`,
    });
  }
}
