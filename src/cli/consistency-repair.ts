// What `reconcile` and `fix` have in common: a look, repairs, and what came of them.

import { type ExitCode, exitCodes } from "../base/errors.js";
import { formatArguments } from "../events/event.js";
import type { Hive } from "../hive.js";
import { type TeamName, teamName } from "../names/gates.js";
import { type Repaired, repairAll } from "../reconcile/apply.js";
import { type Look, lookAt } from "../reconcile/look.js";
import type { Cli } from "./cli.js";
import type { Input } from "./command.js";
import { repairedJson } from "./consistency-json.js";
import { brokenLines, counted, informationLines, violationLines } from "./consistency-table.js";
import { shown } from "./output.js";
import { noteProblems } from "./problems.js";

export interface Looked {
  hive: Hive;
  /** The one team that was asked for. */
  only: TeamName | null;
  look: Look;
  exitCode: ExitCode | undefined;
}

/** What could not be read is said beside it; nothing wrong is no answer then. */
export async function lookAndNote({ out, hive: open }: Cli, input: Input): Promise<Looked> {
  const typed = input.arg("team");
  const only = typed === undefined ? null : teamName(typed);
  const hive = await open();
  const look = await lookAt(hive.reconcileWorld(out), only);
  const isClean = look.violations.length === 0;
  const blind = noteProblems(look.facts.fleet.index.problems, isClean, out);
  return { hive, only, look, exitCode: isClean ? blind : exitCodes.refused };
}

/** The same command for the same team. */
export function commandFor({ self }: Cli, { only }: Looked, words: string): string {
  return `  ${self} consistency ${words}${only === null ? "" : ` ${only}`}`;
}

export function showLook({ out, self }: Cli, look: Look, print: (line: string) => void): void {
  const broken = brokenLines(look);
  const isWrong = look.violations.length > 0 || broken.length === 0;
  for (const line of isWrong ? violationLines(look.violations, out.colours) : []) print(line);
  for (const line of broken) print(line);
  for (const line of informationLines(look, self)) out.note(line);
}

export interface RepairWish {
  dropsBroken: boolean;
  isJson: boolean;
}

export async function repairAndSay(
  cli: Cli,
  { hive, only, look: first }: Looked,
  { dropsBroken, isJson }: RepairWish,
): Promise<ExitCode | undefined> {
  const { out } = cli;
  const world = hive.reconcileWorld(out, cli.untilInterrupted());
  const done = await repairAll(world, first, { only, dropsBroken });
  if (isJson) out.json(repairedJson(done));
  else out.lines(doneLines(done, cli));
  for (const { team, why } of done.skipped) out.note(`hivemind: ${team} was left alone: ${shown(why)}`);
  const isStopped = world.interrupted.aborted;
  if (isStopped) out.note("stopped; the same command goes on from here");
  const isWhole = done.after.violations.length + done.skipped.length === 0 && !isStopped;
  return isWhole ? undefined : exitCodes.refused;
}

function doneLines({ after, repaired, moved, dropped }: Repaired, { out }: Cli): string[] {
  const lines = moved.map((event) => `followed: ${event.name} ${shown(formatArguments(event))}`);
  if (repaired.length > 0) lines.push(`repaired ${repaired.length}: ${counted(repaired)}`);
  for (const { pane, uuid } of dropped) lines.push(`dropped ${uuid} of ${pane}: its transcript is nowhere`);
  if (after.violations.length === 0) return [...lines, "nothing is wrong any more"];
  return [...lines, "what is left:", ...violationLines(after.violations, out.colours)];
}
