// Other spellings of the commands: dotted forms, the verbs of the seed programs (seed-names.ts), and the ways to ask
// for help.
//
// - `help X` and `GROUP help X` mean `X --help`, and never run X.
// - An unknown word is an error, also with `--help` behind it.
// - A dotted word that begins with a group is looked up among the commands of that group.
// - Called through a link named like a seed program, hivemind accepts the verbs of that program.

import { UsageError } from "../base/errors.js";
import { isEventName } from "../events/event.js";
import { spellings } from "./command.js";
import { rows } from "./command-table.js";
import { groups, oldGroups } from "./groups.js";
import { type SeedProgram, seedPrograms } from "./seed-names.js";

/** `add x` under the link `tronMonitor` → `tronMonitor.add x`. */
export function applyProgramName(name: string, argv: readonly string[]): readonly string[] {
  const program = programNamed(name);
  if (program === null) return argv;
  const [first, ...rest] = argv;
  if (first === undefined) return program.alone === null ? [] : program.alone.split(" ").filter(Boolean);
  if (first === "help" && rest[0] !== undefined) return ["help", `${name}.${rest[0]}`, ...rest.slice(1)];
  const isPlain =
    name === "hiveMind" || first.startsWith("-") || first === "help" || partsOf(first).program !== null;
  return isPlain ? argv : [`${name}.${first}`, ...rest];
}

/** The verbs of a seed program, if it was called without one or with help; null if a command is meant. */
export function verbsPage(name: string, argv: readonly string[]): string[][] | null {
  const program = programNamed(name);
  const isAsked = argv.length === 0 ? program?.alone === null : ["--help", "-h"].includes(argv[0]!);
  if (program === null || name === "hiveMind" || !(isAsked || (argv.length === 1 && argv[0] === "help")))
    return null;
  const own = program.group === "" ? [] : rows.filter(({ words }) => words.startsWith(`${program.group} `));
  const verbs = own.map(({ words }) => [words.slice(program.group.length + 1), words]);
  return [...verbs, ...Object.entries(program.verbs)].map(([verb, words]) => [
    `${name} ${verb}`,
    `hivemind ${words}`,
  ]);
}

/** `team.list x` → `team list x`. Other words stay as they are. */
export function expandAliases(argv: readonly string[]): readonly string[] {
  const words = undotted(argv);
  const [first, second, ...rest] = words;
  if (first === "help") return pageOf(words.slice(1));
  if (isGroup(first) && second === "help") return pageOf([first, ...rest]);
  const isPageAsked = words.some((word) => ["--help", "-h", "--version", "-V"].includes(word));
  return isPageAsked && !leadsSomewhere(words) ? words.filter((word) => !word.startsWith("-")) : words;
}

function undotted(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first === undefined) return argv;
  const { program, name } = partsOf(first);
  // A dotted alias may also be typed with spaces: `team activate`.
  const most = isCommand([name]) ? 0 : 2;
  for (let count = Math.min(most, rest.length); count >= 0; count--) {
    const verb = [name, ...rest.slice(0, count)].join(".");
    refuseForeign(program, verb);
    const words = verbOf(program, verb);
    if (words !== null) return [...words.split(" "), ...rest.slice(count)];
  }
  const group = program === null ? "" : seedPrograms[program]!.group;
  const words = [...(group === "" ? [] : [group]), ...name.split(".")];
  return isCommand(words) || isGroup(words[0]) ? [...words, ...rest] : argv;
}

/** `private.claudeCode.session.discover` → the program and its verb. */
function partsOf(typed: string): { program: string | null; name: string } {
  const name = typed.replace(/^private\./, "");
  const program = Object.keys(seedPrograms).find((each) => name.startsWith(`${each}.`)) ?? null;
  return { program, name: program === null ? name : name.slice(program.length + 1) };
}

/** A verb of this program, else a dotted verb of any program; a plain word of another would hide a command. */
function verbOf(program: string | null, verb: string): string | null {
  const others = verb.includes(".") ? Object.values(seedPrograms) : [];
  const asked = [...(program === null ? [] : [programNamed(program)!]), ...others];
  return asked.map(({ verbs }) => own(verbs, verb)).find((words) => words !== null) ?? null;
}

/** Refuses a verb that does not exist here, with what to type instead. */
function refuseForeign(program: string | null, verb: string): void {
  const asked = program === null ? Object.values(seedPrograms) : [programNamed(program)!];
  const instead = asked.map((each) => own(each.instead, verb)).find((found) => found !== null);
  if (instead) throw new UsageError(`there is no ${verb} in hivemind: ${instead[0]}`, { hint: instead[1] });
  const event = verb.split(".").slice(0, 2).join(".");
  if (isEventName(event))
    throw new UsageError(`${event} is an event, not a command: hivemind logs it when it happens`, {
      hint: "hivemind events",
    });
}

function programNamed(name: string): SeedProgram | null {
  return own(seedPrograms, name);
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | null {
  return Object.hasOwn(table, key) ? table[key]! : null;
}

/** Unknown words get no `--help`, so that they are refused with a suggestion. */
function pageOf(asked: readonly string[]): readonly string[] {
  const words = undotted(asked.filter((word) => word !== "help" && !word.startsWith("-")));
  const [first, second] = words.filter((word) => !word.startsWith("-"));
  if (first === undefined) return ["--help"];
  if (second !== undefined && isGroup(first))
    return isCommand([first, second]) ? [first, second, "--help"] : [first, second];
  return isGroup(first) || isCommand([first]) ? [first, "--help"] : [first];
}

/** True for a command, a group, or only options. */
function leadsSomewhere([first, second]: readonly string[]): boolean {
  if (first === undefined || first.startsWith("-")) return true;
  if (!isGroup(first)) return isCommand([first]);
  return second === undefined || second.startsWith("-") || isCommand([first, second]);
}

function isCommand(words: readonly string[]): boolean {
  return rows.some((row) => spellings(row).includes(words.join(" ")));
}

function isGroup(word: string | undefined): word is string {
  return word !== undefined && (Object.hasOwn(groups, word) || Object.hasOwn(oldGroups, word));
}
