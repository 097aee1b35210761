// The type of a command: data, from which help, completion and the dotted spellings are built, and one function.
// The function gets the outside of the program; its heavy parts load when a command first asks for them.

import type { ExitCode } from "../base/errors.js";
import { shellWord } from "../base/text/shell-word.js";
import type { Hive } from "../hive/hive.js";
import type { ReadingProgress } from "../transcripts/index.js";
import type { KeptBus } from "./fleet/keep-bus.js";
import type { Output } from "./output.js";
import type { Person } from "./person.js";

export interface Command {
  /** As typed: "team register". The dotted form is derived from it. */
  words: string;
  /** Other spellings. They work everywhere, but no list shows them. */
  also?: readonly string[];
  about: string;
  args?: readonly Argument[];
  options?: readonly Option[];
  /** At least one line that can be typed as it is; printed by --help. */
  examples: readonly [string, ...string[]];
  /** Further help, printed by --help below the examples. */
  notes?: string;
  /** The command takes --json. */
  hasJson?: boolean;
  /** What it may end or forget beyond what was typed: "ends running agents". It asks (ask.ts) and takes --yes. */
  asks?: string;
  /** Undefined is exit code 0. */
  run(cli: Cli, input: Input): Promise<ExitCode | undefined> | Promise<void>;
}

/** What a word on the command line names; completion proposes values of this kind. */
export type Meaning = "team" | "pane" | "role" | "agent of the team file" | "snapshot" | "path" | "text";

export interface Argument {
  name: string;
  about: string;
  /** Default: text. */
  meaning?: Meaning;
  isOptional?: boolean;
  /** Takes all remaining words, joined by spaces: `queue append web4team:0.1 run the tests`. */
  takesRest?: boolean;
  choices?: readonly string[];
  host?: HostRule;
}

/**
 * `NAME@HOST` names something of another host. `taken`: the command itself asks that host. `refused`: it is no name
 * here, also where the meaning does not say so. Default: refused for what names agents, teams, panes and snapshots.
 */
export type HostRule = "taken" | "refused";

export interface Option {
  /** Long name without dashes. */
  name: string;
  short?: string;
  about: string;
  /** The name of its value; a flag has none. */
  value?: string;
  meaning?: Meaning;
  choices?: readonly string[];
  host?: HostRule;
  /** May be given several times. */
  isMany?: boolean;
}

/** Every spelling of a command, the main one first. */
export function spellings({ words, also = [] }: Pick<Command, "words" | "also">): readonly string[] {
  return [words, ...also];
}

/** The declared options, plus --yes if the command may ask and --json if it has JSON output. */
export function allOptions(command: Command): readonly Option[] {
  const json: Option = { name: "json", about: "print the result as JSON" };
  const yes = command.asks === undefined ? [] : [yesOption(`do not ask before it ${command.asks}`)];
  return [...(command.options ?? []), ...yes, ...(command.hasJson ? [json] : [])];
}

export function yesOption(about: string): Option {
  return { name: "yes", short: "y", about };
}

export const dryRunOption: Option = { name: "dry-run", about: "show what would happen, and change nothing" };

/** The typed arguments and options, by name. */
export interface Input {
  /** An argument that the command declares as required. */
  need(argument: string): string;
  arg(argument: string): string | undefined;
  /** The words of an argument that takes all remaining words, each as typed. */
  words(argument: string): readonly string[];
  option(name: string): string | undefined;
  /** All values of an option that may be given several times. */
  options(name: string): readonly string[];
  flag(name: string): boolean;
}

/** The abort reason of the signal below when the reader of the output has gone away. */
export const outputLost = "output lost";

/** The beginning of a result that is known before everything is read. */
export type Draft = (progress: ReadingProgress) => readonly string[];

export interface Cli {
  env: NodeJS.ProcessEnv;
  out: Output;
  /** How this program was called, so that hints can be pasted. */
  self: string;
  /** Node and the script, to start this command again. */
  program: readonly [string, string];
  /** Opens the stores, tmux and the event bus; once per run. `draft` is shown while much is being read. */
  hive(draft?: Draft): Promise<Hive>;
  /** The person who decides, if that is known otherwise: the one who started the server. */
  person?: Person;
  /** The connection to the fleet's server that questions of a program that goes on share. Others connect for one command. */
  fleetBus?: KeptBus;
  /** After the first call, Ctrl-C aborts this signal instead of the process, so long work stops between steps. */
  untilInterrupted(): AbortSignal;
}

/** The options that were given, as words of a command that can be pasted. */
export function asTyped(input: Input, options: readonly Option[]): string[] {
  return options.flatMap(({ name, value }) => {
    const typed = input.option(name);
    if (value === undefined) return input.flag(name) ? `--${name}` : [];
    return typed === undefined ? [] : [`--${name}`, shellWord(typed)];
  });
}

/** Checks a typed value with its gate; undefined if nothing was typed. */
export function ifGiven<S extends string, T>(typed: S | undefined, gate: (typed: S) => T): T | undefined {
  return typed === undefined ? undefined : gate(typed);
}

/** Drops the keys whose value is undefined. */
export function given<T extends object>(facts: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as ReturnType<typeof given<T>>;
}
