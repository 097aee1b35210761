// Which session was in a pane at that time, and where a session was when: answers from the lives of panes. Pure.
//
// [HS1] A stay is one session in one pane, from the first to the last time it was seen there with nothing else in
//       between. Nothing is claimed before, behind or between stays.
// [HS2] An address stands for the pane that is there, with its past elsewhere, and before that pane began for those
//       that ended there.
// [HS3] Where a session was is known only where two looks agree on the place of its pane, or the log says when that came
//       there. A hook knows its pane, not where that stands.
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
  /** Where its pane stood meanwhile, as far as that is known: seen there at both moments. */
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

/**
 * Known, or why it is not: before, behind or between the stays that are near, or two of them in one second. A place
 * may lie between two that are known, or nobody saw any.
 */
export type Answer<Known> = { known: Known } | Unknown;

export interface Unknown {
  unknown: "before" | "since" | "between" | "changing" | "moving" | "unplaced";
  near: readonly Stay[];
}

export function staysOf(life: PaneLife): Stay[] {
  const stays: Stay[] = [];
  const { sightings } = life;
  const placed = placesOf(life);
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
        // In the second of its start its pane may have come from elsewhere.
        places: placed.slice(first.startedIn ?? 0).flatMap((place) => within(place, fromMs, toMs)),
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

function lastToLeave(a: PaneLife, b: PaneLife): number {
  const [left, other] = [a, b].map(({ end }) => end?.atMs ?? Number.MAX_SAFE_INTEGER) as [number, number];
  return other - left;
}

/** Each place of a pane, until it was last looked at there. */
function placesOf({ places, sightings }: PaneLife): Seen[] {
  const looks = sightings.filter(({ source, session }) => source !== "hook" && session !== null);
  const lookedMs = looks.flatMap((each) => [each.fromMs, each.toMs]);
  return places.map(({ address, fromMs }, at) => {
    const leftMs = places[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const toMs = lookedMs.reduce((last, ms) => (ms < leftMs ? Math.max(last, ms) : last), fromMs);
    return { address, fromMs, toMs };
  });
}

function within({ address, ...place }: Seen, fromMs: number, toMs: number): Seen[] {
  const [since, until] = [Math.max(place.fromMs, fromMs), Math.min(place.toMs, toMs)];
  return since <= until ? [{ address, fromMs: since, toMs: until }] : [];
}

function endOf({ end }: PaneLife, { session, source }: Sighting, next: Sighting | undefined): Stay["end"] {
  if (next === undefined) return source === "now" ? "now" : end;
  const atMs = next.fromMs;
  if (next.session === null) return { atMs, why: "it ended" };
  return { atMs, why: next.session === session ? "it began again" : `then ${next.session.slice(0, 8)}` };
}
