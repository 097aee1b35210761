// What waits for a team whose panes are gone is let go before it is brought back, and is for its agents then. Once panes
// stand there, nothing would tell them from others that only came to stand there.
//
// [LG1] Of a team that is lost, what waits where a row is: the row finds its agent, or goes, and takes it along.
// [LG2] Of a team that runs, what waits where an agent of the row's name comes back to the place it was saved at.
// [LG3] An agent without a name has no row: it is its own place if S5 saw its conversation there last.

import { keptSince } from "../fleet/homes.js";
import { storedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import { addressParts, type PaneAddress, type SessionId, type TeamName } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import { rowWriter } from "../stores/row-writer.js";
import type { SessionRow } from "../stores/sessions.js";
import type { AgentStep } from "./restore-plan.js";
import type { TeamWorld } from "./world.js";

/** Who is about to be started, and where it stood. */
type Back = Pick<AgentStep, "saved" | "role" | "session">;

export async function letGo(
  { stores }: TeamWorld,
  team: TeamName,
  fleet: Fleet,
  { starts, isLost }: { starts: readonly Back[]; isLost: boolean },
): Promise<void> {
  if (!stores.queues.panes().some((pane) => addressParts(pane).team === team)) return;
  const lastSeenIn = (pane: PaneAddress) => [...stores.forks.scan({ pane })].at(-1)?.uuid ?? null;
  const places = placesBack(starts, { ...rowsOf(stores, team), lastSeenIn, isLost });
  const kept = keptSince(fleet, storedRows(stores));
  await rowWriter(stores).letGo(places, { ...fleet, kept });
}

export interface BackFacts {
  /** The rows of the team. */
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
  /** What S5 saw there last. */
  lastSeenIn(pane: PaneAddress): SessionId | null;
  isLost: boolean;
}

export function placesBack(
  starts: readonly Back[],
  { roles, sessions, lastSeenIn, isLost }: BackFacts,
): PaneAddress[] {
  const isOwn = ({ saved, role, session }: Back) => {
    if (role !== null) return roles.some((row) => row.pane === saved && row.role === role);
    const last = lastSeenIn(saved);
    return last === session.id || (session.how === "fork" && last === session.parent);
  };
  const registered = isLost ? [...roles, ...sessions].map(({ pane }) => pane) : [];
  return [...new Set([...registered, ...starts.filter(isOwn).map(({ saved }) => saved)])];
}

export function rowsOf({ roles, sessions }: TeamWorld["stores"], team: TeamName) {
  const isOwn = ({ pane }: { pane: PaneAddress }) => addressParts(pane).team === team;
  return { roles: roles.read().rows.filter(isOwn), sessions: sessions.read().rows.filter(isOwn) };
}
