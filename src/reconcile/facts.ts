// What an audit knows: the fleet and everything that is stored. Pure.
//
// - The rows of an agent whose pane moved count at its new address: a moved pane is no violation.
// - S1 and S2 must be what a refresh would write, so that no two repairs disagree.

import type { HiveEvent } from "../events/event.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { nameNow, planRefresh, type RefreshPlan, withFound } from "../fleet/roster/refresh.js";
import { isAgent } from "../fleet/roster/role-of.js";
import { eventsBetween } from "../fleet/roster/roster-events.js";
import { ownersOf, viewsOf } from "../fleet/roster/roster-views.js";
import type { AgentId } from "../names/agent-id.js";
import { addressParts, type PaneAddress, type Role, type SessionId, type TeamName } from "../names/gates.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { mayBeHidden } from "../transcripts/unreadable.js";
import type { Stored } from "./stored.js";

export interface Facts {
  fleet: Fleet;
  stored: Stored;
  /** The one team that was given. */
  only: TeamName | null;
  hostName: string;
  /** The teams to audit, by their current names. */
  teams: ReadonlySet<string>;
  /** All registered teams, by their current names. */
  registered: ReadonlySet<TeamName>;
  running: ReadonlySet<string>;
  roles: Rows<Role>;
  sessions: Rows<SessionId>;
  /** The owner of each address. */
  owners: ReadonlyMap<PaneAddress, AgentId>;
  /** Moved panes and renamed teams since the roster was written. */
  moves: readonly HiveEvent[];
  refresh: RefreshPlan;
  isHeld(session: SessionId): boolean;
  /** Places that may hold transcripts but are unreadable. */
  unsearched: readonly string[];
  /** What `monitor verify` finds; empty without a viewer. */
  viewer: readonly ViewerDifference[];
}

/** S1 or S2. */
export interface Rows<Value> {
  found: readonly { pane: PaneAddress; value: Value }[];
  wanted: ReadonlyMap<PaneAddress, Value>;
}

/** The purpose of a viewer window, and what it shows. */
export interface ViewerDifference {
  team: TeamName;
  expected: string;
  actual: string;
}

export interface FactOptions {
  only: TeamName | null;
  hostName: string;
  isHeld(session: SessionId): boolean;
  unsearched: readonly string[];
  /** The team may have been removed since. */
  mayBeGone?: boolean;
}

export function factsOf(
  fleet: Fleet,
  stored: Stored,
  { only, hostName, isHeld, unsearched, mayBeGone = false }: FactOptions,
): Facts {
  const { roster, takenAtMs: nowMs } = fleet;
  const scope = only === null ? {} : { team: only, mayBeGone };
  const refresh = planRefresh(fleet, stored, { nowMs, hostName, ...scope });
  const running = new Set(fleet.panes.map(({ sessionName }) => sessionName));
  const { agents } = withFound(roster.agents, refresh.found, { server: roster.server, nowMs });
  const wanted = viewsOf(agents, running);
  const roles = stored.roles.map(({ pane, role: value }) => ({ pane, value }));
  const sessions = stored.sessions.map(({ pane, uuid: value }) => ({ pane, value }));
  const registered = new Set(stored.teams.map(({ team }) => team).map(nameNow(fleet)));
  return {
    fleet,
    stored,
    only,
    hostName,
    teams: only === null ? registered : new Set([nameNow(fleet)(only)]),
    registered,
    running,
    roles: {
      found: followed(roles, fleet, ({ role }) => role),
      wanted: new Map(wanted.roles.map(({ pane, role }) => [pane, role])),
    },
    sessions: {
      found: followed(sessions, fleet, ({ session }) => session),
      wanted: new Map(wanted.sessions.map(({ pane, uuid }) => [pane, uuid])),
    },
    owners: ownersOf(agents, running),
    moves: eventsBetween(roster.stored, roster.agents, { renamed: roster.renamed }).filter(isMove),
    refresh,
    isHeld,
    unsearched,
    viewer: [],
  };
}

/** Rows of a team that does not run are needed to bring it back: nothing is wrong with them. */
export function isAudited({ teams, running }: Facts, address: PaneAddress): boolean {
  const { team } = addressParts(address);
  return teams.has(team) && running.has(team);
}

/** The agents of the audited teams. */
export function agentsIn({ fleet, teams }: Facts): FleetPane[] {
  return fleet.panes.filter((pane) => teams.has(pane.sessionName) && isAgent(pane));
}

/** Whether a transcript exists, or may be in an unreadable place. */
export function mayHaveTranscript({ fleet: { index }, unsearched }: Facts, session: SessionId): boolean {
  return unsearched.length > 0 || index.byId.has(session) || mayBeHidden(index.problems, session);
}

/** Each row of an agent that is still in its pane, at the pane's current address. */
function followed<Value extends string>(
  rows: readonly { pane: PaneAddress; value: Value }[],
  { roster }: Fleet,
  read: (agent: AgentRow) => Value | null,
): { pane: PaneAddress; value: Value }[] {
  const now = new Map(roster.agents.map((agent) => [agent.id, agent]));
  const key = (pane: string | null, value: string | null) => `${pane}|${value}`;
  const moved = new Map(
    roster.stored.flatMap((agent) => {
      const to = now.get(agent.id)?.address ?? null;
      return to === null ? [] : [[key(agent.address, read(agent)), to] as const];
    }),
  );
  return rows.map(({ pane, value }) => ({ pane: moved.get(key(pane, value)) ?? pane, value }));
}

function isMove({ name }: HiveEvent): boolean {
  return name === "team.renamed" || name.startsWith("pane");
}
