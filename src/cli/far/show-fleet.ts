// A read of one or all hosts, printed: what each host said, under its name and with its age.

import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { textTable } from "../../base/text/table.js";
import type { FarAnswer } from "../../link/questions.js";
import { shortId } from "../../names/short-id.js";
import type { Cli, Command, Input } from "../command.js";
import { shown } from "../output.js";
import { ageText, hintBy, saidBy } from "./ages.js";
import { askedOf, askFleet, askOne, type HostAnswer, hostRows, readerIn } from "./ask-fleet.js";
import { type FarName, hostNamed, withFar } from "./open-far.js";

/** `--fleet`. Sessions of other hosts are in other folders, so every folder counts. */
export async function showFleet(cli: Cli, input: Input, command: Command): Promise<ExitCode> {
  const isJson = input.flag("json");
  const everyFolder = command.options?.some(({ name }) => name === "all") === true;
  const given = {
    options: { ...(everyFolder && { all: true as const }), ...(isJson && { json: true as const }) },
  };
  const own = inputWithout(input, "fleet", everyFolder);
  const answers = await askFleet(cli, askedOf(command, input, given), (here) => command.run(here, own));
  return show(cli, input, answers);
}

/** `alone`: its lines as that host printed them, for a program that reads them. A function gets them instead. */
export type HowShown = "under its name" | "alone" | ((lines: readonly string[]) => void);

/** `NAME@HOST`. */
export async function showHost(
  cli: Cli,
  input: Input,
  command: Command,
  { argument, far: { name, host }, how }: { argument: string; far: FarName; how: HowShown },
): Promise<ExitCode> {
  const everyFolder = command.options?.some((each) => each.name === "all") === true;
  const isJson = input.flag("json");
  const asked = askedOf(command, input, {
    args: { [argument]: name },
    options: { ...(everyFolder && { all: true as const }), ...(isJson && { json: true as const }) },
  });
  const interrupted = cli.untilInterrupted();
  const found = await withFar(cli, async (far) =>
    askOne(far, await hostNamed(far, host), asked, await readerIn(cli, far), interrupted),
  );
  if (isJson || (how === "under its name" && found.why === null)) return show(cli, input, [found]);
  const { ageMs } = found;
  const answer = answeredBy(found);
  // Tabs are part of what it printed.
  const lines = answer.lines.map((line) => line.split("\t").map(harmless).join("\t"));
  if (typeof how === "function") how(lines);
  else cli.out.lines(lines);
  for (const note of answer.notes) cli.out.note(shown(note));
  cli.out.note(cli.out.colours.dim(`${host}, ${ageText(ageMs ?? 0)} old`));
  return Object.values(exitCodes).find((code) => code === answer.exitCode) ?? exitCodes.refused;
}

/** Throws what the host refused, or why it did not answer. */
export function answeredBy({ host, answer, why }: HostAnswer): FarAnswer {
  if (answer !== null && answer.error === null) return answer;
  const hint = answer?.error?.hint ?? null;
  throw new HiveError(saidBy(host, why ?? ""), {
    hint: hint === null ? "hivemind fleet hosts" : hintBy(host, hint),
    exitCode: answer === null ? exitCodes.couldNotLook : exitCodes.refused,
  });
}

function show(cli: Cli, input: Input, answers: readonly HostAnswer[]): ExitCode {
  if (input.flag("json")) {
    const values = answers.map(({ host, answer }) => ({
      host,
      answer: answer?.value ?? null,
      error: answer?.error ?? null,
    }));
    cli.out.json({ hosts: hostRows(answers), answers: values });
  } else for (const [at, each] of answers.entries()) showOne(cli, each, at);
  const isAny = answers.some(({ answer }) => answer !== null && answer.error === null);
  return isAny ? exitCodes.done : exitCodes.refused;
}

function showOne({ out }: Cli, { host, why, ageMs, answer }: HostAnswer, at: number): void {
  const age = answer === null || ageMs === null ? "" : ` ${out.colours.dim(`(${ageText(ageMs)} old)`)}`;
  if (at > 0) out.print();
  out.print(`${out.colours.bold(host)}${age}`);
  if (answer === null || answer.error !== null) {
    out.print(`  ${shown(why)}`);
    if (answer?.error?.hint) out.print(`  ${shown(answer.error.hint)}`);
    return;
  }
  const lines = answer.lines.length > 0 || answer.value === null ? answer.lines : compactLines(answer.value);
  for (const line of lines) out.print(`  ${shown(line)}`);
  for (const note of answer.notes) out.print(`  ${out.colours.dim(shown(note))}`);
}

/** What is left of an answer without words: one line for each thing that has an id or a time. */
export function compactLines(value: Record<string, unknown>): string[] {
  const rows = Object.values(value).find((each) => Array.isArray(each) && each.length > 0) as
    | unknown[]
    | undefined;
  const cells = (rows ?? []).flatMap((row) => {
    if (typeof row !== "object" || row === null) return [];
    const fields = row as Record<string, unknown>;
    const text = (key: string) => (typeof fields[key] === "string" ? (fields[key] as string) : "");
    const id = text("id") || text("session") || text("uuid");
    return [
      [id === "" ? text("event") : shortId(id), text("agent"), text("pane"), text("updatedAt") || text("at")],
    ];
  });
  return textTable(cells.map((row) => row.map((cell) => shown(cell))));
}

/** The own part of a question with `--json`. */
export function ownJson(input: Input): Input {
  return { ...input, flag: (name) => (name === "fleet" ? false : name === "json" || input.flag(name)) };
}

function inputWithout(input: Input, flag: string, everyFolder: boolean): Input {
  return {
    ...input,
    flag: (name) => (name === flag ? false : name === "all" && everyFolder ? true : input.flag(name)),
  };
}
