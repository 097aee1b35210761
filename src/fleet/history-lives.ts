// The lives of panes, from what was written down: each followed through its moves, with what was seen in it. Pure.
//
// [HY1] What was seen at an address is its pane's: it goes with the pane through every move that was logged.
// [HY2] An end closes a pane's life; what stands there afterwards has a life of its own. A pane that another one came
//       to stand in place of has ended too.
// [HY3] Times are whole seconds, in which the order of rows and events is not known. So in the second in which a place
//       changed hands, or its session changed, a row is believed only if it says what the log says.
// [HY4] Rows from before the log begins are known by their place alone: nobody knows what moved then.
// [HY5] A broken row is no sighting, and takes back a start that nothing was seen of.
// [HY6] A stale session whose row was dropped was not there: that is no sighting, and what is seen later is another stay.

import { parseUtc } from "../base/utc.js";
import type { HiveEvent } from "../events/event.js";
import { addressParts, type PaneAddress, type Role, type SessionId } from "../names/gates.js";
import type { LoggedEvent } from "../stores/event-log.js";
import type { ForkRow } from "../stores/forks.js";
import { type Moves, teamMoves } from "../stores/rekey.js";

export type Source = "event" | "look" | "hook" | "now";

/** A session in a pane, at both moments and as far as is known in between. */
export interface Sighting {
  fromMs: number;
  toMs: number;
  /** Null: what was there before had ended, and nobody knows what came. */
  session: SessionId | null;
  role: Role | null;
  /** An agent was started: what was there before had ended, also if it was the same session. */
  begins: boolean;
  /** Of a start that was logged: at which of its life's places. */
  startedIn?: number;
  source: Source;
}

export interface PaneLife {
  /** Where it stood, from when on; never empty. */
  places: { fromMs: number; address: PaneAddress }[];
  role: Role | null;
  sightings: Sighting[];
  /** When the log told of its session last, or that it was not there. */
  toldMs: number | null;
  /** By then, and why it is known; null while nothing says that it ended. */
  end: { atMs: number; why: string } | null;
}

export interface Lives {
  all: PaneLife[];
  /** Those that have not ended, by where they stand. */
  standing: Map<PaneAddress, PaneLife>;
}

/** `log` and `rows` in the order of their files. */
export function livesOf(log: readonly LoggedEvent[], rows: Iterable<ForkRow>): Lives {
  const lives: Lives = { all: [], standing: new Map() };
  /** When a place changed hands last. */
  const changed = new Map<PaneAddress, number>();
  const events = log.map(({ at, event }) => ({ atMs: secondOf(at), event }));
  let next = 0;
  const applyUntil = (ms: number) => {
    for (let each = events[next]; each !== undefined && each.atMs <= ms; each = events[++next]) {
      if (next === 0) for (const life of lives.standing.values()) close(lives, life, each.atMs, "log");
      apply(lives, changed, each.event, each.atMs);
    }
  };
  for (const { row, writtenMs } of inWritingOrder(rows)) {
    applyUntil(writtenMs);
    addRow(lives, changed, row, writtenMs);
  }
  applyUntil(Number.POSITIVE_INFINITY);
  return lives;
}

/** All moves happen at once. */
export function movePanes(lives: Lives, moves: Moves, atMs: number): void {
  const { standing } = lives;
  const moving = [...moves].map(([from, to]) => ({ to, life: standing.get(from) }));
  for (const from of moves.keys()) standing.delete(from);
  for (const { to } of moving) {
    const displaced = standing.get(to);
    if (displaced !== undefined) close(lives, displaced, atMs, "displaced");
  }
  for (const { to, life } of moving) {
    if (life === undefined) continue;
    life.places.push({ fromMs: atMs, address: to });
    standing.set(to, life);
  }
}

export function newLife(lives: Lives, address: PaneAddress, atMs: number): PaneLife {
  const places = [{ fromMs: atMs, address }];
  const life: PaneLife = { places, role: null, sightings: [], toldMs: null, end: null };
  lives.all.push(life);
  lives.standing.set(address, life);
  return life;
}

export function close(lives: Lives, life: PaneLife, atMs: number, why: keyof typeof reasons): void {
  life.end = { atMs, why: reasons[why] };
  lives.standing.delete(addressNow(life));
}

export function addressNow({ places }: PaneLife): PaneAddress {
  return places.at(-1)!.address;
}

/** In its place by time: hooks and rows of the past tell of what came before things that are known already. */
export function addSighting(life: PaneLife, seen: Sighting): void {
  const { sightings } = life;
  const last = sightings.at(-1);
  if (last === undefined || last.toMs <= seen.fromMs) {
    const isSame = last?.session === seen.session && last.source === seen.source && last.role === seen.role;
    if (isSame && !seen.begins) last.toMs = Math.max(last.toMs, seen.toMs);
    else sightings.push({ ...seen });
    return;
  }
  const around = firstFrom(sightings, seen.fromMs) - 1;
  const whole = sightings[around];
  if (whole !== undefined && seen.fromMs < whole.toMs) {
    if (whole.session === seen.session && !seen.begins) return;
    // Only its ends were really seen; what lies between is not as it seemed.
    sightings.splice(
      around,
      1,
      { ...whole, toMs: whole.fromMs },
      { ...whole, fromMs: whole.toMs, begins: true },
    );
  }
  sightings.splice(firstFrom(sightings, seen.fromMs + 1), 0, { ...seen });
}

/** The first that began at this time or later. They stand in order: a log whose times do not must not cost a walk a row. */
function firstFrom(sightings: readonly Sighting[], ms: number): number {
  let [low, high] = [0, sightings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sightings[middle]!.fromMs < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All times here are compared by the second: the log knows no smaller ones. */
export function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

const reasons = {
  killed: "its agent or its pane ended",
  removed: "its team was removed",
  displaced: "another pane stands in its place",
  log: "the event log begins only then",
} as const;

function secondOf(at: string): number {
  return wholeSecond(parseUtc(at)!);
}

function isPast({ state }: ForkRow): boolean {
  return state === "stale";
}

/** A row that hooks told of later has the time of then; it was written together with the next one of the present. */
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

function addRow(lives: Lives, changed: Map<PaneAddress, number>, row: ForkRow, writtenMs: number): void {
  const { pane, uuid, role } = row;
  if (uuid === null || pane === null) return;
  const known = lives.standing.get(pane);
  const current = known?.sightings.at(-1);
  if (row.state === "broken") {
    if (current?.begins && current.session === uuid) known!.sightings.pop();
    return;
  }
  const atMs = secondOf(row.at);
  const isUnsure = changed.get(pane) === writtenMs || known?.toldMs === atMs;
  if (isUnsure && current?.session !== uuid) return;
  // A row of the past has the address of when it was written.
  const life = known ?? newLife(lives, pane, writtenMs);
  const source = isPast(row) ? "hook" : "look";
  life.role = role ?? life.role;
  addSighting(life, { fromMs: atMs, toMs: atMs, session: uuid, role, begins: false, source });
}

function apply(lives: Lives, changed: Map<PaneAddress, number>, event: HiveEvent, atMs: number): void {
  const { standing } = lives;
  const moves = movesIn(event, standing);
  for (const address of [...moves].flat()) changed.set(address, atMs);
  movePanes(lives, moves, atMs);
  for (const address of endedBy(event, standing)) {
    changed.set(address, atMs);
    close(lives, standing.get(address)!, atMs, event.name === "agent.killed" ? "killed" : "removed");
  }
  const told = toldBy(event);
  if (told === null) return;
  const known = standing.get(told.pane);
  const life = known ?? newLife(lives, told.pane, atMs);
  life.role = told.role ?? life.role;
  if (!told.begins && told.session === null) return;
  if (known !== undefined && told.begins) changed.set(told.pane, atMs);
  if (told.session !== null || event.name === "session.dropped") life.toldMs = atMs;
  const { session, begins } = told;
  // A start whose session nobody knew yet, or a row that was dropped, still parts what was before from what is seen next.
  if (session !== null || life.sightings.length > 0) {
    const startedIn = begins ? { startedIn: life.places.length - 1 } : {};
    const seen = { fromMs: atMs, toMs: atMs, session, role: life.role, begins, ...startedIn };
    addSighting(life, { ...seen, source: "event" });
  }
}

function movesIn(event: HiveEvent, standing: Lives["standing"]): Moves {
  if (event.name === "panes.shifted") return new Map(event.moves.map(({ from, to }) => [from, to]));
  if (event.name === "pane.moved") return new Map([[event.from, event.to]]);
  if (event.name === "team.renamed") return teamMoves([...standing.keys()], event.old, event.new);
  if (event.name !== "panes.swapped") return new Map();
  return new Map([
    [event.a, event.b],
    [event.b, event.a],
  ]);
}

function endedBy(event: HiveEvent, standing: Lives["standing"]): PaneAddress[] {
  if (event.name === "agent.killed") return standing.has(event.pane) ? [event.pane] : [];
  if (event.name !== "team.destroyed") return [];
  return [...standing.keys()].filter((address) => addressParts(address).team === event.team);
}

function toldBy(
  event: HiveEvent,
): { pane: PaneAddress; session: SessionId | null; role: Role | null; begins: boolean } | null {
  const { name } = event;
  if (name === "agent.spawned")
    return { pane: event.pane, session: event.uuid, role: event.role, begins: true };
  if (name === "agent.forked")
    return { pane: event.pane, session: event.child, role: event.role, begins: true };
  if (name === "session.changed") return { pane: event.pane, session: event.new, role: null, begins: false };
  if (name === "session.dropped" && event.state === "stale")
    return { pane: event.pane, session: null, role: null, begins: true };
  if (name === "agent.renamed") return { pane: event.pane, session: null, role: event.new, begins: false };
  return null;
}
