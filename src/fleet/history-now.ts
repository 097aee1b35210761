// What runs now, and what the hooks of this tmux server told, added to the lives of panes. Pure.
//
// [HN1] A running pane continues a life only if it carries the mark of that place, or runs the same session in a
//       process that is older than the last look. Any other pane has a life of its own, and the one before it ended.
// [HN2] A process that began after the last look is a new beginning, also of the same session.
// [HN3] Reports count for panes of the tmux server they came from: pane ids come again on another one.

import { isPaneAddress, type PaneId, readSessionId, type SessionId } from "../names/gates.js";
import type { HookReport } from "../stores/hook-reports.js";
import {
  addSighting,
  close,
  type Lives,
  movePanes,
  newLife,
  type PaneLife,
  wholeSecond,
} from "./history-lives.js";
import { isFromPane } from "./hook-claims.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";

export type LookedAt = Pick<Fleet, "takenAtMs" | "server" | "panes" | "shifts" | "sessions">;

/** The life of each pane that is there now. `lives` get what is added. */
export function addPresent(
  lives: Lives,
  fleet: LookedAt,
  reports: readonly HookReport[],
): ReadonlyMap<PaneId, PaneLife> {
  const nowMs = wholeSecond(fleet.takenAtMs);
  movePanes(lives, fleet.shifts.moved, nowMs);
  // Of two at once the end of a session comes before the start of another.
  const inOrder = reports.toSorted((a, b) => a.atMs - b.atMs || Number(isEnd(b)) - Number(isEnd(a)));
  const found = new Map<PaneId, PaneLife>();
  for (const pane of fleet.panes) {
    const session = pane.process === null ? null : (fleet.sessions.get(pane.id)?.uuid ?? null);
    const life = lifeOf(lives, fleet, pane, session, nowMs);
    if (life === null) continue;
    found.set(pane.id, life);
    for (const report of inOrder.filter((each) => isFromPane(each, pane.id, fleet.server))) {
      addReport(life, report);
    }
    if (session === null) continue;
    const lastMs = lastSeenMs(life);
    const begins = lastMs !== null && wholeSecond(pane.process!.startedAtMs) > lastMs;
    addSighting(life, { fromMs: nowMs, toMs: nowMs, session, role: life.role, begins, source: "now" });
  }
  return found;
}

function lifeOf(
  lives: Lives,
  { shifts }: LookedAt,
  pane: FleetPane,
  session: SessionId | null,
  nowMs: number,
): PaneLife | null {
  const { mark, process, address } = pane;
  if (!isPaneAddress(address)) return null;
  const known = lives.standing.get(address);
  const isMarked = mark !== null && (shifts.moved.get(mark.address) ?? mark.address) === address;
  if (known !== undefined) {
    const last = known.sightings.at(-1);
    const isOld = process !== null && last !== undefined && wholeSecond(process.startedAtMs) <= last.toMs;
    if (isMarked || (isOld && last.session === session)) return known;
    // A pane that shows nothing says nothing: what was in its place may come back there.
    if (session === null) return null;
    close(lives, known, nowMs, "displaced");
  }
  if (!isMarked && session === null) return null;
  const life = newLife(lives, address, nowMs);
  life.role = mark?.role ?? null;
  return life;
}

function addReport(life: PaneLife, { atMs, event, input }: HookReport): void {
  const session = readSessionId(input?.session_id);
  if (session === null) return;
  const moment = {
    fromMs: wholeSecond(atMs),
    toMs: wholeSecond(atMs),
    role: life.role,
    source: "hook" as const,
  };
  const begins = event === "SessionStart" && ["startup", "resume"].includes(String(input?.source));
  addSighting(life, { ...moment, session, begins });
  if (isEnd({ event })) addSighting(life, { ...moment, session: null, begins: false });
}

function isEnd({ event }: Pick<HookReport, "event">): boolean {
  return event === "SessionEnd";
}

function lastSeenMs({ sightings }: PaneLife): number | null {
  return sightings.at(-1)?.toMs ?? null;
}
