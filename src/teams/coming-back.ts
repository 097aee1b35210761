// Rows find the agent that comes back, before it is registered where its pane stands. Pure but for the last step.
//
// [TCB1] An agent that comes back has its rows, and what waits for it, where its pane stands now: they change places with
//        what is kept there. Whoever stands at the old place counts for nothing, unless its mark, title or session says that
//        it is that agent.
// [TCB2] What is kept for another is never overwritten. Where who is started has no rows to change places with, it goes
//        to the next free place of its window.
// [TCB3] A pane that is marked has its own rows already: nothing moves.

import type { SessionStart } from "../agents/agent.js";
import type { HiveEvent } from "../events/event.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { Rows } from "../fleet/gone.js";
import { nextFree, storedRows } from "../fleet/moves.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { keptPlaces, strangeRows } from "../fleet/resolve.js";
import { addressParts, type PaneAddress, type PaneId, type Role, type SessionId } from "../names/gates.js";
import { whoseRows } from "./kept.js";
import type { TeamWorld } from "./world.js";

export interface Comer {
  role: Role;
  session: SessionStart | null;
  /** Its name alone tells which rows are its, as in a team file; else they also have the session that is opened. */
  isByName?: boolean;
}

/** Called while no other command changes the team, and what moved has been followed. */
export async function makeRoom(world: TeamWorld, id: PaneId, comer: Comer): Promise<void> {
  const { queues, holds } = world.stores;
  const seen = await world.panes();
  const others = [...queues.panes(), ...holds.read().rows.map(({ pane }) => pane)];
  const event = roomFor(comer, findPaneIn(seen, id), seen, storedRows(world.stores), others);
  if (event !== null) await world.emit(event);
}

/** Null where nothing is in its way. `others` are places at which something waits without a row. */
export function roomFor(
  { role, session, isByName = false }: Comer,
  { address: at, mark }: Pick<FleetPane, "address" | "mark">,
  seen: Panes,
  rows: Rows,
  others: readonly PaneAddress[] = [],
): HiveEvent | null {
  if (mark !== null) return null;
  const { team } = addressParts(at);
  const isStrange = strangeRows(seen, rows);
  const marked = new Set(seen.panes.flatMap((pane) => pane.mark?.address ?? []));
  const sessionAt = new Map(rows.sessions.map(({ pane, uuid }) => [pane, uuid]));
  const its = rows.roles
    .filter((row) => row.role === role && addressParts(row.pane).team === team)
    .map(({ pane }) => pane)
    .filter((pane) => isStrange(pane) && !marked.has(pane))
    .filter((pane) => isByName || isOpened(session, sessionAt.get(pane) ?? null));
  if (its.includes(at)) return null;
  const [from] = its;
  if (from !== undefined) return { name: "panes.swapped", team, a: from, b: at };

  const isKept = whoseRows(seen, rows, at) === "awaited" && keptPlaces(seen, rows).get(at) !== role;
  // Under another name it is the same agent.
  if (!isKept || (session !== null && sessionAt.get(at) === session.id)) return null;
  return { name: "pane.moved", from: at, to: nextFree(at, seen, rows, others) };
}

/** A fork is opened from its parent. */
export function isOpened(session: SessionStart | null, uuid: SessionId | null): boolean {
  if (session === null || uuid === null) return false;
  return uuid === session.id || (session.how === "fork" && uuid === session.parent);
}
