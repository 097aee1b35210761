// How an agent of a team file was started, as its pane remembers it: `<pane id>|<JSON>` in one pane option. Pure.
//
// [UL1] What was written reads back as itself; what is another pane's, or does not parse, says nothing.
// [UL2] No value of the environment and no argument stands in it: of those only a digest, enough to see that they changed.
// [UL3] Whatever is set when a program starts makes a difference; a role prompt and the restart policy do not: they act
//       without a restart, or only on a new conversation.
// [UL4] Of an agent that somebody else started, its process tells what it can; what nothing tells is no difference.

import { createHash } from "node:crypto";
import type { Kind } from "../agents/agent.js";
import type { FleetPane } from "../fleet/panes.js";
import { isProjectId, isRole, type PaneId, type Role } from "../names/gates.js";
import type { RestartPolicy, WantedAgent } from "../teamfile/team-file.js";

export interface Launch {
  project: string;
  agent: Role;
  kind: Kind;
  model: string | null;
  permissionMode: string | null;
  /** Links resolved. */
  cwd: string;
  args: Digest;
  env: Readonly<Record<string, Digest>>;
  /** Of what it would be told first. */
  prompt: Digest | null;
  restart: RestartPolicy;
}

export type Digest = string;

export function launchOf(project: string, agent: WantedAgent, cwd: string, prompt: string | null): Launch {
  const { id, kind, model, permissionMode, args, env, restart } = agent;
  return {
    ...{ project, agent: id, kind, model, permissionMode, cwd },
    args: digest(JSON.stringify(args)),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, digest(value)])),
    prompt: prompt === null ? null : digest(prompt),
    restart,
  };
}

export function formatLaunch(pane: PaneId, launch: Launch): string {
  return `${pane}|${JSON.stringify(launch)}`;
}

export function parseLaunch({ id, launch }: Pick<FleetPane, "id" | "launch">): Launch | null {
  if (!launch.startsWith(`${id}|`)) return null;
  try {
    const read = JSON.parse(launch.slice(id.length + 1)) as Launch;
    return isLaunch(read) ? read : null;
  } catch {
    return null;
  }
}

/** What is not as it was started, in words; nothing where a restart would change nothing. */
export function differences(was: Launch, wanted: Launch): string[] {
  const plain = [
    ["kind", was.kind, wanted.kind],
    ["model", was.model, wanted.model],
    ["permission mode", was.permissionMode, wanted.permissionMode],
    ["folder", was.cwd, wanted.cwd],
  ] as const;
  const names = [...new Set([...Object.keys(was.env), ...Object.keys(wanted.env)])].sort();
  const changed = names.filter((name) => was.env[name] !== wanted.env[name]);
  return [
    ...plain.flatMap(([what, a, b]) => (a === b ? [] : [`${what} ${a ?? "unset"} → ${b ?? "unset"}`])),
    ...(was.args === wanted.args ? [] : ["its arguments changed"]),
    ...(changed.length === 0 ? [] : [`its environment changed: ${changed.join(", ")}`]),
  ];
}

/** As far as the process tells; the rest as it is wanted. */
export function assumedLaunch(pane: FleetPane, wanted: Launch, args: readonly string[]): Launch {
  const argv = pane.process?.args ?? [];
  const hasAll = args.every((word) => argv.includes(word));
  return {
    ...wanted,
    kind: pane.kind,
    model: pane.arguments?.model ?? null,
    permissionMode: permissionModeOf(pane),
    cwd: pane.live?.cwd ?? wanted.cwd,
    args: hasAll ? wanted.args : "",
  };
}

/** The one that its process was started with. */
export function permissionModeOf({ process }: Pick<FleetPane, "process">): string | null {
  const argv = process?.args ?? [];
  const at = argv.indexOf("--permission-mode");
  return at < 0 ? null : (argv[at + 1] ?? null);
}

function digest(text: string): Digest {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Of an option that anybody may have written. */
function isLaunch(value: Launch | null): value is Launch {
  if (typeof value !== "object" || value === null) return false;
  const { project, agent, kind, cwd, args, env } = value;
  const texts = [project, agent, kind, cwd, args];
  return (
    texts.every((each) => typeof each === "string") &&
    typeof env === "object" &&
    env !== null &&
    isRole(agent) &&
    isProjectId(project)
  );
}
