// The rows of other hosts: one heading per host, its agents below. Pure.
//
// - Hosts with an agent that waits for a person come first, and so do such agents among those of their host.
// - Nobody can act on a host that is not reached, so its agents do not count as waiting.

import type { HostState } from "../link/read-fleet.js";
import type { FarAgent } from "../link/rows.js";
import type { Host } from "../names/gates.js";
import { isPaneAddress } from "../names/gates.js";
import { shortId } from "../names/short-id.js";
import { first, has, type Order, type RowKey, type RowWishes, shareOf } from "./rows.js";

/** What this host knows of the others. */
export interface FarView {
  hosts: readonly HostState[];
  agents: readonly FarAgent[];
  /** The server's clock, and this host's, when this was read. */
  serverMs: number;
  readAtMs: number;
}

export const nothingFar: FarView = { hosts: [], agents: [], serverMs: 0, readAtMs: 0 };

export interface HostRow {
  kind: "host";
  key: RowKey;
  host: HostState;
  waiting: number;
  isFolded: boolean;
}

export interface FarRow {
  kind: "far";
  key: RowKey;
  agent: FarAgent;
  isReached: boolean;
}

export function farRowsOf(
  { hosts, agents }: FarView,
  { folded, filter, order }: RowWishes,
): (HostRow | FarRow)[] {
  const byHost = new Map<Host, FarAgent[]>();
  for (const agent of agents) {
    const known = byHost.get(agent.host);
    if (known === undefined) byHost.set(agent.host, [agent]);
    else known.push(agent);
  }
  const all = hosts.map((host) => {
    const rows = rowsAt(host, byHost.get(host.host) ?? []);
    return { host, rows: rows.filter(({ agent }) => fits(filter, agent)) };
  });
  const shown = all.filter(({ host, rows }) => rows.length > 0 || has(filter, host.host));
  const sorted = order === "waiting" ? first(shown, ({ rows }) => rows.some(isFarWaiting)) : shown;
  return sorted.flatMap(({ host, rows }): (HostRow | FarRow)[] => {
    const key = hostKey(host.host);
    const isFolded = folded.has(key) && filter === "";
    const waiting = rows.filter(isFarWaiting).length;
    return [{ kind: "host", key, host, waiting, isFolded }, ...(isFolded ? [] : ordered(rows, order))];
  });
}

export const hostKey = (host: Host): RowKey => `host ${host}`;

export function isFarWaiting({ agent, isReached }: Pick<FarRow, "agent" | "isReached">): boolean {
  return isReached && (agent.activity === "waiting" || agent.asks > 0);
}

/** How commands name it; null if nothing names it on its host. A foreign text that is no name is never typed. */
export function farName({ host, agent, role, pane }: FarAgent): string | null {
  if (agent !== null) return `@${agent}@${host}`;
  if (pane !== null && isPaneAddress(pane)) return `${pane}@${host}`;
  return pane === null || role === null ? null : `${role}@${host}`;
}

/** How people call it. */
export function farLabel(agent: FarAgent): string {
  return `${shortName(agent)}@${agent.host}`;
}

export function shortName({ role, pane, agent, session }: FarAgent): string {
  return role ?? pane ?? (agent === null ? session && shortId(session) : `@${agent}`) ?? "unnamed";
}

/** How old something is that was written then, by the server's clock. */
export function farAgeMs({ serverMs, readAtMs }: FarView, writtenAtMs: number, nowMs: number): number {
  return Math.max(0, serverMs - writtenAtMs + Math.max(0, nowMs - readAtMs));
}

/** A host that publishes one agent twice has one row for it. Its own order is the order of its writes, which changes. */
function rowsAt({ host, isReached }: HostState, agents: readonly FarAgent[]): FarRow[] {
  const rows = new Map<RowKey, FarRow>();
  for (const agent of agents.toSorted(byPlace)) {
    const key = `far ${host} ${agent.agent ?? agent.session ?? agent.pane ?? ""}`;
    if (!rows.has(key)) rows.set(key, { kind: "far", key, agent, isReached });
  }
  return [...rows.values()];
}

function byPlace(a: FarAgent, b: FarAgent): number {
  const compare = (one: string | null, other: string | null) =>
    (one ?? "\uffff").localeCompare(other ?? "\uffff", "en", { numeric: true });
  return (
    compare(a.team, b.team) || compare(a.pane, b.pane) || compare(a.role, b.role) || compare(a.agent, b.agent)
  );
}

function ordered(rows: readonly FarRow[], order: Order): readonly FarRow[] {
  switch (order) {
    case "waiting":
      return first(rows, isFarWaiting);
    case "tmux":
      return rows;
    case "context":
      return rows.toSorted((a, b) => shareOf(b.agent) - shareOf(a.agent));
    case "name":
      return rows.toSorted((a, b) => (shortName(a.agent) < shortName(b.agent) ? -1 : 1));
  }
}

function fits(filter: string, agent: FarAgent): boolean {
  if (filter === "") return true;
  const { host, team, role, pane, activity, model, folder } = agent;
  return [host, team, role, pane, activity, model, folder].some((text) => text !== null && has(filter, text));
}
