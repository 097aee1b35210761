// Which session was in a pane at that time, and where a session was when: answers from the lives of panes. Pure.
//
// [HS1] A stay is one session in one pane, from the first to the last time it was seen there with nothing else in
//       between. Nothing is claimed before, behind or between stays.
// [HS2] An address stands for the pane that is there, with its past elsewhere, and before that pane began for those
//       that ended there.
// [HS3] Where a session was is known only where two looks agree on its place, or the log says when it came there.
// [HS4] A moment that two different stays claim is not known.

import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import {
  addressNow,
  type Lives,
  type PaneLife,
  type Sighting,
  type Source,
  wholeSecond,
} from "./history-lives.js";

export interface Stay {
  session: SessionId;
  role: Role | null;
  fromMs: number;
  toMs: number;
  /** Where its pane stood meanwhile: seen there at both moments. */
  places: readonly Seen[];
  sources: readonly Source[];
  end: "now" | StayEnd | null;
}

export interface Seen {
  address: PaneAddress;
  fromMs: number;
  toMs: number;
}

/** By then it was over. */
export interface StayEnd {
  atMs: number;
  why: string;
}

/** Known, or why it is not: before, behind or between the stays that are near, or two of them in one second. */
export type Answer<Known> = { known: Known } | Unknown;

export interface Unknown {
  unknown: "before" | "since" | "between" | "changing" | "moving";
  near: readonly Stay[];
}

export function staysOf(life: PaneLife): Stay[] {
  const stays: Stay[] = [];
  const { sightings } = life;
  for (let at = 0; at < sightings.length; ) {
    const first = sightings[at]!;
    let next = at + 1;
    while (sightings[next]?.session === first.session && !sightings[next]!.begins) next++;
    if (first.session !== null) {
      const run = sightings.slice(at, next);
      const [fromMs, toMs] = [first.fromMs, Math.max(...run.map((each) => each.toMs))];
      stays.push({
        session: first.session,
        role: run.findLast(({ role }) => role !== null)?.role ?? null,
        fromMs,
        toMs,
        places: placesOf(
          life,
          fromMs,
          toMs,
          run.flatMap((each) => [each.fromMs, each.toMs]),
        ),
        sources: [...new Set(run.map(({ source }) => source))],
        end: endOf(life, run.at(-1)!, sightings[next]),
      });
    }
    at = next;
  }
  return stays;
}

/** Of the pane at this address, and of those before it in that place; oldest first. */
export function staysAt({ all }: Lives, address: PaneAddress): Stay[] {
  const tenants = all.filter((life) => addressNow(life) === address && life.sightings.length > 0);
  const stays: Stay[] = [];
  for (const life of tenants.toSorted(lastToLeave)) {
    const first = stays[0];
    const own = staysOf(life).filter(({ toMs }) => first === undefined || toMs <= first.fromMs);
    stays.unshift(...own);
  }
  return stays;
}

export function staysWith({ all }: Lives, session: SessionId): Stay[] {
  return all
    .flatMap(staysOf)
    .filter((stay) => stay.session === session)
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** `stays` of one pane. */
export function sessionAt(stays: readonly Stay[], ms: number): Answer<Stay> {
  const covering = stays.filter((stay) => covers(stay, ms));
  const [only] = covering;
  if (only !== undefined && covering.every(({ session }) => session === only.session)) return { known: only };
  if (only !== undefined) return { unknown: "changing", near: covering };
  return between(stays, ms);
}

/** `stays` of one session; several places where it was in several panes at once. */
export function placesAt(stays: readonly Stay[], ms: number): Answer<readonly Seen[]> {
  const covering = stays.filter((stay) => covers(stay, ms));
  if (covering.length === 0) return between(stays, ms);
  const known = covering.map((stay) => stay.places.filter((place) => covers(place, ms)));
  if (known.every(({ length }) => length === 1)) return { known: known.flat() };
  return { unknown: "moving", near: covering };
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

function lastToLeave(a: PaneLife, b: PaneLife): number {
  const [left, other] = [a, b].map(({ end }) => end?.atMs ?? Number.MAX_SAFE_INTEGER) as [number, number];
  return other - left;
}

function placesOf({ places }: PaneLife, fromMs: number, toMs: number, seenMs: readonly number[]): Seen[] {
  const seen: Seen[] = [];
  for (const [at, { address, fromMs: movedMs }] of places.entries()) {
    const cameMs = at === 0 ? Number.NEGATIVE_INFINITY : movedMs;
    const leftMs = places[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    if (leftMs <= fromMs || cameMs > toMs) continue;
    const since = Math.max(fromMs, cameMs);
    const until = seenMs.filter((ms) => ms >= since && ms < leftMs);
    seen.push({ address, fromMs: since, toMs: Math.max(since, ...until) });
  }
  return seen;
}

function endOf({ end }: PaneLife, { session, source }: Sighting, next: Sighting | undefined): Stay["end"] {
  if (next === undefined) return source === "now" ? "now" : end;
  const atMs = next.fromMs;
  if (next.session === null) return { atMs, why: "it ended" };
  return { atMs, why: next.session === session ? "it began again" : `then ${next.session.slice(0, 8)}` };
}
