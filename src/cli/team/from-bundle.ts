// Shared by the commands that start teams from a folder pulled from another host.

import type { FolderMove } from "../../agents/claude/transcript/moved-lines.js";
import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { type Host, hostName, type Role, rules, type TeamName, teamName } from "../../names/gates.js";
import type { RestoreOutcome } from "../../teams/snapshot/restore.js";
import type { Cli, Input, Option } from "../command.js";
import { shown } from "../output.js";
import { isWhole, showOutcome } from "../save/restore.js";
import { planLines } from "../save/show-restore.js";
import { watcherBack } from "../watch/bring-back.js";

export const mapOption: Option = {
  name: "map",
  value: "from=to",
  about: "map the path of a folder between the hosts; repeatable",
  isMany: true,
};

export const bundleOptions: readonly Option[] = [
  mapOption,
  { name: "fork", about: "for a pulled folder: start forks of its conversations (default)" },
  {
    name: "same",
    about: "for a pulled folder: continue the conversations themselves; the originals must not run",
  },
  { name: "dry-run", about: "for a pulled folder: show what would happen, and change nothing" },
];

export function hostTyped(input: Input): Host {
  const typed = input.need("host");
  if (!typed.includes("@")) return hostName(typed);
  throw new HiveError(`refused "${shown(typed)}": ${rules.host}`, {
    hint: "put the user name into ~/.ssh/config (Host NAME, HostName …, User …), and use that NAME",
  });
}

/** Null without --fork and --same. */
export function forkChoice(input: Input): boolean | null {
  if (input.flag("fork") && input.flag("same")) throw new UsageError("--fork or --same, not both");
  return input.flag("fork") ? true : input.flag("same") ? false : null;
}

/** These options mean nothing for a team of this host. */
export function refuseBundleOptions(input: Input, options: readonly Option[], hint: string): void {
  const given = options.find(({ name }) => input.option(name) !== undefined);
  if (given !== undefined)
    throw new UsageError(`--${given.name} is only for a folder pulled from another host`, { hint });
}

export async function startFromBundle(
  cli: Cli,
  input: Input,
  folder: string,
  role?: Role,
): Promise<ExitCode | undefined> {
  const { parseMaps } = await import("../../hosts/folder-map.js");
  const maps = parseMaps(input.options("map"));
  const typed = input.option("team");
  const choice = {
    maps,
    // This host cannot know whether the originals still run.
    isFork: forkChoice(input) ?? true,
    ...(typed === undefined ? {} : { team: teamName(typed) }),
    ...(role === undefined ? {} : { role }),
  };
  const isDryRun = input.flag("dry-run");
  let hasStarted = false;
  const code = await startBundle(cli, folder, choice, isDryRun, (outcome) => {
    hasStarted ||= outcome.started.length > 0;
    showOutcome(cli, outcome);
  });
  if (!isDryRun) await watcherBack(cli, { hasHint: hasStarted });
  return code;
}

export interface BundleStart {
  maps: readonly FolderMove[];
  isFork: boolean;
  team?: TeamName;
  role?: Role;
}

/** `onOutcome` hears what became of each team. */
export async function startBundle(
  cli: Cli,
  folder: string,
  choice: BundleStart,
  isDryRun: boolean,
  onOutcome: (outcome: RestoreOutcome) => void,
): Promise<ExitCode | undefined> {
  const hive = await cli.hive();
  const { openBundle } = await import("../../hosts/opened-bundle.js");
  const { planArrivals } = await import("../../hosts/arrival/arrival-plan.js");
  const { arrive } = await import("../../hosts/arrival/arrive.js");
  const { out } = cli;
  const world = { ...hive.teamWorld(out, cli.untilInterrupted()), whileChanging: hive.whileChanging };
  const box = await openBundle(folder, cli.env, out.note);
  const { arrivals, plans } = await planArrivals(world, box, choice);
  if (isDryRun) {
    for (const plan of plans) out.lines(planLines(plan, out.colours));
    return plans.every(({ refused }) => refused.length === 0) ? undefined : exitCodes.refused;
  }
  let isAll = true;
  for (const arrival of arrivals) {
    const outcome = await arrive(world, arrival);
    onOutcome(outcome);
    isAll &&= isWhole(outcome);
    if (!world.interrupted.aborted) continue;
    out.note("interrupted; run the same command again to continue");
    return exitCodes.refused;
  }
  return isAll ? undefined : exitCodes.refused;
}
