// What the client's process arguments say of its session. True for the start: `/clear` and `/branch` leave them as they were.
//
// [CA1] `--session-id U`, or `--resume U` without `--fork-session`: the process began in U.
// [CA2] `--resume U --fork-session`: U is the parent; the session is the one of `--session-id`, or a new one.
// [CA3] A value that is no UUID (the picker of `--resume` alone, a name) says nothing. Nothing after `--` is an option.
// [CA4] A member of an agent team is told the session of its lead and its own name in the team.

import { readSessionId } from "../../names/gates.js";
import type { SessionArguments } from "../agent.js";

export function sessionArguments(argv: readonly string[]): SessionArguments {
  const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const own = readSessionId(optionValue(options, "--session-id"));
  const resumed = readSessionId(optionValue(options, "--resume", "-r"));
  const isFork = options.includes("--fork-session");
  const parentSession = readSessionId(optionValue(options, "--parent-session-id"));
  const agentName = optionValue(options, "--agent-name");
  return {
    began: own ?? (isFork ? null : resumed),
    forkedFrom: isFork ? resumed : null,
    model: optionValue(options, "--model"),
    name: optionValue(options, "--name", "-n"),
    ...(parentSession === null ? {} : { parentSession }),
    ...(agentName === null ? {} : { agentName }),
  };
}

function optionValue(argv: readonly string[], ...names: readonly string[]): string | null {
  for (const [at, word] of argv.entries()) {
    const name = names.find((each) => word === each || word.startsWith(`${each}=`));
    if (name === undefined) continue;
    const value = word === name ? argv[at + 1] : word.slice(name.length + 1);
    return value === undefined || value.startsWith("--") ? null : value;
  }
  return null;
}
