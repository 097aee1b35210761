// Other spellings of the commands: the dotted form of each, the names that the seeds' programs gave them, and the ways to
// ask for a page.
//
// [AL1] `help X`, and `GROUP help X`, is `X --help`: an answer, never a run of X. A word that is no command is an error,
//       with `--help` behind it too.
// [AL2] A dotted word that begins with a group is looked for among the commands of that group.
// [AL3] Under a link with the name of one of the seeds' programs the command answers to the verbs of that program.

import { UsageError } from "../base/errors.js";
import { isEventName } from "../events/event.js";
import { commands, groups } from "./commands.js";
import { type SeedProgram, seedPrograms } from "./seed-names.js";

/** `add x` under the link `tronMonitor` → `tronMonitor.add x`. */
export function calledAs(name: string, argv: readonly string[]): readonly string[] {
  const program = programNamed(name);
  if (program === null) return argv;
  const [first, ...rest] = argv;
  if (first === undefined) return program.alone === null ? [] : program.alone.split(" ").filter(Boolean);
  if (first === "help" && rest[0] !== undefined) return ["help", `${name}.${rest[0]}`, ...rest.slice(1)];
  const isPlain =
    name === "hiveMind" || first.startsWith("-") || first === "help" || partsOf(first).program !== null;
  return isPlain ? argv : [`${name}.${first}`, ...rest];
}

/** The verbs of one of the seeds' programs, for who calls it without one; null where a command is meant. */
export function verbsPage(name: string, argv: readonly string[]): string[][] | null {
  const program = programNamed(name);
  const isAsked = argv.length === 0 ? program?.alone === null : ["--help", "-h"].includes(argv[0]!);
  if (program === null || name === "hiveMind" || !(isAsked || (argv.length === 1 && argv[0] === "help")))
    return null;
  const own =
    program.group === "" ? [] : commands.filter(({ words }) => words.startsWith(`${program.group} `));
  const verbs = own.map(({ words }) => [words.slice(program.group.length + 1), words]);
  return [...verbs, ...Object.entries(program.verbs)].map(([verb, words]) => [
    `${name} ${verb}`,
    `hivemind ${words}`,
  ]);
}

/** `team.list x` → `team list x`. Words that are no spelling of a command stay as they are. */
export function spelledOut(argv: readonly string[]): readonly string[] {
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
  // `team activate` is an alias as well, with blanks in place of its dots.
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

/** `private.claudeCode.session.discover` → that program, and its verb. */
function partsOf(typed: string): { program: string | null; name: string } {
  const name = typed.replace(/^private\./, "");
  const program = Object.keys(seedPrograms).find((each) => name.startsWith(`${each}.`)) ?? null;
  return { program, name: program === null ? name : name.slice(program.length + 1) };
}

/** Its own verb, else a dotted one of any program: a plain word of another would hide a command. */
function verbOf(program: string | null, verb: string): string | null {
  const others = verb.includes(".") ? Object.values(seedPrograms) : [];
  const asked = [...(program === null ? [] : [programNamed(program)!]), ...others];
  return asked.map(({ verbs }) => own(verbs, verb)).find((words) => words !== null) ?? null;
}

/** Says what to type in place of a verb that has no meaning here. */
function refuseForeign(program: string | null, verb: string): void {
  const asked = program === null ? Object.values(seedPrograms) : [programNamed(program)!];
  const instead = asked.map((each) => own(each.instead, verb)).find((found) => found !== null);
  if (instead) throw new UsageError(`there is no ${verb} here: ${instead.why}`, { hint: instead.hint });
  const event = verb.split(".").slice(0, 2).join(".");
  if (isEventName(event))
    throw new UsageError(`${event} is an event: hivemind writes it down when it happens`, {
      hint: "hivemind events",
    });
}

function programNamed(name: string): SeedProgram | null {
  return own(seedPrograms, name);
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | null {
  return Object.hasOwn(table, key) ? table[key]! : null;
}

/** Words that lead nowhere stay without `--help`, so that they are refused with what is near them. */
function pageOf(asked: readonly string[]): readonly string[] {
  const words = undotted(asked.filter((word) => word !== "help" && !word.startsWith("-")));
  const [first, second] = words.filter((word) => !word.startsWith("-"));
  if (first === undefined) return ["--help"];
  if (second !== undefined && isGroup(first))
    return isCommand([first, second]) ? [first, second, "--help"] : [first, second];
  return isGroup(first) || isCommand([first]) ? [first, "--help"] : [first];
}

/** A command, a group, or nothing but options. */
function leadsSomewhere([first, second]: readonly string[]): boolean {
  if (first === undefined || first.startsWith("-")) return true;
  if (!isGroup(first)) return isCommand([first]);
  return second === undefined || second.startsWith("-") || isCommand([first, second]);
}

function isCommand(words: readonly string[]): boolean {
  return commands.some((command) => command.words === words.join(" "));
}

function isGroup(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(groups, word);
}
