// Other spellings of the commands: the dotted form of each, the names older tools gave them, and the ways to ask for a page.
//
// [AL1] `help X`, and `GROUP help X`, is `X --help`: an answer, never a run of X. What is no command is told.
// [AL2] A dotted word that begins with a group is looked for among the commands of that group.

import { commands, groups } from "./commands.js";

/** What else a command is called, as typed in dotted form. Only names of commands that exist stand here. */
export const aliases: Readonly<Record<string, string>> = {
  "team.activate": "team switch",
  "send.message": "send",
  "agent.queue.append": "queue append",
  "agent.queue.show": "queue list",
  "agent.queue.drain": "queue drain",
  "agent.session.probe": "session probe",
  "context.read": "context",
  "size.floor.apply": "size apply",
};

/** Families of commands that were scripts of their own once: `hiveMind.team.list`. */
export const prefixes: Readonly<Record<string, string>> = {
  "hiveMind.": "",
  "claudeCode.": "",
  "otmux.": "",
  "tronMonitor.": "monitor.",
};

/** `team.list x` → `team list x`. Words that are no spelling of a command stay as they are. */
export function spelledOut(argv: readonly string[]): readonly string[] {
  const words = undotted(argv);
  const [first, second, ...rest] = words;
  if (first === "help") return pageOf(words.slice(1));
  return isGroup(first) && second === "help" ? pageOf([first, ...rest]) : words;
}

function undotted(argv: readonly string[]): readonly string[] {
  const [first, second, ...rest] = argv;
  if (first === undefined) return argv;
  const words = wordsFor(first);
  if (words !== null) return [...words, ...argv.slice(1)];
  // `team activate` is the same alias with a space instead of the dot.
  const pair = second === undefined ? undefined : aliases[`${first}.${second}`];
  return pair === undefined ? argv : [...pair.split(" "), ...rest];
}

function wordsFor(typed: string): string[] | null {
  const prefix = Object.keys(prefixes).find((start) => typed.startsWith(start));
  const name = prefix === undefined ? typed : prefixes[prefix] + typed.slice(prefix.length);
  const words = (aliases[name] ?? name.replaceAll(".", " ")).split(" ");
  const isKnown = isCommand(words) || isGroup(words[0]);
  return isKnown && words.join(" ") !== typed ? words : null;
}

/** Words that lead nowhere stay without `--help`, so that they are refused with what is near them. */
function pageOf(asked: readonly string[]): readonly string[] {
  const [first, second] = undotted(asked.filter((word) => word !== "help" && !word.startsWith("-")));
  if (first === undefined) return ["--help"];
  if (second !== undefined && isGroup(first))
    return isCommand([first, second]) ? [first, second, "--help"] : [first, second];
  return isGroup(first) || isCommand([first]) ? [first, "--help"] : [first];
}

function isCommand(words: readonly string[]): boolean {
  return commands.some((command) => command.words === words.join(" "));
}

function isGroup(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(groups, word);
}
