// The other hosts of the fleet on the board: which rows, in which order, in which words. Pure.

import type { AgedAgent, FleetStatus } from "../../src/cli/fleet/status.js";
import type { HostState } from "../../src/link/read-fleet.js";
import { shortId } from "../../src/names/short-id.js";
import { counted } from "../parts/ago.js";
import { groupOf, hasWords, type Wishes, waitingFirst } from "./board-rows.js";

export interface FarRow {
  /** Two agents of a host may say the same of themselves, so a row is known by its place. */
  key: string;
  agent: AgedAgent;
}

export interface HostRows {
  host: HostState;
  rows: readonly FarRow[];
  /** Agents that fit but have no row. */
  more: number;
  waiting: number;
}

/** Per host: a host decides how many agents it publishes. */
const mostRows = 200;

/** Without this host. A host without a fitting agent is absent while the person filters. */
export function hostRowsOf({ host: own, hosts, agents }: FleetStatus, wishes: Wishes): HostRows[] {
  const isFiltered = wishes.filter.trim() !== "" || wishes.group !== null;
  const sections = hosts
    .filter(({ host }) => host !== own)
    .map((host) => {
      const fitting = agents
        .filter((agent) => agent.host === host.host && fits(wishes, agent))
        .map((agent, at) => ({ key: `${host.host} ${at}`, agent }));
      const isWaiting = ({ agent }: FarRow) => groupOf(agent) === "waiting";
      const rows = waitingFirst(fitting, isWaiting).slice(0, mostRows);
      return { host, rows, more: fitting.length - rows.length, waiting: fitting.filter(isWaiting).length };
    });
  return waitingFirst(
    sections.filter(({ rows }) => rows.length > 0 || !isFiltered),
    ({ host, waiting }) => host.isReached && waiting > 0,
  );
}

function fits({ filter, group }: Wishes, agent: AgedAgent): boolean {
  const { host, team, role, kind, pane, activity, standing, model, folder } = agent;
  return (
    (group === null || groupOf(agent) === group) &&
    hasWords(filter, [host, team, role, kind, pane, activity, standing, model, folder])
  );
}

/** How commands of this host name it: `lead@beta`. */
export function farName({ role, pane, agent, session }: AgedAgent): string {
  return role ?? pane ?? (agent === null ? session && shortId(session) : `@${agent}`) ?? "unnamed";
}

/** `1 request · shop · claude · in api` */
export function farWords({ asks, team, kind, folder }: AgedAgent): string {
  const words = [
    asks > 0 ? counted(asks, "request") : null,
    team,
    kind,
    folder === null ? null : `in ${folder}`,
  ];
  return words.filter((word) => word !== null).join(" · ");
}

/** Before the time of its last sign: `not reached since 14:02 (4 min)`. A host whose watcher was stopped is not watched. */
export function goneWords({ isStopped }: Pick<HostState, "isStopped">): string {
  return isStopped ? "not watched since" : "not reached since";
}

/** `14:02` today, else with the day. */
export function momentText(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const clock = at.toTimeString().slice(0, 5);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  if (isToday) return clock;
  return `${at.toLocaleDateString("en", { day: "numeric", month: "short" })} ${clock}`;
}
