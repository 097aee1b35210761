// Other spellings of the commands: the dotted form of each, and the names older tools gave them.

import { commands } from "./commands.js";

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
  const words = aliases[name] ?? name.replaceAll(".", " ");
  const isKnown = words !== typed && commands.some((command) => command.words === words);
  return isKnown ? words.split(" ") : null;
}
