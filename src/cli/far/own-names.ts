// Names of other hosts that a command does not take. They are refused before the command runs, with what to type
// instead: the command itself would say that there is no such agent.
//
// [ON1] Every argument and option that names an agent, team, pane or snapshot either takes NAME@HOST, or refuses it
//       with the name of the host.

import { type ExitCode, HiveError } from "../../base/errors.js";
import { hasHost } from "../../link/name-at-host.js";
import { isHost } from "../../names/gates.js";
import { type Argument, allOptions, type Cli, type Command, type Input, type Option } from "../command.js";
import { shown } from "../output.js";
import type { FarName } from "./open-far.js";

export async function runCommand(cli: Cli, command: Command, input: Input): Promise<ExitCode | undefined> {
  return (await command.run(cli, await withOwnNames(cli, command, input))) || undefined;
}

/** The same input without the name of this host. Throws for the name of another one. */
export async function withOwnNames(cli: Cli, command: Command, input: Input): Promise<Input> {
  const args = (command.args ?? []).filter(refusesHosts);
  const options = allOptions(command).filter((each) => each.value !== undefined && refusesHosts(each));
  const typed: Typed[] = [
    ...args
      .flatMap(({ name, takesRest }) => (takesRest ? input.words(name) : (input.arg(name) ?? [])))
      .map((each) => ({ typed: each, option: null })),
    ...options.flatMap(({ name, isMany }) =>
      (isMany ? input.options(name) : [input.option(name) ?? []].flat()).map((each) => ({
        typed: each,
        option: name,
      })),
    ),
  ];
  const far = typed.filter((each) => namesHost(each.typed));
  if (far.length === 0) return input;
  const own = new Map<string, string>();
  for (const each of far) own.set(each.typed, await ownName(cli, command, each));
  return renamedIn(input, new Set([...args, ...options].map(({ name }) => name)), own);
}

interface Typed {
  typed: string;
  /** Null for an argument. */
  option: string | null;
}

/** By the meaning of what is typed, unless its host is ruled otherwise. */
export function refusesHosts({ meaning, host }: Pick<Argument | Option, "meaning" | "host">): boolean {
  if (host !== undefined) return host === "refused";
  return meaning !== undefined && meaning !== "path" && meaning !== "text";
}

/** A path is none, and neither is a pane of a tmux session with an @ in its name. */
function namesHost(typed: string): boolean {
  return hasHost(typed) && !typed.includes("/") && isHost(typed.slice(typed.lastIndexOf("@") + 1));
}

async function ownName(cli: Cli, command: Command, { typed, option }: Typed): Promise<string> {
  const { panes } = await (await cli.hive()).panes();
  if (panes.some(({ sessionName }) => sessionName === typed)) return typed;
  const { nameIn } = await import("./open-far.js");
  const { name, host } = await nameIn(cli, typed);
  if (host === null) return name;
  const { words, args = [] } = command;
  const what = option === null ? words : `--${option} of ${words}`;
  throw new HiveError(`${what} works on this host only, and ${shown(typed)} names the host ${host}`, {
    hint: hintFor({
      words,
      name: shown(name),
      host,
      option,
      isTaken: args.some((each) => each.host === "taken"),
    }),
  });
}

interface Refused extends FarName {
  words: string;
  option: string | null;
  /** The command asks another host if its argument names it. */
  isTaken: boolean;
}

function hintFor(refused: Refused): string {
  const { words, name, host, option, isTaken } = refused;
  if (Object.hasOwn(instead, words) && option === null) return instead[words]!(refused);
  if (words === "restore") return `hivemind restore ${name}@${host}`;
  if (isTaken && option !== null) return `the host stands behind the name: hivemind ${words} NAME@${host}`;
  return `on ${host}: hivemind ${words} ${option === null ? name : `--${option} ${name}`}`;
}

/** Where something else does the same from here. */
const instead: Readonly<Record<string, (far: FarName) => string>> = {
  delegate: ({ name, host }) => `send the task itself: hivemind send ${name}@${host} - < FILE`,
  "queue append": ({ name, host }) => `hivemind send ${name}@${host} TEXT`,
  "forks list": () => "hivemind lineage --fleet",
  wait: ({ name, host }) =>
    `for an answer: hivemind send ${name}@${host} --wait TEXT; to see it: hivemind top --fleet`,
  go: ({ name, host }) =>
    `hivemind agent monitor ${name}@${host} prints its pane; on ${host}: hivemind go ${name}`,
  ...Object.fromEntries(
    ["up", "down", "reload", "plan"].map((words) => [
      words,
      ({ name, host }: FarName) => `its team file is on ${host}; there: hivemind ${words} ${name}`,
    ]),
  ),
};

/** Each of these names with its own value. */
function renamedIn(input: Input, names: ReadonlySet<string>, own: ReadonlyMap<string, string>): Input {
  const renamed = (name: string, typed: string) => (names.has(name) ? (own.get(typed) ?? typed) : typed);
  const ifTyped = (name: string, typed: string | undefined) =>
    typed === undefined ? undefined : renamed(name, typed);
  return {
    ...input,
    need: (name) => renamed(name, input.need(name)),
    arg: (name) => ifTyped(name, input.arg(name)),
    words: (name) => input.words(name).map((each) => renamed(name, each)),
    option: (name) => ifTyped(name, input.option(name)),
    options: (name) => input.options(name).map((each) => renamed(name, each)),
  };
}
