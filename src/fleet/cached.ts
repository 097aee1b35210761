// What the stores say of each pane, where the panes are now.

import type { PaneAddress, SessionId } from "../names/gates.js";
import { rekeyRows } from "../stores/rekey.js";
import type { RoleRow } from "../stores/roles.js";
import type { Stores } from "../stores/stores.js";
import type { Panes } from "./panes.js";

export interface Cached {
  sessions: ReadonlyMap<PaneAddress, SessionId>;
  /** When S1 gave it its role; null where it did not, or a person wrote the row. */
  registeredAtMs(pane: PaneAddress): number | null;
}

export function cachedIn(
  { roles, sessions }: Pick<Stores, "roles" | "sessions">,
  { shifts: { moved } }: Pick<Panes, "shifts">,
): Cached {
  let roleAt: ReadonlyMap<PaneAddress, RoleRow> | undefined;
  return {
    sessions: new Map(rekeyRows(sessions.read().rows, moved).map(({ pane, uuid }) => [pane, uuid])),
    // Seldom asked for, and then for few.
    registeredAtMs(pane) {
      roleAt ??= new Map(rekeyRows(roles.read().rows, moved).map((row) => [row.pane, row]));
      const epoch = roleAt.get(pane)?.epoch ?? null;
      return epoch === null ? null : epoch * 1000;
    },
  };
}
