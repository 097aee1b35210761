// What the client's process arguments say of its session. True for the start: `/clear` and `/branch` leave them as they were.
//
// [CA1] `--session-id U`, or `--resume U` without `--fork-session`: the process began in U.
// [CA2] `--resume U --fork-session`: U is the parent; the session is the one of `--session-id`, or a new one.
// [CA3] A value that is no UUID (the picker of `--resume` alone, a name) says nothing. Nothing after `--` is an option.

import { readSessionId } from "../../names/gates.js";
import type { SessionArguments } from "../agent.js";

export function sessionArguments(argv: readonly string[]): SessionArguments {
  const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const own = readSessionId(optionValue(options, "--session-id"));
  const resumed = readSessionId(optionValue(options, "--resume", "-r"));
  const isFork = options.includes("--fork-session");
  return {
    began: own ?? (isFork ? null : resumed),
    ...(own === null ? {} : { isCreated: true }),
    forkedFrom: isFork ? resumed : null,
    // Of several the client takes the last.
    model: optionValues(options, "--model").at(-1) ?? null,
    name: optionValue(options, "--name", "-n"),
  };
}

function optionValue(argv: readonly string[], ...names: readonly string[]): string | null {
  return optionValues(argv, ...names)[0] ?? null;
}

/** The words behind each of these options; null for one that has none. */
export function optionValues(argv: readonly string[], ...names: readonly string[]): (string | null)[] {
  return argv.flatMap((word, at) => {
    const name = names.find((each) => word === each || word.startsWith(`${each}=`));
    if (name === undefined) return [];
    const value = word === name ? argv[at + 1] : word.slice(name.length + 1);
    return [value === undefined || value.startsWith("--") ? null : value];
  });
}
