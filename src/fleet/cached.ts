// What the stores say of each pane, where the panes are now.
//
// [CHD1] What waits at a place for who is brought back, or is of a pane that is gone, says nothing of who stands there.

import type { PaneAddress, SessionId } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import type { Stores } from "../stores/stores.js";
import type { Seen } from "./gone.js";
import { storedRows } from "./moves.js";
import { strangeRows } from "./resolve.js";
import { rowsNow } from "./shifts.js";

export interface Cached {
  sessions: ReadonlyMap<PaneAddress, SessionId>;
  /** The beginning of the second in which S1 dated its role; null where it did not, or a person wrote the row. */
  registeredAtMs(pane: PaneAddress): number | null;
}

export function cachedIn({ roles, sessions }: Pick<Stores, "roles" | "sessions">, panes: Seen): Cached {
  const { shifts } = panes;
  let roleAt: ReadonlyMap<PaneAddress, RoleRow> | undefined;
  return {
    sessions: new Map(ownRows({ roles, sessions }, panes).map(({ pane, uuid }) => [pane, uuid])),
    // Seldom asked for, and then for few.
    registeredAtMs(pane) {
      roleAt ??= new Map(rowsNow(roles.read().rows, shifts).map((row) => [row.pane, row]));
      const epoch = roleAt.get(pane)?.epoch ?? null;
      return epoch === null ? null : epoch * 1000;
    },
  };
}

/** Of S2. Where every pane's mark speaks for its row nothing has to be judged. */
function ownRows(
  { roles, sessions }: Pick<Stores, "roles" | "sessions">,
  panes: Seen,
): readonly SessionRow[] {
  const placed = rowsNow(sessions.read().rows, panes.shifts);
  const { moved } = panes.shifts;
  const unmarked = new Set<string>(
    panes.panes
      .filter(({ address, mark }) => mark === null || (moved.get(mark.address) ?? mark.address) !== address)
      .map(({ address }) => address),
  );
  if (!placed.some(({ pane }) => unmarked.has(pane))) return placed;
  const isStrange = strangeRows(panes, storedRows({ roles, sessions }));
  return placed.filter(({ pane }) => !isStrange(pane));
}

/** What the last row of S5 that knew a session's parent says. S5 may be long: it is read once, and only if asked. */
export function recordedParents({ forks }: Pick<Stores, "forks">): (session: SessionId) => SessionId | null {
  let parents: Map<SessionId, SessionId> | null = null;
  const readAll = () => {
    const rows = [...forks.scan({ hasParent: true })];
    return new Map(rows.flatMap(({ uuid, parent }) => (uuid && parent ? [[uuid, parent] as const] : [])));
  };
  return (session) => {
    parents ??= readAll();
    return parents.get(session) ?? null;
  };
}
