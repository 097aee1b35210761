// A fleet of many hosts on a terminal. Pure: what was read in, lines out.

import { counted } from "../../base/text/counted.js";
import { textTable } from "../../base/text/table.js";
import type { FleetRead, HostState } from "../../link/read-fleet.js";
import type { FarAgent } from "../../link/rows.js";
import { shortId } from "../../names/short-id.js";
import { type Colours, shown } from "../output.js";
import { contextShare } from "../sessions/cells.js";

export function hostLines({ hosts }: Pick<FleetRead, "hosts">, colours: Colours): string[] {
  const rows = hosts.map((host) => [
    shown(host.host),
    host.isReached ? colours.green("reached") : colours.red(notReached(host)),
    String(host.agents),
    ageText(host.ageMs),
    shown(host.machine || null),
    shown(host.version || null),
  ]);
  return textTable(
    [["HOST", "STATE", "AGENTS", "LAST SIGN", "MACHINE", "VERSION"], ...rows],
    ["left", "left", "right", "left"],
  );
}

function notReached({ isStopped }: HostState): string {
  return isStopped ? "its watcher was stopped" : "not reached";
}

/** Every agent of every host. A host that is not reached is a row of its own, above its last agents. */
export function fleetLines({ hosts, agents, nowMs }: FleetRead, colours: Colours): string[] {
  const rows = hosts.flatMap((host) => {
    const own = agents.filter((agent) => agent.host === host.host);
    const gone = `${notReached(host)}; last sign ${ageText(host.ageMs)} ago`;
    return [
      ...(host.isReached ? [] : [[shown(host.host), colours.red(gone)]]),
      ...(host.isReached && own.length === 0 ? [[shown(host.host), colours.dim("no agents")]] : []),
      ...own.map((agent) => agentCells(agent, nowMs, host, colours)),
    ];
  });
  const heading = ["AGENT", "ACTIVITY", "TEAM", "KIND", "CONTEXT", "QUEUED", "SESSION", "AGE"];
  return textTable(
    [heading, ...rows.map((row) => [...row, ...Array(heading.length - row.length).fill("")])],
    ["left"],
  );
}

function agentCells(agent: FarAgent, nowMs: number, host: HostState, colours: Colours): string[] {
  const { team, kind, context, queued, session, writtenAtMs } = agent;
  return [
    `${agentName(agent)}@${shown(agent.host)}`,
    host.isReached ? activityCell(agent, colours) : colours.dim(`was ${agent.activity ?? "unknown"}`),
    shown(team),
    shown(kind),
    contextShare(context),
    queued > 0 ? String(queued) : "–",
    session === null ? "–" : shown(shortId(session)),
    ageText(Math.max(0, nowMs - writtenAtMs)),
  ];
}

/** Its role; else its place, which names it on its own host. */
export function agentName({ role, pane, agent, session }: FarAgent): string {
  return shown(role ?? pane ?? (agent === null ? session && shortId(session) : `@${agent}`) ?? "unnamed");
}

function activityCell({ activity, standing, asks }: FarAgent, colours: Colours): string {
  if (standing === "away" || standing === "elsewhere") return colours.dim(standing);
  switch (activity) {
    case "waiting":
      return colours.yellow(asks > 0 ? `waiting: ${counted(asks, "request")}` : "waiting");
    case "busy":
      return colours.cyan("busy");
    case "idle":
      return colours.green("idle");
    case "limited":
    case "error":
    case "crashed":
      return colours.red(activity);
    default:
      return shown(activity);
  }
}

/** `4 s`, `12 min`, `3 h`, `5 d`: rounded down, so that a young age never looks old. */
export function ageText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
