// What `registry refresh` must write, as data: the stores follow what is live. Pure.
//
// [RG1] What moved is re-keyed first, and what moved together is one event.
// [RG2] Rows of panes that are gone are dropped only in a team that was asked for and runs; a team that does not
//       run keeps its rows, and so does a pane that stands where no row can name it.
// [RG3] A named agent is in S1, S2 and every registered pane carries its mark; an unnamed agent gets no row, an ended one
//       whose mark is left gets its role back. What is right already is no event. Who stands where a
//       row waits for another (GN4) is left alone.
// [RG4] Every agent pane gives one row of S5, whatever else happened to it.
// [RG5] A session in two panes is said, and not given to a pane that did not have it.
// [RG6] A session without a transcript is counted as broken; its row stays.
// [RG7] A session that came and went between two refreshes, as hooks saw it, is a row of S5 too, once: not where S5 has
//       it of the same pane and time.
// [RG8] Of the reports that are used up those of panes that get their rows here may be swept, and those too old to wait.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { utcSeconds } from "../base/utc.js";
import type { HiveEvent } from "../events/event.js";
import {
  isTeamName,
  type PaneAddress,
  type PaneId,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import type { Kin } from "../transcripts/kin.js";
import type { LineageEdge } from "../transcripts/lineage.js";
import { judgeRows } from "./gone.js";
import { edgesOf } from "./lineage-of.js";
import { type Keyed, planMoves } from "./moves.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import { type ChangeFacts, causeOf, clearedInto, isDescent, parentOf } from "./parent-of.js";
import { isAgent, settleRoles, titledRole } from "./role-of.js";
import type { Shifts } from "./shifts.js";
import { tmuxSessionOf } from "./shifts.js";

export interface RefreshStored extends Keyed {
  /** What S5 says of a session's parent. */
  recordedParent(uuid: SessionId): SessionId | null;
  /** Whether S5 has seen this session in this pane at this very time; where nobody looks, it has not. */
  isRecorded?(at: string, pane: PaneAddress, uuid: SessionId): boolean;
  /** What shared messages tell of who came from whom, where somebody read them. */
  kinship?: ReadonlyMap<SessionId, Kin>;
}

export interface RefreshOptions {
  /** Only this one; else every registered team. */
  team?: TeamName;
  /** A team that is not there is no error. */
  mayBeGone?: boolean;
  nowMs: number;
  /** What this machine is called: the title of every pane that has none. */
  hostName: string;
}

export interface RefreshPlan {
  events: HiveEvent[];
  forkRows: ForkRow[];
  /** Names of hook reports to sweep, once the rows are written. */
  usedUp: string[];
  /** For a person, one line each. */
  warnings: string[];
  /** Named agents whose rows are right afterwards. */
  updated: number;
  broken: number;
  unnamed: UnnamedAgent[];
  /** Tmux sessions that hold agents and are no teams: nothing is written for them. */
  elsewhere: string[];
}

export interface UnnamedAgent {
  pane: PaneAddress;
  title: string | null;
  why: string;
}

export function planRefresh(fleet: Fleet, stored: RefreshStored, options: RefreshOptions): RefreshPlan {
  const { events, warnings, rows, teams } = planMoves(fleet, stored, options.team);
  if (options.team !== undefined && options.mayBeGone !== true) refuseUnknown(fleet, stored, options.team);

  const calledBy = (pane: FleetPane) => titledRole(pane, new Set(), options.hostName);
  const { gone, awaited, awaitedAlone } = judgeRows(fleet, rows, calledBy);
  const roles = new Map(rows.roles.map(({ pane, role }) => [pane, role]));
  const sessions = new Map(rows.sessions.map(({ pane, uuid }) => [pane, uuid]));
  for (const pane of [...awaited.keys(), ...awaitedAlone]) {
    roles.delete(pane);
    sessions.delete(pane);
  }
  for (const pane of [...gone].filter((address) => teams.has(tmuxSessionOf(address)))) {
    events.push({ name: "agent.killed", pane, how: "unasked" });
    roles.delete(pane);
    sessions.delete(pane);
  }

  const findings = settleRoles(fleet.panes, roles, options.hostName, awaited);
  const doubles = sessionsInTwoPanes(fleet);
  const held = panesBySession(fleet);
  const factsOf = (pane: FleetPane): ChangeFacts => ({
    pane,
    uuid: fleet.sessions.get(pane.id)!.uuid,
    before: sessions.get(pane.address) ?? null,
    index: fleet.index,
    changes: fleet.hooks.changes.filter((change) => change.pane === pane.id),
    recordedParent: stored.recordedParent,
    isHeldElsewhere: (uuid) => held.get(uuid)?.some((id) => id !== pane.id) ?? false,
  });
  const edges = edgesByChild(fleet, stored, fleet.panes.filter(isAgent).map(factsOf));
  const plan: RefreshPlan = {
    events,
    forkRows: [],
    usedUp: [],
    warnings,
    updated: 0,
    broken: 0,
    unnamed: [],
    elsewhere: [],
  };
  for (const pane of fleet.panes.filter(({ sessionName }) => teams.has(sessionName))) {
    const { uuid, state, title } = fleet.sessions.get(pane.id)!;
    if (state === "broken") plan.broken += 1;
    const row = roles.get(pane.address) ?? null;
    if (!isAgent(pane)) {
      const role = endedRole(pane, row, sessions.has(pane.address));
      if (role !== null) events.push({ name: "agent.spawned", pane: pane.address, role, uuid: null });
      continue;
    }
    const { role, why } = findings.get(pane.id)!;
    const facts = factsOf(pane);
    if (role === null) plan.unnamed.push({ pane: pane.address, title, why: why ?? "" });
    else {
      const mayGet = uuid !== null && (!doubles.has(uuid) || facts.before === uuid);
      events.push(...eventsFor(pane, fleet.shifts, facts, role, mayGet ? uuid : null, row));
      if (state !== "broken") plan.updated += 1;
    }
    plan.forkRows.push(...passedThrough(pane.address, role, facts, stored));
    const parent = parentOf(facts, edges.get(uuid!) ?? null);
    plan.forkRows.push({ at: utcSeconds(options.nowMs), pane: pane.address, role, uuid, state, parent });
  }

  plan.usedUp = sweepable(fleet, plan.forkRows);
  warnings.push(...doubleWarnings(doubles, teams));
  if (options.team === undefined)
    plan.elsewhere = unregistered(fleet, new Set([...teams, ...fleet.shifts.held]));
  return plan;
}

/** What must be written again of a pane whose agent ended: also such a pane is followed when it moves. */
function endedRole({ process, mark }: FleetPane, row: Role | null, hasSession: boolean): Role | null {
  if (mark === null) return row;
  // Its mark still says who it was: its conversation stays at hand.
  return row === null && hasSession && process === null ? mark.role : null;
}

/** S5 may be long: it is asked afterwards, for those that it can tell something of. */
function edgesByChild(
  fleet: Fleet,
  { kinship = new Map() }: RefreshStored,
  agents: readonly ChangeFacts[],
): Map<SessionId, LineageEdge> {
  const known = [...fleet.hooks.lineage, ...agents.flatMap(clearedInto)];
  const edges = edgesOf(fleet, kinship, { parents: new Map() }, known);
  return new Map(edges.map((edge) => [edge.child, edge]));
}

/** Sessions that a pane had and left between two refreshes: hooks saw them, and S5 is what will remember them. */
function passedThrough(
  pane: PaneAddress,
  role: Role | null,
  facts: ChangeFacts,
  { isRecorded = () => false }: RefreshStored,
): ForkRow[] {
  return facts.changes
    .filter((change) => change.new !== facts.uuid)
    .map((change) => ({ ...change, at: utcSeconds(change.atMs) }))
    .filter((change) => !isRecorded(change.at, pane, change.new))
    .map((change) => ({
      at: change.at,
      pane,
      role,
      uuid: change.new,
      state: "stale",
      parent: isDescent(change.cause) ? change.old : null,
    }));
}

/** Of a pane without rows nobody has written down what its reports tell. */
function sweepable({ panes, hooks }: Fleet, rows: readonly ForkRow[]): string[] {
  const written = new Set(rows.map(({ pane }) => pane));
  const told = new Set(panes.filter(({ address }) => written.has(address)).map(({ id }) => id));
  return hooks.usedUp.filter(({ pane }) => pane === null || told.has(pane)).map(({ name }) => name);
}

function refuseUnknown(fleet: Fleet, { teams }: RefreshStored, team: TeamName): void {
  const running = [...new Set(fleet.panes.map(({ sessionName }) => sessionName))];
  const known = [...new Set([...running, ...teams.map((row) => row.team)])].sort();
  if (known.includes(team)) return;
  throw new HiveError(`there is no team "${team}"`, {
    hint: known.length > 0 ? `there are: ${known.join(", ")}` : "hivemind team list",
  });
}

/** Brings S1, S2 and the mark of one named agent up to date. */
function eventsFor(
  { address: pane, mark }: FleetPane,
  { moved }: Shifts,
  facts: ChangeFacts,
  role: Role,
  uuid: SessionId | null,
  roleBefore: Role | null,
): HiveEvent[] {
  const old = facts.before;
  const isMarked = mark?.role === role && (moved.get(mark.address) ?? mark.address) === pane;
  const isRenamed = roleBefore !== null && roleBefore !== role;
  const isFirstSession = uuid !== null && old === null;
  const events: HiveEvent[] = [];
  if (isRenamed) events.push({ name: "agent.renamed", pane, old: roleBefore, new: role });
  if (roleBefore === null || isFirstSession || (!isMarked && !isRenamed))
    events.push({ name: "agent.spawned", pane, role, uuid: old === null ? uuid : null });
  if (uuid !== null && old !== null && old !== uuid)
    events.push({ name: "session.changed", pane, old, new: uuid, cause: causeOf(facts) });
  return events;
}

/** Of every pane, also one whose agent has ended. */
function panesBySession({ sessions }: Fleet): Map<SessionId, PaneId[]> {
  const held = new Map<SessionId, PaneId[]>();
  for (const [pane, { uuid }] of sessions) {
    if (uuid !== null) held.set(uuid, [...(held.get(uuid) ?? []), pane]);
  }
  return held;
}

/** Sessions that more than one running agent is in. */
export function sessionsInTwoPanes(fleet: Fleet): Map<SessionId, FleetPane[]> {
  const holders = new Map<SessionId, FleetPane[]>();
  for (const pane of fleet.panes.filter(isAgent)) {
    const uuid = fleet.sessions.get(pane.id)!.uuid;
    if (uuid !== null) holders.set(uuid, [...(holders.get(uuid) ?? []), pane]);
  }
  return new Map([...holders].filter(([, panes]) => panes.length > 1));
}

function doubleWarnings(
  doubles: ReadonlyMap<SessionId, readonly FleetPane[]>,
  teams: ReadonlySet<string>,
): string[] {
  return [...doubles]
    .filter(([, panes]) => panes.some(({ sessionName }) => teams.has(sessionName)))
    .map(([uuid, panes]) => {
      const places = panes.map(({ address }) => harmless(address)).join(" and ");
      return `one session in two panes: ${uuid} is in ${places}; end all but one of them`;
    });
}

function unregistered(fleet: Fleet, teams: ReadonlySet<string>): string[] {
  const names = fleet.panes.filter(isAgent).map(({ sessionName }) => sessionName);
  return [...new Set(names)].filter((name) => !teams.has(name) && isTeamName(name)).sort();
}
