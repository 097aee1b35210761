// What the client's process arguments say about its session. They describe the start: `/clear` and `/branch` do not
// change them.
//
// - `--session-id U`, or `--resume U` without `--fork-session`: the process began in U.
// - `--resume U --fork-session`: U is the parent. The session is that of `--session-id`, or a new one.
// - A value that is not a UUID (a name, or `--resume` alone, which opens a picker) says nothing.
// - Nothing after `--` is an option.
// - hivemind's tools come by `--mcp-config`, as JSON.
// - A member of an agent team gets the session of its lead, the team's name and its own name.

import { readSessionId, type SessionId } from "../../names/gates.js";
import type { SessionArguments } from "../launch.js";
import { scriptOf } from "../script.js";
import { serverName } from "./mcp/server-entry.js";

export function sessionArguments(argv: readonly string[]): SessionArguments {
  const options = optionsIn(argv);
  const own = readSessionId(optionValue(options, "--session-id"));
  const resumed = sessionNamed(optionValue(options, "--resume", "-r"));
  const isFork = options.includes("--fork-session");
  const parentSession = readSessionId(optionValue(options, "--parent-session-id"));
  const [team, name] = [optionValue(options, "--team-name"), optionValue(options, "--agent-name")];
  return {
    began: own ?? (isFork ? null : resumed),
    ...(own === null ? {} : { isCreated: true }),
    forkedFrom: isFork ? resumed : null,
    // The client takes the last of several.
    model: optionValues(options, "--model").at(-1) ?? null,
    name: optionValue(options, "--name", "-n"),
    ...shownJobs(argv),
    ...(optionValues(options, "--mcp-config").some(isOurConfig) ? { hasTools: true } : {}),
    ...(parentSession === null ? {} : { parentSession }),
    ...(team === null || name === null ? {} : { member: { team, name } }),
  };
}

/** As `launch` writes it: JSON with our server. */
function isOurConfig(value: string | null): boolean {
  return value?.startsWith(`{"mcpServers":{"${serverName}":`) === true;
}

/** `claude attach JOB` shows one background conversation, `claude agents` the list of them. */
function shownJobs(argv: readonly string[]): Pick<SessionArguments, "shows"> {
  const [word, job] = argv.slice(scriptOf(argv) === null ? 1 : 2);
  if (word === "agents") return { shows: { job: null } };
  return word === "attach" && job !== undefined ? { shows: { job } } : {};
}

export const bypassMode = "bypassPermissions";

/** The client takes the last of several; the short way to bypass all checks comes before any mode. */
export function permissionModeAsked(argv: readonly string[]): string | null {
  const options = optionsIn(argv);
  if (options.includes("--dangerously-skip-permissions")) return bypassMode;
  return optionValues(options, "--permission-mode").at(-1) ?? null;
}

/** Nothing behind the two dashes is an option. */
function optionsIn(argv: readonly string[]): readonly string[] {
  return argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
}

/** A background job gets the path of the transcript it was copied from. */
function sessionNamed(value: string | null): SessionId | null {
  return readSessionId(value) ?? readSessionId(/([^/]+)\.jsonl$/.exec(value ?? "")?.[1]);
}

function optionValue(argv: readonly string[], ...names: readonly string[]): string | null {
  return optionValues(argv, ...names)[0] ?? null;
}

/** The value of each occurrence of these options; null for an option without a value. */
export function optionValues(argv: readonly string[], ...names: readonly string[]): (string | null)[] {
  return argv.flatMap((word, at) => {
    const name = names.find((each) => word === each || word.startsWith(`${each}=`));
    if (name === undefined) return [];
    const value = word === name ? argv[at + 1] : word.slice(name.length + 1);
    return [value === undefined || value.startsWith("--") ? null : value];
  });
}
