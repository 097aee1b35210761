import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import type { Hive } from "../../hive/hive.js";
import { teamName } from "../../names/gates.js";
import type { RestoreOutcome } from "../../teams/snapshot/restore.js";
import type { SavedTeam } from "../../teams/snapshot/saved-team.js";
import type { Wanted } from "../../teams/snapshot/saved-teams.js";
import { type Cli, type Command, dryRunOption, given, type Input, ifGiven } from "../command.js";
import { type FarName, hereOrThere } from "../far/open-far.js";
import { type Output, shown } from "../output.js";
import { troubleCode } from "../problems.js";
import { watcherBack } from "../watch/bring-back.js";
import {
  askingLines,
  elsewhereLines,
  failedLines,
  planLines,
  refusedLines,
  startedLines,
  summary,
} from "./show-restore.js";

export const restore: Command = {
  words: "restore",
  also: ["teams restore"],
  about: "restore saved teams: panes and conversations",
  args: [
    {
      name: "what",
      about: "a snapshot or a team (default: the newest snapshot of every team)",
      meaning: "snapshot",
      isOptional: true,
      host: "taken",
    },
  ],
  options: [
    { name: "fork", about: "start forks, and leave the saved conversations unchanged" },
    { name: "team", value: "team", about: "only this team", meaning: "team" },
    dryRunOption,
  ],
  examples: [
    "hivemind restore --dry-run",
    "hivemind restore web4team",
    "hivemind restore hivemind.snapshot.20260314T091500.env --fork",
    "hivemind restore web4team@server",
  ],
  notes:
    "Skips agents that already run, so the command can be repeated; after Ctrl-C it continues.\n" +
    "A name without . or / is a team unless a file has that name; then use --team.\n" +
    "Exit codes: 1 an agent could not be restored, 3 tmux or a file could not be read. Each such agent is named.\n" +
    "TEAM@HOST is a team of another host of the fleet, which must allow it (`hivemind fleet allow start`).",
  hasJson: true,
  run: (cli, input) =>
    hereOrThere<ExitCode | undefined>(cli, input, "what", {
      here: (own) => restoreHere(cli, own),
      there: (far) => restoreThere(cli, input, far),
    }),
};

/** Only a team: its snapshots are files of that host. */
async function restoreThere(cli: Cli, input: Input, far: FarName): Promise<ExitCode> {
  const team = teamName(far.name);
  const { actFar } = await import("../far/act-far.js");
  const asked: Input = { ...input, arg: () => undefined };
  return actFar(cli, asked, restore, far, { options: { team } });
}

async function restoreHere(cli: Cli, input: Input): Promise<ExitCode | undefined> {
  const hive = await cli.hive();
  const { savedTeams } = await import("../../teams/snapshot/saved-teams.js");
  const saved = savedTeams(hive.stores, wantedOf(cli, hive, input), cli.out.note);
  const how = { isFork: input.flag("fork"), isJson: input.flag("json") };
  return input.flag("dry-run") ? showPlans(cli, hive, saved, how) : restoreAll(cli, hive, saved, how);
}

function wantedOf({ out }: Cli, { stores }: Hive, input: Input): Wanted {
  const [typed, option] = [input.arg("what"), input.option("team")];
  const named = given({ team: ifGiven(option, teamName) });
  if (typed === undefined) return named;
  const isFile = [resolve(typed), join(stores.snapshots.folder, typed)].some(isPlainFile);
  if (isFile || /[./]/.test(typed)) {
    if (!/[./]/.test(typed) && option === undefined)
      out.note(`hivemind: ${shown(typed)} is a file here; for the team: hivemind restore --team ${typed}`);
    return { file: typed, ...named };
  }
  if (option !== undefined && option !== typed)
    throw new UsageError(`${shown(typed)} and ${shown(option)} are two different teams`, {
      hint: `hivemind restore ${shown(option)}`,
    });
  return { team: teamName(typed) };
}

function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

interface How {
  isFork: boolean;
  isJson: boolean;
}

/** Also used by `team restart` for a team that is not running. */
export async function restoreAll(
  cli: Cli,
  hive: Hive,
  saved: readonly SavedTeam[],
  { isFork, isJson }: How,
): Promise<ExitCode | undefined> {
  const { restoreTeam } = await import("../../teams/snapshot/restore.js");
  const { out } = cli;
  const world = hive.teamWorld(out, cli.untilInterrupted());
  const outcomes: RestoreOutcome[] = [];
  for (const each of saved) {
    try {
      const outcome = await hive.whileChanging(each.team, () => restoreTeam(world, each, isFork));
      outcomes.push(outcome);
      if (!isJson) showOutcome(cli, outcome);
    } catch (error) {
      // A team that another command is changing, or that tmux refuses, does not stop the others.
      if (!(error instanceof HiveError)) throw error;
      // If tmux does not answer for the first team, it will not answer for the others.
      if (outcomes.length === 0 && error.exitCode === exitCodes.couldNotLook) throw error;
      out.note(`${each.team}: ${shown(error.message)}`);
      if (error.hint) out.note(`  ${shown(error.hint)}`);
    }
    if (world.interrupted.aborted) break;
  }
  const hasStarted = outcomes.some(({ started }) => started.length > 0);
  const isStopped = world.interrupted.aborted;
  const watcher = await watcherBack(cli, { isJson, hasHint: hasStarted && !isStopped });
  if (isJson) out.json({ teams: outcomes, watcher });
  if (isStopped) out.note("interrupted; run the same command again to continue");
  const isRead = noteBadRows(saved, out);
  const isWholeFleet = outcomes.length === saved.length && outcomes.every(isWhole);
  const code = troubleCode(outcomes.flatMap(({ failed, refused }) => [...failed, ...refused]));
  return code ?? (isStopped || !isRead || !isWholeFleet ? exitCodes.refused : undefined);
}

/** Returns whether every row was readable. */
function noteBadRows(saved: readonly SavedTeam[], out: Output): boolean {
  const badRows = Math.max(0, ...saved.map((each) => each.badRows));
  if (badRows > 0) out.note(`${badRows} rows of the snapshot are unreadable`);
  return badRows === 0;
}

export function isWhole({ failed, refused, notReached }: RestoreOutcome): boolean {
  return failed.length + refused.length + notReached === 0;
}

/** Also used for teams from another host. */
export function showOutcome({ out }: Cli, outcome: RestoreOutcome): void {
  const { isBuilt, started, failed, left, refused } = outcome;
  out.lines(startedLines(started, out.colours));
  for (const line of failedLines(failed, out.colours)) out.note(line);
  for (const line of elsewhereLines(left)) out.note(line);
  for (const line of askingLines(outcome, out.colours)) out.note(line);
  for (const each of refused) for (const line of refusedLines(each, out.colours.yellow)) out.note(line);
  const isQuiet = isWhole(outcome) && outcome.asking.length === 0;
  if (isQuiet && !isBuilt && started.length === 0) out.print(`${outcome.team}: nothing to do`);
  else out.print(summary(outcome));
}

async function showPlans(
  cli: Cli,
  hive: Hive,
  saved: readonly SavedTeam[],
  { isFork, isJson }: How,
): Promise<ExitCode | undefined> {
  const { planTeams } = await import("../../teams/snapshot/restore.js");
  const plans = await planTeams(hive.teamWorld(cli.out), saved, isFork);
  if (isJson) cli.out.json({ teams: plans.map(({ places: _, ...plan }) => plan) });
  else for (const plan of plans) cli.out.lines(planLines(plan, cli.out.colours));
  const isRead = noteBadRows(saved, cli.out);
  return troubleCode(plans.flatMap(({ refused }) => refused)) ?? (isRead ? undefined : exitCodes.refused);
}
