// Places that are kept for agents which were not brought back, and what brings those back.
//
// [KP1] A new agent does not take such a place: rows go by address, and its own would end who can still come back. Who
//       stands there cannot be restarted as the one it is kept for.
// [KP2] What is told to type brings them back: where nothing of the team runs, its name has to be free first.

import { HiveError } from "../base/errors.js";
import type { Rows } from "../fleet/moves.js";
import type { Panes } from "../fleet/panes.js";
import { keptPlaces } from "../fleet/resolve.js";
import { addressParts, type PaneAddress, type Role, type TeamName } from "../names/gates.js";
import { typedTmux } from "../tmux/socket.js";

export function refuseKept(panes: Panes, rows: Rows, address: PaneAddress, role: Role | null): void {
  const other = keptPlaces(panes, rows).get(address);
  if (other === undefined || other === role) return;
  const way = wayBack(panes, addressParts(address).team);
  throw new HiveError(`${address} is kept for ${other}, who was not brought back`, {
    hint: `${way} (or forget it: hivemind registry remove ${address} )`,
  });
}

/** For whom places of this team are kept. */
export function keptIn(panes: Panes, rows: Rows, team: TeamName): Role[] {
  return [...keptPlaces(panes, rows)].flatMap(([pane, role]) =>
    addressParts(pane).team === team ? role : [],
  );
}

export function wayBack({ panes, server }: Pick<Panes, "panes" | "server">, team: TeamName): string {
  const isRunning = panes.some(({ sessionName, mark }) => sessionName === team && mark !== null);
  return isRunning
    ? `hivemind teams restore --team ${team}`
    : `free its name: ${typedTmux(server?.choice, "rename-session", "-t", `=${team}`, "NAME")} – then: hivemind team restart ${team}`;
}
