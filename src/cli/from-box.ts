// What the commands that start teams from a folder of another host have in common.

import { type ExitCode, exitCodes, HiveError, UsageError } from "../base/errors.js";
import { type Host, hostName, type Role, rules, teamName } from "../names/gates.js";
import type { Cli } from "./cli.js";
import type { Input, Option } from "./command.js";
import { shown } from "./output.js";
import { planLines } from "./show-restore.js";
import { isWhole, showOutcome } from "./teams-restore.js";

export const mapOption: Option = {
  name: "map",
  value: "from=to",
  about: "a folder that has another path on the other host; may stand several times",
  isMany: true,
};

export const fromBoxOptions: readonly Option[] = [
  mapOption,
  { name: "fork", about: "of a folder: forks of its conversations (without it too)" },
  {
    name: "same",
    about: "of a folder: the conversations themselves, not forks; the originals must not run any more",
  },
  { name: "dry-run", about: "of a folder: say what would be done, and do nothing" },
];

export function hostTyped(input: Input): Host {
  const typed = input.need("host");
  if (!typed.includes("@")) return hostName(typed);
  throw new HiveError(`refused "${shown(typed)}": ${rules.host}`, {
    hint: "say who you are there in ~/.ssh/config (Host NAME, HostName …, User …), and use that NAME",
  });
}

/** Null when neither was asked for. */
export function forkChoice(input: Input): boolean | null {
  if (input.flag("fork") && input.flag("same")) throw new UsageError("--fork or --same, not both");
  return input.flag("fork") ? true : input.flag("same") ? false : null;
}

/** They mean nothing for what is here already. */
export function refuseBoxOptions(input: Input, options: readonly Option[], hint: string): void {
  const given = options.find(({ name }) => input.option(name) !== undefined);
  if (given !== undefined) throw new UsageError(`--${given.name} is for a folder of another host`, { hint });
}

export async function startFromBox(
  cli: Cli,
  input: Input,
  folder: string,
  role?: Role,
): Promise<ExitCode | undefined> {
  const { parseMaps } = await import("../moving/folder-map.js");
  const maps = parseMaps(input.options("map"));
  const typed = input.option("team");
  const choice = {
    maps,
    // Nobody can know from here whether the originals still run.
    isFork: forkChoice(input) ?? true,
    ...(typed === undefined ? {} : { team: teamName(typed) }),
    ...(role === undefined ? {} : { role }),
  };
  const hive = await cli.hive();
  const { openBox } = await import("../moving/opened-box.js");
  const { planArrivals } = await import("../moving/arrival-plan.js");
  const { arrive } = await import("../moving/arrive.js");
  const { out } = cli;
  const world = { ...hive.teamWorld(out, cli.untilInterrupted()), whileChanging: hive.whileChanging };
  const box = await openBox(folder, cli.env, out.note);
  const { arrivals, plans } = await planArrivals(world, box, choice);
  if (input.flag("dry-run")) {
    for (const plan of plans) out.lines(planLines(plan, out.colours));
    return plans.every(({ refused }) => refused.length === 0) ? undefined : exitCodes.refused;
  }
  let isAll = true;
  for (const arrival of arrivals) {
    const outcome = await arrive(world, arrival);
    showOutcome(cli, outcome);
    isAll &&= isWhole(outcome);
    if (!world.interrupted.aborted) continue;
    out.note("stopped; the same command goes on from here");
    return exitCodes.refused;
  }
  return isAll ? undefined : exitCodes.refused;
}
