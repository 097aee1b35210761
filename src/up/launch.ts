// How an agent of a team file was started, as JSON in its row of the launches.
//
// - A launch survives a round trip. A row that does not parse is ignored.
// - It has digests of the environment's values and the arguments, never the text: enough to see that they changed.
// - Everything that is set at the start of a program counts as a difference. The role prompt and the restart policy
//   do not: they act without a restart, or only on a new conversation.
// - For an agent that this project did not start, its process shows some settings. Unknown settings are no
//   difference.

import { createHash } from "node:crypto";
import type { FleetPane } from "../fleet/panes.js";
import type { AgentId } from "../names/agent-id.js";
import { isProjectId, isRole, type Role } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import { launchRow } from "../stores/launches.js";
import type { Stores } from "../stores/stores.js";
import type { InboundPolicy, RestartPolicy, WantedAgent } from "../teamfile/team-file.js";

export interface Launch {
  project: string;
  agent: Role;
  kind: Kind;
  model: string | null;
  permissionMode: string | null;
  /** Absent in rows of earlier versions. */
  inbound?: InboundPolicy;
  mcp?: boolean;
  /** With links resolved. */
  cwd: string;
  args: Digest;
  env: Readonly<Record<string, Digest>>;
  /** Digest of its first message. */
  prompt: Digest | null;
  restart: RestartPolicy;
}

export type Digest = string;

export function launchOf(project: string, agent: WantedAgent, cwd: string, prompt: string | null): Launch {
  const { id, kind, model, permissionMode, inbound, mcp, args, env, restart } = agent;
  return {
    ...{ project, agent: id, kind, model, permissionMode, inbound, mcp, cwd },
    args: digest(JSON.stringify(args)),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, digest(value)])),
    prompt: prompt === null ? null : digest(prompt),
    restart,
  };
}

/** Keyed by agent. */
export type Launches = ReadonlyMap<AgentId, Launch>;

export function launchesIn({ launches }: Pick<Stores, "launches">): Launches {
  const { rows } = launches.read();
  return new Map(
    rows.flatMap(({ agent, launch }) => {
      const read = launch === null ? null : parseLaunch(launch);
      return read === null ? [] : [[agent, read] as const];
    }),
  );
}

export function launchIn(launches: Launches, { agent }: Pick<FleetPane, "agent">): Launch | null {
  return (agent && launches.get(agent.id)) ?? null;
}

export async function writeLaunches({ launches }: Pick<Stores, "launches">, now: Launches): Promise<void> {
  if (now.size === 0) return;
  await launches.update((rows) => [
    ...rows.filter(({ agent }) => !now.has(agent)),
    ...[...now].map(([agent, launch]) => launchRow(agent, launch.cwd, formatLaunch(launch))),
  ]);
}

export function formatLaunch(launch: Launch): string {
  return JSON.stringify(launch);
}

export function parseLaunch(text: string): Launch | null {
  try {
    const read = JSON.parse(text) as Launch;
    return isLaunch(read) ? read : null;
  } catch {
    return null;
  }
}

/** The settings that differ from the start, for people; empty if a restart would change nothing. */
export function differences(was: Launch, wanted: Launch): string[] {
  const plain = [
    ["kind", was.kind, wanted.kind],
    ["model", was.model, wanted.model],
    ["permission mode", was.permissionMode, wanted.permissionMode],
    ["inbound", was.inbound ?? "hold", wanted.inbound ?? "hold"],
    ["mcp", String(was.mcp ?? false), String(wanted.mcp ?? false)],
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

/** The settings that the process shows; the rest as wanted. */
export function assumedLaunch(pane: FleetPane, wanted: Launch, args: readonly string[]): Launch {
  const argv = pane.process?.args ?? [];
  const hasAll = args.every((word) => argv.includes(word));
  return {
    ...wanted,
    kind: pane.kind,
    model: pane.arguments?.model ?? null,
    permissionMode: permissionModeOf(pane),
    mcp: pane.arguments?.hasTools === true,
    cwd: pane.live?.cwd ?? wanted.cwd,
    args: hasAll ? wanted.args : "",
  };
}

/** The mode that its process was started with. */
export function permissionModeOf({ process }: Pick<FleetPane, "process">): string | null {
  const argv = process?.args ?? [];
  const at = argv.indexOf("--permission-mode");
  return at < 0 ? null : (argv[at + 1] ?? null);
}

function digest(text: string): Digest {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Checks a row that any program may have written. */
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
