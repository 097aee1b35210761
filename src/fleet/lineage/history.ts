// Which session was in a pane at a time, and where a session was at a time: answers from the lives of agents. Pure.
//
// - A stay is one session of one agent, from the first to the last sighting with no other session in between.
//   Nothing is claimed before, after or between stays.
// - An address stands for the agent that sits there, with its past elsewhere, and earlier for agents that left it.
// - A session's place is known only if two looks agree on it, or if the log says when it came there. A hook knows
//   its pane but not the pane's address.
// - A moment that two different stays claim is unknown.

import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, Role, SessionId } from "../../names/gates.js";
import { shortId } from "../../names/short-id.js";
import { type AgentHistory, type Fact, type Lives, type Source, wholeSecond } from "./history-lives.js";

export interface Stay {
  session: SessionId;
  role: Role | null;
  fromMs: number;
  toMs: number;
  /** The known addresses of its pane during the stay: seen there at both moments. */
  places: readonly Seen[];
  sources: readonly Source[];
  /** When it was over, at the latest. */
  end: "now" | { atMs: number; why: string } | null;
}

export interface Seen {
  address: PaneAddress;
  fromMs: number;
  toMs: number;
}

/**
 * The answer, or why it is unknown: before, after or between the nearest stays, or two stays in the same second. For
 * a place: between two known places, or never seen.
 */
export type Answer<Known> = { known: Known } | Unknown;

export interface Unknown {
  unknown: "before" | "since" | "between" | "changing" | "moving" | "unplaced";
  near: readonly Stay[];
}

export function staysOf(life: AgentHistory): Stay[] {
  // Hooks and rows about the past may report what came before known facts.
  const facts = life.facts.toSorted((a, b) => a.atMs - b.atMs);
  const dated = facts.flatMap((fact, index) => (fact.session === undefined ? [] : [{ ...fact, index }]));
  const placed = placesIn(facts);
  const stays: Stay[] = [];
  for (let at = 0; at < dated.length; ) {
    const first = dated[at]!;
    let next = at + 1;
    while (dated[next]?.session === first.session && !dated[next]!.begins) next++;
    if (first.session) {
      const run = dated.slice(at, next);
      const [fromMs, toMs] = [first.atMs, run.at(-1)!.atMs];
      stays.push({
        session: first.session,
        role: run.findLast(({ role }) => role !== null)?.role ?? null,
        fromMs,
        toMs,
        // In the second of its start, the pane may still have come from elsewhere.
        places: placed.flatMap((place) => (place.last < first.index ? [] : within(place, fromMs, toMs))),
        sources: [...new Set(run.map(({ source }) => source))],
        end: endOf(run.at(-1)!, dated[next]),
      });
    }
    at = next;
  }
  return stays;
}

/** Of one agent, in whichever panes it sat; oldest first. */
export function staysBy(lives: Lives, agent: AgentId): Stay[] {
  return staysOf(lives.of(agent));
}

/** Of the agent at this address, and before that of agents that left it; oldest first. */
export function staysAt({ all, standing }: Lives, address: PaneAddress): Stay[] {
  const sitter = standing.get(address);
  const own = sitter === undefined ? [] : staysOf(sitter);
  const beganMs = own[0]?.fromMs ?? Number.POSITIVE_INFINITY;
  const isBefore = ({ toMs, places, end }: Stay) =>
    toMs <= beganMs && places.at(-1)?.address === address && end !== null && end !== "now";
  const others = all.filter((life) => life !== sitter).flatMap(staysOf);
  return [...others.filter(isBefore).sort(byTime), ...own];
}

export function staysWith({ all }: Lives, session: SessionId): Stay[] {
  return all
    .flatMap(staysOf)
    .filter((stay) => stay.session === session)
    .sort(byTime);
}

/** `stays` of one pane. */
export function sessionAt(stays: readonly Stay[], ms: number): Answer<Stay> {
  const covering = stays.filter((stay) => covers(stay, ms));
  const [only] = covering;
  if (only !== undefined && covering.every(({ session }) => session === only.session)) return { known: only };
  if (only !== undefined) return { unknown: "changing", near: covering };
  return between(stays, ms);
}

/** `stays` of one session. There are several places if it was in several panes at once. */
export function placesAt(stays: readonly Stay[], ms: number): Answer<readonly Seen[]> {
  const covering = stays.filter((stay) => covers(stay, ms));
  if (covering.length === 0) return between(stays, ms);
  const found = covering.map((stay) => stay.places.filter((place) => covers(place, ms)));
  const known = found.filter(({ length }) => length === 1).flat();
  if (known.length > 0) return { known };
  return { unknown: covering.some((stay) => isMoving(stay, ms)) ? "moving" : "unplaced", near: covering };
}

function isMoving({ places }: Stay, ms: number): boolean {
  const second = wholeSecond(ms);
  return places.some(({ fromMs }) => fromMs <= second) && places.some(({ toMs }) => toMs >= second);
}

function covers({ fromMs, toMs }: { fromMs: number; toMs: number }, ms: number): boolean {
  const second = wholeSecond(ms);
  return fromMs <= second && second <= toMs;
}

function between(stays: readonly Stay[], ms: number): Unknown {
  const before = stays.findLast(({ toMs }) => toMs < ms);
  const after = stays.find(({ fromMs }) => fromMs > ms);
  const near = [before, after].flatMap((stay) => stay ?? []);
  if (before === undefined) return { unknown: "before", near };
  if (after === undefined) return { unknown: "since", near };
  return { unknown: "between", near };
}

function byTime(a: Stay, b: Stay): number {
  return a.fromMs - b.fromMs;
}

interface Placed extends Seen {
  /** The index of the last fact with this address. */
  last: number;
}

/** Each place, from the first to the last of consecutive sightings. */
function placesIn(facts: readonly Fact[]): Placed[] {
  const placed: Placed[] = [];
  for (const [last, { address, atMs }] of facts.entries()) {
    if (address === null) continue;
    const before = placed.at(-1);
    if (before?.address === address) Object.assign(before, { toMs: atMs, last });
    else placed.push({ address, fromMs: atMs, toMs: atMs, last });
  }
  return placed;
}

function within({ address, ...place }: Seen, fromMs: number, toMs: number): Seen[] {
  const [since, until] = [Math.max(place.fromMs, fromMs), Math.min(place.toMs, toMs)];
  return since <= until ? [{ address, fromMs: since, toMs: until }] : [];
}

function endOf({ session, source }: Fact, next: Fact | undefined): Stay["end"] {
  if (next === undefined) return source === "now" ? "now" : null;
  const { atMs, why = "it ended" } = next;
  if (!next.session) return { atMs, why };
  return { atMs, why: next.session === session ? "it began again" : `then ${shortId(next.session)}` };
}
