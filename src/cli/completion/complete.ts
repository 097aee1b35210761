// Proposes the next word for the shells' completion scripts: from the commands' data and from live teams and panes.
//
// Proposals are values that the command accepts there: the words of a closed list, a pane's address where a role is
// expected, the agents of the team file. Dotted commands are completed too.

import { isPaneAddress, isTeamName } from "../../names/gates.js";
import { allOptions, type Cli, type Command, type Meaning, type Option, spellings } from "../command.js";

export interface Candidate {
  word: string;
  about: string;
}

/** Looks up live values (teams, panes, roles); called only when one is needed. */
export type Values = (meaning: Meaning) => Promise<readonly string[]>;

/** `typed`: the words after `hivemind`. The last one is still being typed and may be empty. */
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
  const found = commandOf(commands, before);
  if (found !== undefined) {
    const below = before.length === 1 ? inGroup(commands, before[0]!) : [];
    return [...below, ...(await withinCommand(found, before, current, values))];
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
  const below = spelled(commands).filter(({ words }) => words.startsWith(start));
  return below.map(({ words, command }) => ({ word: words.slice(start.length), about: command.about }));
}

/** A command by one of its spellings. */
interface Spelled {
  words: string;
  command: Command;
}

function spelled(commands: readonly Command[]): Spelled[] {
  return commands.flatMap((command) => spellings(command).map((words) => ({ words, command })));
}

/** `sessions show` before `sessions`. */
function commandOf(commands: readonly Command[], before: readonly string[]): Spelled | undefined {
  const typed = before[0]?.includes(".") ? [...before[0].split("."), ...before.slice(1)] : before;
  const fitting = spelled(commands).filter(({ words }) =>
    words.split(" ").every((word, place) => typed[place] === word),
  );
  return fitting.sort((a, b) => b.words.length - a.words.length)[0];
}

type Place = Pick<Option, "about" | "choices" | "meaning">;

async function withinCommand(
  { words, command }: Spelled,
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
  const argument = args[positionOf(command, words, before)] ?? rest;
  return argument === undefined ? [] : fitting(argument);
}

/** How many arguments come before the word that is being typed. */
function positionOf(command: Command, words: string, before: readonly string[]): number {
  const taking = new Set(allOptions(command).flatMap(({ name, value }) => (value ? [`--${name}`] : [])));
  const ownWords = before[0]?.includes(".") ? 1 : words.split(" ").length;
  let count = 0;
  for (const [place, word] of before.entries()) {
    if (place < ownWords || word.startsWith("-") || taking.has(before[place - 1] ?? "")) continue;
    count += 1;
  }
  return count;
}

/** Tab must never print an error: if a lookup fails, nothing is proposed. */
export function liveValues(cli: Cli): Values {
  return async (meaning) => {
    if (meaning === "text" || meaning === "path") return [];
    try {
      if (meaning === "agent of the team file") return await writtenAgents(cli);
      const hive = await cli.hive();
      if (meaning === "snapshot") return hive.stores.snapshots.list().map(({ name }) => name);
      const teams = await hive.viewTeams();
      const agents = teams.flatMap((team) => team.agents);
      if (meaning === "team") return teams.map(({ team }) => team).filter(isTeamName);
      // A tmux session can have any name; on a command line some names would run as commands.
      const panes = agents.filter(({ paneId }) => paneId !== null).map(({ pane }) => pane);
      if (meaning === "pane") return panes.filter(isPaneAddress);
      return agents.flatMap(({ role }) => role ?? []);
    } catch {
      return [];
    }
  };
}

/** The agents of the nearest team file, which is the default. */
async function writtenAgents({ env }: Cli): Promise<string[]> {
  const { loadTeamFile } = await import("../../teamfile/load-team-file.js");
  const { currentWorkspace } = await import("../workspace.js");
  return loadTeamFile({ from: currentWorkspace().path, env }).agents.map(({ id }) => id);
}
