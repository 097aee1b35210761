// Runs the consistency commands and prints their results.

import { type ExitCode, exitCodes } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { textTable } from "../../base/text/table.js";
import { formatArguments } from "../../events/event.js";
import type { Hive } from "../../hive/hive.js";
import { type TeamName, teamName } from "../../names/gates.js";
import { type Repaired, type RepairOptions, repairAll } from "../../reconcile/apply.js";
import { diffRow, summaryOf } from "../../reconcile/audit.js";
import { invariants } from "../../reconcile/invariants.js";
import { type Look, lookAt } from "../../reconcile/look.js";
import { type Severity, severities, type Violation } from "../../reconcile/violation.js";
import { confirmed } from "../ask.js";
import { type Cli, type Input, ifGiven } from "../command.js";
import { type Colours, shown } from "../output.js";
import { noteProblems } from "../problems.js";
import { unnamedLines } from "../registry/registry.js";

export async function audit(cli: Cli, input: Input): Promise<ExitCode | undefined> {
  const looked = await lookAndNote(cli, input);
  const { look, exitCode } = looked;
  if (input.flag("json")) cli.out.json({ ...auditJson(look.violations), broken: brokenJson(look) });
  else {
    showLook(cli, look, cli.out.print);
    if (look.repairs.length + look.broken.length > 0) cli.out.note(commandFor(cli, looked, "fix"));
  }
  return exitCode;
}

export async function reconcile(cli: Cli, input: Input): Promise<ExitCode | undefined> {
  const looked = await lookAndNote(cli, input);
  if (input.flag("apply")) return repairAndSay(cli, input, looked, { dropsBroken: false });
  const { look, exitCode } = looked;
  const { violations, repairs } = look;
  if (input.flag("json")) cli.out.json(undoneJson(look));
  else {
    showLook(cli, look, cli.out.print);
    const left = violations.length - repairs.length;
    if (violations.length > 0) cli.out.print(`would repair ${repairs.length}; ${left} need a person`);
    if (repairs.length > 0) cli.out.note(`${commandFor(cli, looked, "reconcile")} --apply`);
  }
  return exitCode;
}

export async function fix(cli: Cli, input: Input): Promise<ExitCode | undefined> {
  const looked = await lookAndNote(cli, input);
  const { look, exitCode } = looked;
  const [isJson, isAgreed] = [input.flag("json"), input.flag("yes")];
  if (!isJson || !isAgreed) showLook(cli, look, isJson ? cli.out.note : cli.out.print);
  const hasWork = look.repairs.length + look.broken.length + look.facts.moves.length > 0;
  if (hasWork && (isAgreed || (await confirmed("Repair this?")) === true))
    return repairAndSay(cli, input, looked, { dropsBroken: true });
  if (isJson) cli.out.json(undoneJson(look));
  if (!hasWork) return exitCode;
  cli.out.note("hivemind: nothing was changed");
  cli.out.note(`${commandFor(cli, looked, "fix")} --yes`);
  return exitCodes.refused;
}

interface Looked {
  hive: Hive;
  /** The team that was named, if any. */
  only: TeamName | null;
  look: Look;
  exitCode: ExitCode | undefined;
}

/** Prints unreadable files on stderr; if nothing else is wrong, they decide the exit code. */
async function lookAndNote({ out, hive: open }: Cli, input: Input): Promise<Looked> {
  const only = ifGiven(input.arg("team"), teamName) ?? null;
  const hive = await open();
  const look = await lookAt(hive.reconcileWorld(out), only);
  const isClean = look.violations.length === 0;
  const blind = noteProblems(look.facts.fleet.index.problems, isClean, out);
  return { hive, only, look, exitCode: isClean ? blind : exitCodes.refused };
}

/** A consistency command for the same team. */
function commandFor({ self }: Cli, { only }: Looked, words: string): string {
  return `  ${self} consistency ${words}${only === null ? "" : ` ${only}`}`;
}

function showLook({ out, self }: Cli, look: Look, print: (line: string) => void): void {
  const broken = brokenLines(look);
  const isWrong = look.violations.length > 0 || broken.length === 0;
  for (const line of isWrong ? violationLines(look.violations, out.colours) : []) print(line);
  for (const line of broken) print(line);
  for (const line of informationLines(look, self)) out.note(line);
}

async function repairAndSay(
  cli: Cli,
  input: Input,
  { hive, only, look: first }: Looked,
  { dropsBroken }: Pick<RepairOptions, "dropsBroken">,
): Promise<ExitCode | undefined> {
  const { out } = cli;
  const world = hive.reconcileWorld(out, cli.untilInterrupted());
  const done = await repairAll(world, first, { only, dropsBroken });
  if (input.flag("json")) out.json(repairedJson(done));
  else out.lines(doneLines(done, cli));
  for (const { team, why } of done.skipped) out.note(`hivemind: skipped ${team}: ${shown(why)}`);
  const isStopped = world.interrupted.aborted;
  if (isStopped) out.note("interrupted; run the same command again to continue");
  const isWhole = done.after.violations.length + done.skipped.length === 0 && !isStopped;
  return isWhole ? undefined : exitCodes.refused;
}

function doneLines({ after, repaired, moved, dropped }: Repaired, { out }: Cli): string[] {
  const lines = moved.map((event) => `followed: ${event.name} ${shown(formatArguments(event))}`);
  if (repaired.length > 0) lines.push(`repaired ${repaired.length}: ${counted(repaired)}`);
  for (const { pane, uuid } of dropped) lines.push(`dropped ${uuid} of ${pane}: it has no transcript`);
  if (after.violations.length === 0) return [...lines, "nothing is wrong any more"];
  return [...lines, "still wrong:", ...violationLines(after.violations, out.colours)];
}

function auditJson(violations: readonly Violation[]) {
  return { summary: summaryOf(violations), violations: violations.map(diffRow) };
}

/** Sessions without a transcript; `isDropped`: `fix` drops it because it cannot come back. */
function brokenJson({ broken, spared }: Pick<Look, "broken" | "spared">) {
  const row = (isDropped: boolean) => (each: Look["broken"][number]) => ({ ...each, isDropped });
  return [...broken.map(row(true)), ...spared.map(row(false))];
}

/** What is still wrong, as in the audit, and what was done. */
function repairedJson({ after, repaired, moved, dropped, skipped }: Repaired) {
  return { ...auditJson(after.violations), repaired: repaired.map(diffRow), moved, dropped, skipped };
}

/** The same when nothing was repaired. */
function undoneJson(look: Look) {
  return repairedJson({ after: look, repaired: [], moved: [], dropped: [], skipped: [] });
}

function violationLines(violations: readonly Violation[], colours: Colours): string[] {
  if (violations.length === 0) return ["nothing is wrong"];
  const heading = ["SEVERITY", "INVARIANT", "STORE", "OP", "KEY", "EXPECTED", "ACTUAL"];
  const rows = violations.map((each) => Object.values(diffRow(each)).map(shown));
  const [head, ...lines] = textTable([heading, ...rows]);
  return [
    colours.bold(head!),
    ...lines.map((line, at) => paint(colours, violations[at]!.severity)(line)),
    "",
    ...statements(violations, colours),
    `${violations.length} wrong: ${counted(violations)}`,
  ];
}

/** `1 critical, 2 low`. */
function counted(violations: readonly Violation[]): string {
  const summary = summaryOf(violations);
  return severities
    .filter((each) => summary[each] > 0)
    .map((each) => `${summary[each]} ${each}`)
    .join(", ");
}

/** Sessions without a transcript, as `registry refresh` counts them. */
function brokenLines({ broken, spared }: Pick<Look, "broken" | "spared">): string[] {
  return [
    ...broken.map(({ pane, uuid }) => `broken: ${shown(pane)} has ${uuid}, which has no transcript`),
    ...spared.map(
      ({ pane, uuid }) =>
        `broken: ${shown(pane)} has ${uuid}; its transcript was not found, but may come back`,
    ),
  ];
}

/** Facts that are not errors but worth knowing, with what to type. */
function informationLines({ facts, hidden }: Look, self: string): string[] {
  const { refresh, moves, unsearched } = facts;
  const lines = unnamedLines(self, refresh.unnamed);
  if (moves.length > 0) {
    lines.push("panes have moved since the last refresh; they are shown at their current addresses");
    lines.push(`  ${self} registry refresh`);
  }
  if (hidden.length > 0) {
    const which = hidden.map(({ pane }) => shown(pane)).join(", ");
    lines.push(`no transcript was found for ${which}; it may be in an unreadable folder`);
    lines.push(
      ...unsearched.map((path) => `  if no conversation ever ran there: mkdir -p ${shown(shellWord(path))}`),
    );
  }
  return lines;
}

/** What each violated rule means, and what to do where hivemind cannot repair it. */
function statements(violations: readonly Violation[], colours: Colours): string[] {
  return invariants.flatMap(({ id, statement, advice }) => {
    const own = violations.filter(({ invariant }) => invariant === id);
    if (own.length === 0) return [];
    const isReported = advice !== null && own.some(({ op }) => op === "report");
    return [colours.dim(`${id}: ${statement}`), ...(isReported ? [`    ${colours.cyan(advice)}`] : [])];
  });
}

function paint(colours: Colours, severity: Severity): (line: string) => string {
  const by = { critical: colours.red, high: colours.red, medium: colours.yellow, low: colours.dim };
  return by[severity];
}
