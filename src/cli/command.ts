// What a command is: data that help, completion and the dotted spellings are made from, and one function.

import type { ExitCode } from "../base/errors.js";
import type { Cli } from "./cli.js";

export interface Command {
  /** As typed: "team register". The dotted form comes from it. */
  words: string;
  about: string;
  args?: readonly Argument[];
  options?: readonly Option[];
  /** At least one line a person can type; shown by --help. */
  examples: readonly [string, ...string[]];
  /** More to know, shown by --help below the options. */
  notes?: string;
  /** A read command: it takes --json. */
  hasJson?: boolean;
  /** What it may end or forget beyond what was typed: "ends running agents". It asks first (agreement.ts), and takes --yes. */
  asks?: string;
  run(cli: Cli, input: Input): Promise<ExitCode | undefined>;
}

/** What a word stands for, so that completion can propose the right ones. */
export type Meaning = "team" | "pane" | "role" | "agent of the team file" | "snapshot" | "path" | "text";

export interface Argument {
  name: string;
  about: string;
  meaning: Meaning;
  isOptional?: boolean;
  /** Takes all remaining words, joined by spaces: `queue append web4team:0.1 run the tests`. */
  takesRest?: boolean;
  choices?: readonly string[];
}

export interface Option {
  /** Long name without dashes. */
  name: string;
  short?: string;
  about: string;
  /** The name of its value; a flag has none. */
  value?: string;
  meaning?: Meaning;
  choices?: readonly string[];
  /** It may stand several times. */
  isMany?: boolean;
}

/** The declared options, --yes where a command may ask, and --json where it only reads. */
export function allOptions(command: Command): readonly Option[] {
  const json: Option = { name: "json", about: "print the result as JSON" };
  const yes = command.asks === undefined ? [] : [yesOption(`do not ask before it ${command.asks}`)];
  return [...(command.options ?? []), ...yes, ...(command.hasJson ? [json] : [])];
}

export function yesOption(about: string): Option {
  return { name: "yes", short: "y", about };
}

/** What was typed, by name. */
export interface Input {
  /** An argument that the command declares as required. */
  need(argument: string): string;
  arg(argument: string): string | undefined;
  /** Of an argument that takes all remaining words: each as it was typed. */
  words(argument: string): readonly string[];
  option(name: string): string | undefined;
  /** Of an option that may stand several times. */
  options(name: string): readonly string[];
  flag(name: string): boolean;
}
