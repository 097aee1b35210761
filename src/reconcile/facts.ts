// What an audit knows: the fleet beside everything that is stored, with rows where their panes are now. Pure.
//
// [AU1] What moved is followed in memory first: a pane that moved is no violation.
// [AU2] Roles and sessions are settled exactly as a refresh settles them, so that no two repairs can disagree.

import type { HiveEvent } from "../events/event.js";
import { judgeRows } from "../fleet/gone.js";
import { since } from "../fleet/homes.js";
import { planMoves } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { planRefresh, type RefreshPlan } from "../fleet/refresh.js";
import { isAgent, type RoleFinding, settleRoles, titledRole } from "../fleet/role-of.js";
import { homesIn, tmuxSessionOf } from "../fleet/shifts.js";
import {
  addressParts,
  type PaneAddress,
  type PaneId,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";
import { type KeptPlaces, ownedPlace } from "../stores/queue-homes.js";
import { type Moves, rekeyRows, teamMoves } from "../stores/rekey.js";
import { mayHide } from "../transcripts/hidden.js";
import type { Stored, StoredQueue } from "./stored.js";

export interface Facts {
  fleet: Fleet;
  stored: Stored;
  /** The one team that was asked for. */
  only: TeamName | null;
  hostName: string;
  /** The teams that were asked for, by the names they have now. */
  teams: ReadonlySet<string>;
  /** All registered ones, by the names they have now. */
  registered: ReadonlySet<TeamName>;
  running: ReadonlySet<string>;
  /** By every address they can be named by. */
  places: ReadonlyMap<string, FleetPane>;
  /** S1, S2 and S6 where their panes are now; rows of panes that are gone are still in them. */
  roles: ReadonlyMap<PaneAddress, Role>;
  sessions: ReadonlyMap<PaneAddress, SessionId>;
  queues: readonly StoredQueue[];
  /** The teams at whose addresses messages wait that belong elsewhere. */
  astray: ReadonlySet<TeamName>;
  gone: ReadonlySet<PaneAddress>;
  /** For every pane that runs an agent. */
  settled: ReadonlyMap<PaneId, RoleFinding>;
  /** What follows panes that moved, and is done before any repair. */
  moves: readonly HiveEvent[];
  /** What a refresh would do, and of that what it would do for one pane. */
  refresh: RefreshPlan;
  refreshOf: ReadonlyMap<PaneAddress, readonly HiveEvent[]>;
  /** The sessions that S2 has of a team. */
  sessionsOf: ReadonlyMap<string, readonly SessionId[]>;
  isHeld(session: SessionId): boolean;
  /** Where transcripts may lie, and nobody could look. */
  unsearched: readonly string[];
  /** What `monitor verify` finds; nothing where there is no viewer. */
  viewer: readonly ViewerDifference[];
}

/** What a window of the viewer is for, and what it is. */
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
  /** The team may be removed by now. */
  mayBeGone?: boolean;
}

export function factsOf(
  fleet: Fleet,
  stored: Stored,
  { only, hostName, isHeld, unsearched, mayBeGone = false }: FactOptions,
): Facts {
  const asked = only ?? undefined;
  const { events: moves, rows, teams } = planMoves(fleet, stored, asked);
  const places = new Map(
    fleet.panes.flatMap((pane) => [pane.address, ...pane.alsoAt].map((address) => [address, pane] as const)),
  );
  const called = (pane: FleetPane) => titledRole(pane, new Set(), hostName);
  const { gone: lost, awaited } = judgeRows(fleet, rows, called);
  const homes = { ...homesIn(fleet), kept: since(awaited.keys(), fleet.panes) };
  const gone = new Set([...lost].filter((pane) => teams.has(tmuxSessionOf(pane))));
  const roles = new Map(rows.roles.map(({ pane, role }) => [pane, role]));
  const kept = new Map([...roles].filter(([pane]) => !gone.has(pane) && !awaited.has(pane)));
  const renamed = new Map(
    moves.flatMap((event) => (event.name === "team.renamed" ? [[event.old, event.new] as const] : [])),
  );
  const scope = asked === undefined ? {} : { team: asked, mayBeGone };
  const options = { nowMs: fleet.takenAtMs, hostName, ...scope };
  const refresh = planRefresh(fleet, stored, options);
  // A refresh follows what moved first, and names panes as they are called then.
  const own = refresh.events.slice(moves.length);
  return {
    fleet,
    stored,
    only,
    hostName,
    teams,
    registered: new Set(stored.teams.map(({ team }) => renamed.get(team) ?? team)),
    running: new Set([...places.keys()].map(tmuxSessionOf)),
    places,
    roles,
    sessions: new Map(rows.sessions.map(({ pane, uuid }) => [pane, uuid])),
    queues: gathered(followed(stored.queues, moves, homes)),
    astray: astray(stored.queues, homes, only),
    gone,
    settled: settleRoles(fleet.panes, kept, hostName, awaited),
    moves,
    refresh,
    refreshOf: grouped(own.flatMap((event) => ("pane" in event ? [[event.pane, event]] : []))),
    sessionsOf: grouped(rows.sessions.map(({ pane, uuid }) => [tmuxSessionOf(pane), uuid])),
    isHeld,
    unsearched,
    viewer: [],
  };
}

/** Rows of a team that does not run are what brings it back: nothing is wrong with them. */
export function isAudited({ teams, running }: Facts, address: PaneAddress): boolean {
  const team = tmuxSessionOf(address);
  return teams.has(team) && running.has(team);
}

/** The agents of the teams that were asked for. */
export function agentsIn({ fleet, teams }: Facts): FleetPane[] {
  return fleet.panes.filter((pane) => teams.has(pane.sessionName) && isAgent(pane));
}

/** Whether a transcript is there, or may be where nobody could look. */
export function mayHaveTranscript({ fleet: { index }, unsearched }: Facts, session: SessionId): boolean {
  return unsearched.length > 0 || index.byId.has(session) || mayHide(index.problems, session);
}

/** Messages whose pane is known stand where that does; the others go where their address went. */
function followed(
  queues: readonly StoredQueue[],
  moves: readonly HiveEvent[],
  homes: KeptPlaces,
): readonly StoredQueue[] {
  const placed = queues.map((queue) => ({ queue, at: ownedPlace(queue.pane, queue.owner, homes) }));
  const owned = placed.flatMap(({ queue, at }) => (at ? [{ ...queue, pane: at }] : []));
  const others = placed.flatMap(({ queue, at }) => (at === undefined ? [queue] : []));
  const isMessage = ({ waiting }: StoredQueue) => waiting > 0;
  const rekeyed = moves.reduce<readonly StoredQueue[]>(
    (rows, event) =>
      event.name === "agent.killed"
        ? rows.filter(({ pane }) => pane !== event.pane)
        : rekeyRows(rows, movesOf(event, rows)),
    others.filter(isMessage),
  );
  // A file in which nothing waits stays where it is.
  return [...others.filter((queue) => !isMessage(queue)), ...rekeyed, ...owned];
}

function astray(
  queues: readonly StoredQueue[],
  homes: KeptPlaces,
  only: TeamName | null,
): ReadonlySet<TeamName> {
  const isAstray = ({ pane, owner }: StoredQueue) => {
    const at = ownedPlace(pane, owner, homes);
    return at !== undefined && at !== pane;
  };
  const teams = queues.filter(isAstray).map(({ pane }) => addressParts(pane).team);
  return new Set(teams.filter((team) => only === null || team === only));
}

/** One for each address. */
function gathered(queues: readonly StoredQueue[]): StoredQueue[] {
  return [...grouped(queues.map((queue) => [queue.pane, queue] as const))].map(([pane, parts]) => ({
    pane,
    owner: undefined,
    waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
    isExpired: parts.every(({ isExpired }) => isExpired),
    isBlank: parts.every(({ isBlank }) => isBlank),
  }));
}

function movesOf(event: HiveEvent, rows: readonly StoredQueue[]): Moves {
  if (event.name === "team.renamed")
    return teamMoves(
      rows.map(({ pane }) => pane),
      event.old,
      event.new,
    );
  if (event.name !== "panes.shifted") return new Map();
  return new Map(event.moves.map(({ from, to }) => [from, to]));
}

function grouped<Key, Value>(pairs: readonly (readonly [Key, Value])[]): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
