// What could be typed next: a pure function of the commands' data, asked by the shells' completion scripts.
//
// [CM1] What is proposed is what the command takes there: of a closed list its words, in place of a role also a pane's
//       address, of a team file the agents it has.
// [CM2] A command is completed in its dotted form too.

import { allOptions, type Command, type Meaning, type Option } from "./command.js";

export interface Candidate {
  word: string;
  about: string;
}

/** Looks up live values (teams, panes, roles); asked only when the place needs one. */
export type Values = (meaning: Meaning) => Promise<readonly string[]>;

/** `typed` are the words after `hivemind`; the last one is being typed and may be empty. */
export async function candidates(
  commands: readonly Command[],
  groups: Readonly<Record<string, string>>,
  typed: readonly string[],
  values: Values,
): Promise<Candidate[]> {
  const current = typed.at(-1) ?? "";
  const before = typed.slice(0, -1);
  const fitting = await everything(commands, groups, before, current, values);
  return fitting.filter(({ word }) => word.startsWith(current));
}

async function everything(
  commands: readonly Command[],
  groups: Readonly<Record<string, string>>,
  before: readonly string[],
  current: string,
  values: Values,
): Promise<Candidate[]> {
  const command = commandOf(commands, before);
  if (command !== undefined) {
    const below = before.length === 1 ? inGroup(commands, before[0]!) : [];
    return [...below, ...(await withinCommand(command, before, current, values))];
  }
  if (before.length === 0 && current.includes(".")) {
    return commands.map(({ words, about }) => ({ word: words.replaceAll(" ", "."), about }));
  }
  if (before.length === 0) {
    const single = commands
      .filter(({ words }) => !words.includes(" ") && !(words in groups))
      .map(({ words, about }) => ({ word: words, about }));
    const grouped = Object.entries(groups).map(([word, about]) => ({ word, about }));
    return [...single, ...grouped];
  }
  if (before.length > 1) return [];
  return inGroup(commands, before[0]!);
}

function inGroup(commands: readonly Command[], group: string): Candidate[] {
  const start = `${group} `;
  const below = commands.filter(({ words }) => words.startsWith(start));
  return below.map(({ words, about }) => ({ word: words.slice(start.length), about }));
}

/** `sessions show` before `sessions`. */
function commandOf(commands: readonly Command[], before: readonly string[]): Command | undefined {
  const typed = before[0]?.includes(".") ? [...before[0].split("."), ...before.slice(1)] : before;
  const fitting = commands.filter(({ words }) =>
    words.split(" ").every((word, place) => typed[place] === word),
  );
  return fitting.sort((a, b) => b.words.length - a.words.length)[0];
}

type Place = Pick<Option, "about" | "choices" | "meaning">;

async function withinCommand(
  command: Command,
  before: readonly string[],
  current: string,
  values: Values,
): Promise<Candidate[]> {
  const options = allOptions(command);
  const previous = before.at(-1);
  const awaited = options.find(({ name, value }) => value !== undefined && previous === `--${name}`);
  const fitting = async ({ about, choices, meaning = "text" }: Place) => {
    if (choices) return choices.map((word) => ({ word, about }));
    const meant = meaning === "role" && current.includes(":") ? "pane" : meaning;
    return (await values(meant)).map((word) => ({ word, about: meant }));
  };
  if (awaited !== undefined) return fitting(awaited);
  if (current.startsWith("-")) {
    const all = [...options, { name: "help", about: "help for this command" }];
    return all.map(({ name, about }) => ({ word: `--${name}`, about }));
  }
  const args = command.args ?? [];
  const rest = args.at(-1)?.takesRest ? args.at(-1) : undefined;
  const argument = args[positionOf(command, before)] ?? rest;
  return argument === undefined ? [] : fitting(argument);
}

/** How many arguments stand before the word that is being typed. */
function positionOf(command: Command, before: readonly string[]): number {
  const taking = new Set(allOptions(command).flatMap(({ name, value }) => (value ? [`--${name}`] : [])));
  const ownWords = before[0]?.includes(".") ? 1 : command.words.split(" ").length;
  let count = 0;
  for (const [place, word] of before.entries()) {
    if (place < ownWords || word.startsWith("-") || taking.has(before[place - 1] ?? "")) continue;
    count += 1;
  }
  return count;
}
