// The life of each agent as dated facts: its sessions and its addresses. Built from the event log and the rows of
// S5, then extended with the running panes and the hook reports of this tmux server. Pure.
//
// Agents:
// - An event with an agent's id belongs to that agent. A row of S5 belongs to the agent at its address, if it agrees
//   with the log.
// - An agent that lost its seat is nowhere until the log gives it another. The next occupant is another agent.
// - Events of earlier versions have no agent id: there an address stands for one, until panes moved. After a move,
//   the place of such an agent is unknown.
// - A broken row is not a sighting. Rows from before the log begins are known by their address alone.
//
// Panes:
// - A pane continues the life of the agent in it. A pane without one continues only the same session, in a process
//   older than the last look. Any other pane begins a new life, and the previous occupant is gone.
// - A process that began after the last look is a new beginning, even with the same session.
// - Reports count for panes of the tmux server they came from: another server reuses pane ids.
//
// Times are whole seconds, and within one the order of rows and events is unknown. So in the second in which an
// agent left a place, a row of that place counts only if it agrees with the log.

import { parseUtc } from "../../base/text/utc.js";
import type { HiveEvent } from "../../events/event.js";
import type { AgentId } from "../../names/agent-id.js";
import {
  addressOf,
  addressParts,
  isPaneAddress,
  type PaneAddress,
  type PaneId,
  type Role,
  type SessionId,
  type TeamName,
} from "../../names/gates.js";
import type { LoggedEvent } from "../../stores/event-log.js";
import type { ForkRow } from "../../stores/forks.js";
import type { HookReport } from "../../stores/hooks/hook-reports.js";
import { isEnd, isFromPane, isStart, type Statement, statementsOf } from "../identity/hook-claims.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";

export type Source = "event" | "look" | "hook" | "now";

export interface Fact {
  atMs: number;
  /** Null: the earlier session had ended. Undefined: only the address is known. */
  session: SessionId | null | undefined;
  /** Null if the address is unknown. */
  address: PaneAddress | null;
  role: Role | null;
  source: Source;
  /** A new beginning, even if the session is the same. */
  begins?: boolean;
  /** Why it ended. */
  why?: string;
}

export interface AgentHistory {
  /** Null if only rows or an earlier version mention it. */
  agent: AgentId | null;
  role: Role | null;
  /** Where it sits; null for nowhere. */
  address: PaneAddress | null;
  session: SessionId | null;
  /** In the order of writing. */
  facts: Fact[];
}

export class Lives {
  readonly all: AgentHistory[] = [];
  /** The life at each address. */
  readonly standing = new Map<PaneAddress, AgentHistory>();
  readonly #byAgent = new Map<AgentId, AgentHistory>();
  /** When an agent last left each place. */
  readonly #leftMs = new Map<PaneAddress, number>();

  /** The life of this agent; without an id, a new one. */
  of(agent: AgentId | null = null): AgentHistory {
    const known = agent === null ? undefined : this.#byAgent.get(agent);
    if (known !== undefined) return known;
    const life: AgentHistory = { agent, role: null, address: null, session: null, facts: [] };
    this.all.push(life);
    if (agent !== null) this.#byAgent.set(agent, life);
    return life;
  }

  /** Applies all moves at once. */
  sit(moves: readonly (readonly [AgentHistory, PaneAddress])[], atMs: number): void {
    const moving = moves.filter(([life, to]) => life.address !== to);
    for (const [{ address }] of moving) if (address !== null) this.#empty(address, atMs);
    for (const [life, to] of moving) {
      this.leave(this.standing.get(to), atMs, "another agent was seen in its place");
      life.address = to;
      this.standing.set(to, life);
      life.facts.push({ atMs, session: undefined, address: to, role: null, source: "event" });
    }
  }

  leave(life: AgentHistory | undefined, atMs: number, why: string): void {
    if (life === undefined || life.address === null) return;
    this.#empty(life.address, atMs);
    life.address = null;
    life.session = null;
    life.facts.push({ atMs, session: null, address: null, role: null, source: "event", why });
  }

  see(life: AgentHistory, fact: Omit<Fact, "role"> & { role?: Role | null }): void {
    life.role = fact.role ?? life.role;
    if (fact.session !== undefined) life.session = fact.session;
    life.facts.push({ ...fact, role: life.role });
  }

  isLeft(address: PaneAddress, atMs: number): boolean {
    return this.#leftMs.get(address) === atMs;
  }

  #empty(address: PaneAddress, atMs: number): void {
    this.standing.delete(address);
    this.#leftMs.set(address, atMs);
  }
}

/** `log` and `rows` are in the order of their files. */
export function historiesOf(log: readonly LoggedEvent[], rows: Iterable<ForkRow>): Lives {
  const lives = new Lives();
  const events = log.map(({ at, event }) => ({ atMs: secondOf(at), event }));
  let next = 0;
  const applyUntil = (ms: number) => {
    for (let each = events[next]; each !== undefined && each.atMs <= ms; each = events[++next]) {
      if (next === 0)
        for (const life of [...lives.standing.values()])
          lives.leave(life, each.atMs, "the event log begins here");
      apply(lives, each.event, each.atMs);
    }
  };
  /** On a busy machine the log gets the start a second or more after its row. Such a row is no agent of its own. */
  const isLoggedSoon = ({ pane, uuid }: ForkRow, ms: number) => {
    if (pane !== null && lives.standing.get(pane)?.session === uuid) return false;
    for (let at = next; at < events.length && events[at]!.atMs <= ms + rowLeadMs; at++) {
      const { event } = events[at]!;
      if (event.name === "agent.spawned" && event.pane === pane && event.uuid === uuid) return true;
    }
    return false;
  };
  for (const { row, writtenMs } of inWritingOrder(rows)) {
    applyUntil(writtenMs);
    if (!isLoggedSoon(row, writtenMs)) addRow(lives, row, writtenMs);
  }
  applyUntil(Number.POSITIVE_INFINITY);
  return lives;
}

/** A refresh writes its rows, then the log. Both are small writes under one lock. */
const rowLeadMs = 10_000;

/** All times here are compared in whole seconds: the log has no smaller unit. */
export function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

function secondOf(at: string): number {
  return wholeSecond(parseUtc(at)!);
}

function isPast({ state }: ForkRow): boolean {
  return state === "stale";
}

/** A row that hooks reported later has its original time. It was written together with the next current row. */
function* inWritingOrder(rows: Iterable<ForkRow>): Generator<{ row: ForkRow; writtenMs: number }> {
  let past: ForkRow[] = [];
  for (const row of rows) {
    if (isPast(row)) {
      past.push(row);
      continue;
    }
    const writtenMs = secondOf(row.at);
    for (const each of past) yield { row: each, writtenMs: Math.max(writtenMs, secondOf(each.at)) };
    past = [];
    yield { row, writtenMs };
  }
  for (const row of past) yield { row, writtenMs: secondOf(row.at) };
}

function addRow(lives: Lives, row: ForkRow, writtenMs: number): void {
  const { pane, uuid: session, role, state } = row;
  if (session === null || pane === null || state === "broken") return;
  const known = lives.standing.get(pane);
  if (known !== undefined && !isOf(known, row)) return;
  if (lives.isLeft(pane, writtenMs) && known?.session !== session) return;
  const life = known ?? lives.of();
  const atMs = secondOf(row.at);
  lives.sit([[life, pane]], writtenMs);
  if (isPast(row)) life.facts.push({ atMs, session, address: null, role, source: "hook" });
  else lives.see(life, { atMs, session, address: pane, role, source: "look" });
}

/**
 * The log has every session of an agent with an id, and a refresh writes its rows just before the log gets the
 * moves. So such a row only confirms that a known session is still there, or adds what hooks saw of an agent with
 * that role.
 */
function isOf({ agent, role, session }: AgentHistory, row: ForkRow): boolean {
  if (agent === null) return true;
  return isPast(row) ? row.role !== null && row.role === role : row.uuid === session;
}

function apply(lives: Lives, event: HiveEvent, atMs: number): void {
  const { standing } = lives;
  const at = { atMs, source: "event" } as const;
  /** The agent that the event names, else the one in that pane. */
  const sitter = ({ pane, agent }: { pane: PaneAddress; agent?: AgentId }) => {
    const life = agent === undefined ? (standing.get(pane) ?? lives.of()) : lives.of(agent);
    lives.sit([[life, pane]], atMs);
    return life;
  };
  switch (event.name) {
    case "agent.spawned":
    case "agent.forked": {
      const session = event.name === "agent.spawned" ? event.uuid : event.child;
      const { pane: address, role } = event;
      lives.see(sitter(event), { ...at, session, address, role, begins: true });
      break;
    }
    case "session.changed":
      lives.see(sitter(event), { ...at, session: event.new, address: event.pane });
      break;
    case "session.dropped":
      // A stale session had already ended.
      if (event.state === "stale") lives.see(sitter(event), { ...at, session: null, address: null });
      break;
    case "agent.renamed":
      sitter(event).role = event.new;
      break;
    case "agent.killed": {
      const life = event.agent === undefined ? standing.get(event.pane) : lives.of(event.agent);
      lives.leave(life, atMs, "its agent or its pane ended");
      break;
    }
    case "agent.forgotten":
      lives.leave(lives.of(event.agent), atMs, "it was forgotten");
      break;
    case "team.destroyed":
      for (const life of inTeam(lives, event.team)) lives.leave(life, atMs, "its team was removed");
      break;
    default:
      lives.sit(movesIn(lives, event, atMs), atMs);
  }
}

function inTeam({ standing }: Lives, team: TeamName): AgentHistory[] {
  return [...standing].filter(([address]) => addressParts(address).team === team).map(([, life]) => life);
}

/**
 * Earlier versions moved rows by such events even if no pane moved, so the agents' places are unknown afterwards.
 */
function movesIn(lives: Lives, event: HiveEvent, atMs: number): (readonly [AgentHistory, PaneAddress])[] {
  const forget = (...places: PaneAddress[]) => {
    for (const each of places)
      lives.leave(lives.standing.get(each), atMs, "panes moved, and no record says which");
    return [];
  };
  if (event.name === "pane.moved" || event.name === "panes.shifted") {
    const moves = event.name === "pane.moved" ? [event] : event.moves;
    return moves.flatMap(({ from, to, agent }) =>
      agent === undefined ? forget(from, to) : [[lives.of(agent), to] as const],
    );
  }
  if (event.name === "panes.swapped") {
    const [a, b] = [lives.standing.get(event.a), lives.standing.get(event.b)];
    const isSure = a !== undefined && b !== undefined && a.agent !== null && b.agent !== null;
    if (!isSure) return forget(event.a, event.b);
    return [
      [a, event.b],
      [b, event.a],
    ];
  }
  if (event.name !== "team.renamed") return [];
  return inTeam(lives, event.old).map((life) => {
    const { window, pane } = addressParts(life.address!);
    return [life, addressOf(event.new, window, pane) as PaneAddress];
  });
}

export type LookedAt = Pick<Fleet, "takenAtMs" | "server" | "panes" | "sessions">;

/** The life of each current pane. Adds to `lives`. */
export function addPresent(
  lives: Lives,
  fleet: LookedAt,
  reports: readonly HookReport[],
): ReadonlyMap<PaneId, AgentHistory> {
  const nowMs = wholeSecond(fleet.takenAtMs);
  const known = fleet.panes.flatMap(({ agent, address }) =>
    agent !== null && isPaneAddress(address) ? [[lives.of(agent.id), address] as const] : [],
  );
  lives.sit(known, nowMs);
  const statements = statementsOf(reports);
  const found = new Map<PaneId, AgentHistory>();
  for (const pane of fleet.panes) {
    const session = pane.process === null ? null : (fleet.sessions.get(pane.id)?.uuid ?? null);
    const life = lifeOf(lives, pane, session, nowMs);
    if (life === null) continue;
    found.set(pane.id, life);
    life.role = pane.agent?.role ?? life.role;
    const own = statements.filter(({ report }) => isFromPane(report, pane.id, fleet.server));
    life.facts.push(...own.flatMap((statement) => reported(life, statement)));
    if (session === null) continue;
    const lastMs = lastSeenMs(life);
    const begins = lastMs !== null && wholeSecond(pane.process!.startedAtMs) > lastMs;
    const { address } = pane;
    lives.see(life, { atMs: nowMs, session, address, begins, source: "now" });
  }
  return found;
}

function lifeOf(
  lives: Lives,
  pane: FleetPane,
  session: SessionId | null,
  nowMs: number,
): AgentHistory | null {
  const { agent, process, address } = pane;
  if (!isPaneAddress(address)) return null;
  if (agent !== null) return lives.of(agent.id);
  const known = lives.standing.get(address);
  // An empty pane proves nothing: its earlier agent may come back.
  if (session === null) return null;
  const isOld = known !== undefined && wholeSecond(process!.startedAtMs) <= (lastSeenMs(known) ?? 0);
  const life = isOld && known.session === session ? known : lives.of();
  lives.sit([[life, address]], nowMs);
  return life;
}

function reported({ role }: AgentHistory, statement: Statement): AgentHistory["facts"] {
  const { report, session, source } = statement;
  const moment = { atMs: wholeSecond(report.atMs), address: null, role, source: "hook" as const };
  const begins = isStart(statement) && (source === "startup" || source === "resume");
  const seen = { ...moment, session, begins };
  return isEnd(statement) ? [seen, { ...moment, session: null }] : [seen];
}

function lastSeenMs({ facts }: AgentHistory): number | null {
  const times = facts.filter(({ session }) => session !== undefined).map(({ atMs }) => atMs);
  return times.length === 0 ? null : Math.max(...times);
}
