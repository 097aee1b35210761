// The rows of the fleet: teams and their agents as a tree, then conversations without a pane. Other hosts have
// `far-rows.ts`. Pure.
//
// - An agent that waits for a person comes first in its team, and its team first among the teams.
// - Everything else keeps the order of tmux, so that a row stays where it was.
// - A row is known by its key, which stays the same while its agent moves between panes.

import type { AgentView, BackgroundView, TeamView } from "../fleet/view.js";
import type { FleetView } from "../hive/view-fleet.js";
import { type FarRow, farLabel, farName, type HostRow } from "./far-rows.js";

export type RowKey = string;

export type Row =
  | { kind: "team"; key: RowKey; team: TeamView; isFolded: boolean }
  | { kind: "agent"; key: RowKey; team: string; agent: AgentView }
  | { kind: "background"; key: RowKey; job: BackgroundView }
  | HostRow
  | FarRow;

export const orders = ["waiting", "tmux", "context", "name"] as const;
export type Order = (typeof orders)[number];

export interface RowWishes {
  folded: ReadonlySet<RowKey>;
  /** Rows without this text are left out. */
  filter: string;
  order: Order;
}

export function rowsOf(fleet: FleetView, { folded, filter, order }: RowWishes): Row[] {
  const teams = fleet.teams
    .map((team) => ({
      team,
      agents: team.agents.filter((agent) => isShown(agent) && fits(filter, team, agent)),
    }))
    .filter(({ team, agents }) => agents.length > 0 || (filter === "" && team.registered));
  const sorted = order === "waiting" ? first(teams, ({ agents }) => agents.some(isWaiting)) : teams;
  const rows = sorted.flatMap(({ team, agents }): Row[] => {
    const key = `team ${team.team}`;
    const isFolded = folded.has(key) && filter === "";
    const below = isFolded ? [] : ordered(agents, order);
    return [
      { kind: "team", key, team, isFolded },
      ...below.map((agent): Row => ({ kind: "agent", key: keyOf(agent), team: team.team, agent })),
    ];
  });
  const jobs = fleet.background.filter(({ name, job }) => has(filter, name ?? job));
  return [...rows, ...jobs.map((job): Row => ({ kind: "background", key: `job ${job.job}`, job }))];
}

export function keyOf({ agent, paneId, pane }: AgentView): RowKey {
  return agent === null ? (paneId ?? pane) : `@${agent}`;
}

/** How commands name the agent of a row; null for a row that is no agent in a pane. */
export function nameOf(row: Row): string | null {
  if (row.kind === "far") return farName(row.agent);
  if (row.kind !== "agent") return null;
  const { agent, paneId } = row.agent;
  return paneId ?? (agent === null ? null : `@${agent}`);
}

/** How people call it. */
export function labelOf(row: Row): string {
  if (row.kind === "team") return row.team.team;
  if (row.kind === "background") return row.job.name ?? row.job.job;
  if (row.kind === "host") return row.host.host;
  if (row.kind === "far") return farLabel(row.agent);
  const { role, pane, agent } = row.agent;
  return role ?? (pane || `@${agent}`);
}

/** What a pane shows, without the empty rows at its end. */
export function screenLines(screen: string): string[] {
  return screen.replace(/\n+$/, "").split("\n");
}

export function isWaiting({ activity }: Pick<AgentView, "activity">): boolean {
  return activity === "waiting";
}

/** Shells are no agents, unless one crashed there. */
function isShown({ kind, activity, agent }: AgentView): boolean {
  return agent !== null || activity === "crashed" || (kind !== "shell" && kind !== "monitor");
}

function fits(filter: string, { team }: TeamView, agent: AgentView): boolean {
  if (filter === "") return true;
  const texts = [team, agent.role, agent.pane, agent.activity, agent.waitingFor, agent.model, agent.cwd];
  return texts.some((text) => text !== null && has(filter, text));
}

export function has(filter: string, text: string): boolean {
  return text.toLowerCase().includes(filter.toLowerCase());
}

function ordered(agents: readonly AgentView[], order: Order): readonly AgentView[] {
  switch (order) {
    case "waiting":
      return first(agents, isWaiting);
    case "tmux":
      return agents;
    case "context":
      return agents.toSorted((a, b) => shareOf(b) - shareOf(a));
    case "name":
      return agents.toSorted((a, b) => ((a.role ?? a.pane) < (b.role ?? b.pane) ? -1 : 1));
  }
}

/** From 0 to 1; below 0 if it is unknown. */
export function shareOf({ context }: Pick<AgentView, "context">): number {
  return context === null || context.window === null ? -1 : context.used / context.window;
}

export function first<T>(items: readonly T[], isFirst: (item: T) => boolean): T[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}
