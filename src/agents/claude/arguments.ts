// What the client's process arguments say of its session. True for the start: `/clear` and `/branch` leave them as they were.
//
// [CA1] `--session-id U`, or `--resume U` without `--fork-session`: the process began in U.
// [CA2] `--resume U --fork-session`: U is the parent; the session is the one of `--session-id`, or a new one.
// [CA3] A value that is no UUID (the picker of `--resume` alone, a name) says nothing. Nothing after `--` is an option.
// [CA4] A member of an agent team is told the session of its lead, the team's name and its own.

import { readSessionId, type SessionId } from "../../names/gates.js";
import type { SessionArguments } from "../agent.js";
import { scriptOf } from "../script.js";

export function sessionArguments(argv: readonly string[]): SessionArguments {
  const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const own = readSessionId(optionValue(options, "--session-id"));
  const resumed = sessionNamed(optionValue(options, "--resume", "-r"));
  const isFork = options.includes("--fork-session");
  const parentSession = readSessionId(optionValue(options, "--parent-session-id"));
  const [team, name] = [optionValue(options, "--team-name"), optionValue(options, "--agent-name")];
  return {
    began: own ?? (isFork ? null : resumed),
    ...(own === null ? {} : { isCreated: true }),
    forkedFrom: isFork ? resumed : null,
    // Of several the client takes the last.
    model: optionValues(options, "--model").at(-1) ?? null,
    name: optionValue(options, "--name", "-n"),
    ...shownJobs(argv),
    ...(parentSession === null ? {} : { parentSession }),
    ...(team === null || name === null ? {} : { member: { team, name } }),
  };
}

/** `claude attach JOB` shows one conversation of the background, `claude agents` the list of them. */
function shownJobs(argv: readonly string[]): Pick<SessionArguments, "shows"> {
  const [word, job] = argv.slice(scriptOf(argv) === null ? 1 : 2);
  if (word === "agents") return { shows: { job: null } };
  return word === "attach" && job !== undefined ? { shows: { job } } : {};
}

/** A background job is given the path of the transcript that it is a copy of. */
function sessionNamed(value: string | null): SessionId | null {
  return readSessionId(value) ?? readSessionId(/([^/]+)\.jsonl$/.exec(value ?? "")?.[1]);
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
