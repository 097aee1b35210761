// What a `team setup` that was killed left of its team, and who goes where when the same command goes on. Pure.
//
// [SUL1] It is all of the team only if every pane was opened for an agent and has no name, or has one of the roles asked
//        for. Anything else there is somebody's, and nothing is touched.
// [SUL2] A pane without a name goes to the agent it was opened for, the others to those that have none; what is over goes.
// [SUL3] No agent gets a place that is kept for another.

import type { Rows, Seen } from "../fleet/gone.js";
import type { FleetPane } from "../fleet/panes.js";
import { shownRoles } from "../fleet/resolve.js";
import type { Role, TeamName } from "../names/gates.js";
import { leftPanes, openedFor } from "./spare-panes.js";

export interface SetupLeft {
  /** Panes that have their name. */
  named: Map<Role, FleetPane>;
  nameless: Map<Role, FleetPane>;
  surplus: FleetPane[];
}

/** Null when something else stands there. */
export function setupLeft(seen: Seen, rows: Rows, team: TeamName, roles: readonly Role[]): SetupLeft | null {
  const own = seen.panes.filter(({ sessionName }) => sessionName === team);
  const roleOf = shownRoles(seen, rows);
  const left = leftPanes(seen, rows, team, roles);
  const named = new Map<Role, FleetPane>();
  for (const pane of own) {
    const role = roleOf(pane);
    if (left.includes(pane)) continue;
    if (role === null || named.has(role) || !roles.includes(role)) return null;
    named.set(role, pane);
  }

  const nameless = new Map<Role, FleetPane>();
  const isOver = (pane: FleetPane) => ![...nameless.values()].includes(pane);
  const give = (fits: (pane: FleetPane, role: Role) => boolean) => {
    for (const role of roles.filter((each) => !named.has(each) && !nameless.has(each))) {
      const its = leftPanes(seen, rows, team, [role]).find((pane) => isOver(pane) && fits(pane, role));
      if (its !== undefined) nameless.set(role, its);
    }
  };
  give((pane, role) => openedFor(pane) === role);
  give(() => true);
  return { named, nameless, surplus: left.filter(isOver) };
}
