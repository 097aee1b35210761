import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ExitCode, exitCodes, HiveError, UsageError } from "../base/errors.js";
import type { Hive } from "../hive.js";
import { teamName } from "../names/gates.js";
import type { RestoreOutcome } from "../teams/restore.js";
import type { SavedTeam } from "../teams/saved-team.js";
import type { Wanted } from "../teams/saved-teams.js";
import type { Cli } from "./cli.js";
import type { Command, Input } from "./command.js";
import { type Output, shown } from "./output.js";
import { troubleCode } from "./problems.js";
import {
  askingLines,
  elsewhereLines,
  failedLines,
  planLines,
  refusedLines,
  startedLines,
  summary,
} from "./show-restore.js";

export const teamsRestore: Command = {
  words: "teams restore",
  about: "bring saved teams back: windows, panes, and every conversation",
  args: [
    {
      name: "what",
      about: "a snapshot, or a team; else every team, of the newest snapshot that has it",
      meaning: "snapshot",
      isOptional: true,
    },
  ],
  options: [
    { name: "fork", about: "forks of the saved conversations, which stay as they are" },
    { name: "team", value: "team", about: "only this one", meaning: "team" },
    { name: "dry-run", about: "say what would be done, and do nothing" },
  ],
  examples: [
    "hivemind teams restore --dry-run",
    "hivemind teams restore web4team",
    "hivemind teams restore hivemind.snapshot.20260314T091500.env --fork",
  ],
  notes:
    "What runs is left alone, so the command can be repeated: after Ctrl-C it goes on where it stopped.\n" +
    "A name without . and / is a team, unless it is a file: then --team says that the team is meant.\n" +
    "Exit code 1 when an agent could not be brought back, 3 when whether it can could not be seen; each is named.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const { savedTeams } = await import("../teams/saved-teams.js");
    const saved = savedTeams(hive.stores, wantedOf(cli, hive, input), cli.out.note);
    const how = { isFork: input.flag("fork"), isJson: input.flag("json") };
    return input.flag("dry-run") ? showPlans(cli, hive, saved, how) : restoreAll(cli, hive, saved, how);
  },
};

function wantedOf({ out }: Cli, { stores }: Hive, input: Input): Wanted {
  const [typed, option] = [input.arg("what"), input.option("team")];
  const named = option === undefined ? {} : { team: teamName(option) };
  if (typed === undefined) return named;
  const isFile = [resolve(typed), join(stores.snapshots.folder, typed)].some(isPlainFile);
  if (isFile || /[./]/.test(typed)) {
    if (!/[./]/.test(typed) && option === undefined)
      out.note(
        `hivemind: ${shown(typed)} is a file here; for the team: hivemind teams restore --team ${typed}`,
      );
    return { file: typed, ...named };
  }
  if (option !== undefined && option !== typed)
    throw new UsageError(`${shown(typed)} and ${shown(option)} are two teams`, {
      hint: `hivemind teams restore ${shown(option)}`,
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

/** Also what `team restart` does with a team that is not running. */
export async function restoreAll(
  cli: Cli,
  hive: Hive,
  saved: readonly SavedTeam[],
  { isFork, isJson }: How,
): Promise<ExitCode | undefined> {
  const { restoreTeam } = await import("../teams/restore.js");
  const { out } = cli;
  const world = hive.teamWorld(out, cli.untilInterrupted());
  const outcomes: RestoreOutcome[] = [];
  for (const each of saved) {
    try {
      const outcome = await hive.whileChanging(each.team, () => restoreTeam(world, each, isFork));
      outcomes.push(outcome);
      if (!isJson) showOutcome(cli, outcome);
    } catch (error) {
      // A team that another command is changing, or that tmux refuses, does not keep the others from coming back.
      if (!(error instanceof HiveError)) throw error;
      // A tmux that cannot be asked about the first cannot be asked about the others either.
      if (outcomes.length === 0 && error.exitCode === exitCodes.couldNotLook) throw error;
      out.note(`${each.team}: ${shown(error.message)}`);
      if (error.hint) out.note(`  ${shown(error.hint)}`);
    }
    if (world.interrupted.aborted) break;
  }
  if (isJson) out.json({ teams: outcomes });
  const isStopped = world.interrupted.aborted;
  if (isStopped) out.note("stopped; the same command goes on from here");
  const isRead = noteBadRows(saved, out);
  const isWholeFleet = outcomes.length === saved.length && outcomes.every(isWhole);
  const code = troubleCode(outcomes.flatMap(({ failed, refused }) => [...failed, ...refused]));
  return code ?? (isStopped || !isRead || !isWholeFleet ? exitCodes.refused : undefined);
}

/** Whether every row could be read. */
function noteBadRows(saved: readonly SavedTeam[], out: Output): boolean {
  const badRows = Math.max(0, ...saved.map((each) => each.badRows));
  if (badRows > 0) out.note(`${badRows} rows of the snapshot could not be read`);
  return badRows === 0;
}

export function isWhole({ failed, refused, notReached }: RestoreOutcome): boolean {
  return failed.length + refused.length + notReached === 0;
}

/** Also of teams that came from another host. */
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
  const { planTeams } = await import("../teams/restore.js");
  const plans = await planTeams(hive.teamWorld(cli.out), saved, isFork);
  if (isJson) cli.out.json({ teams: plans.map(({ places: _, ...plan }) => plan) });
  else for (const plan of plans) cli.out.lines(planLines(plan, cli.out.colours));
  const isRead = noteBadRows(saved, cli.out);
  return troubleCode(plans.flatMap(({ refused }) => refused)) ?? (isRead ? undefined : exitCodes.refused);
}
