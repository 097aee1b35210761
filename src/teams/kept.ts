// Places that are kept for agents which were not brought back, and what brings those back.
//
// [KP1] A new agent does not take such a place: rows go by address, and its own would end who can still come back. Who
//       stands there cannot be restarted as the one it is kept for.
// [KP2] What is told to type brings them back: where nothing of the team runs, its name has to be free first, and where
//       something does, the place.
// [KP3] Who stands there gets no other name. The very one it is kept for is given only where no conversation waits with
//       it, or the one that is known to be in this pane: any other would be opened where nobody saw it, or be lost. Whom
//       its title or session shows to be the awaited one has that name already (GN5).
// [KP4] What is left of one whose pane is gone is told as ended before another who stands there gets a name, or is ended
//       itself: session, hold and messages of it are never this one's.

import { HiveError } from "../base/errors.js";
import type { Rows } from "../fleet/gone.js";
import { storedRows } from "../fleet/moves.js";
import type { Panes } from "../fleet/panes.js";
import { keptPlaces, strangeRows } from "../fleet/resolve.js";
import { addressParts, type PaneAddress, type Role, type SessionId, type TeamName } from "../names/gates.js";
import { rekeyRows } from "../stores/rekey.js";
import { typedTmux } from "../tmux/socket.js";
import type { TeamWorld } from "./world.js";

/** Whose the rows of a place are, as far as there are any. */
export function whoseRows(panes: Panes, rows: Rows, address: PaneAddress): "own" | "gone" | "awaited" {
  if (!strangeRows(panes, rows)(address)) return "own";
  // Where somebody stands, a session's row alone is only another's while it waits.
  const isNamed = rekeyRows(rows.roles, panes.shifts.moved).some(({ pane }) => pane === address);
  return isNamed && !keptPlaces(panes, rows).has(address) ? "gone" : "awaited";
}

/** `role` is who begins there; null where somebody stands there already. */
export function refuseKept(panes: Panes, rows: Rows, address: PaneAddress, role: Role | null): void {
  if (whoseRows(panes, rows, address) !== "awaited") return;
  const other = keptPlaces(panes, rows).get(address) ?? null;
  if (other !== null && other === role) return;
  const whom = other === null ? "one" : `${other},`;
  const way = wayBack(panes, addressParts(address).team, role === null ? address : null);
  throw new HiveError(`${address} is kept for ${whom} who was not brought back`, {
    hint: `${way} (or forget it: hivemind registry remove ${address} )`,
  });
}

/** A name for who stands at a place, and the session that is known to be there. */
export interface Naming {
  pane: PaneAddress;
  role: Role;
  uuid: SessionId | null;
}

export function refuseNaming(panes: Panes, rows: Rows, { pane, role, uuid }: Naming): void {
  const waiting = rekeyRows(rows.sessions, panes.shifts.moved).find((row) => row.pane === pane);
  const isOwnSession = waiting === undefined || waiting.uuid === uuid;
  if (isOwnSession && keptPlaces(panes, rows).get(pane) === role) return;
  refuseKept(panes, rows, pane, null);
}

/** Before names are given: all are refused, or nothing of another is left at these places. */
export async function clearPlaces(
  world: Pick<TeamWorld, "stores" | "emit">,
  panes: Panes,
  namings: readonly Naming[],
): Promise<void> {
  const rows = storedRows(world.stores);
  for (const naming of namings) refuseNaming(panes, rows, naming);
  for (const { pane } of namings) await forgetGone(world, panes, pane);
}

export async function forgetGone(
  { stores, emit }: Pick<TeamWorld, "stores" | "emit">,
  panes: Panes,
  address: PaneAddress,
): Promise<void> {
  if (whoseRows(panes, storedRows(stores), address) === "gone")
    await emit({ name: "agent.killed", pane: address, how: "unasked" });
}

/** For whom places of this team are kept. */
export function keptIn(panes: Panes, rows: Rows, team: TeamName): Role[] {
  return [...keptPlaces(panes, rows)].flatMap(([pane, role]) =>
    addressParts(pane).team === team ? role : [],
  );
}

/** `taken` is a place where somebody else stands. */
export function wayBack(
  { panes, server }: Pick<Panes, "panes" | "server">,
  team: TeamName,
  taken: PaneAddress | null = null,
): string {
  const isRunning = panes.some(({ sessionName, mark }) => sessionName === team && mark !== null);
  if (!isRunning)
    return `free its name: ${typedTmux(server?.choice, "rename-session", "-t", `=${team}`, "NAME")} – then: hivemind team restart ${team}`;
  const restore = `hivemind teams restore --team ${team}`;
  return taken === null ? restore : `free its place: hivemind agent kill ${taken} – then: ${restore}`;
}
