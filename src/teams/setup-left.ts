// What a killed `team setup` left of its team, and which role gets which pane when the same command continues. Pure.
//
// - The team counts as left over only if every pane was opened for an agent and is unnamed, or has one of the wanted
//   roles. Otherwise nothing is touched.
// - An unnamed pane goes to the role it was opened for, the others to roles without a pane. Surplus panes close.

import type { FleetPane, Panes } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import type { Role, TeamName } from "../names/gates.js";
import { leftPanes, openedFor } from "./spare-panes.js";

export interface SetupLeft {
  /** Panes that already have their role. */
  named: Map<Role, FleetPane>;
  nameless: Map<Role, FleetPane>;
  surplus: FleetPane[];
}

/** Null if anything else runs there. */
export function setupLeft(
  seen: Pick<Panes, "panes">,
  team: TeamName,
  roles: readonly Role[],
): SetupLeft | null {
  const own = seen.panes.filter(({ sessionName }) => sessionName === team);
  const left = leftPanes(seen, team);
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
      const its = left.find((pane) => isOver(pane) && fits(pane, role));
      if (its !== undefined) nameless.set(role, its);
    }
  };
  give((pane, role) => openedFor(pane) === role);
  give(() => true);
  return { named, nameless, surplus: left.filter(isOver) };
}
