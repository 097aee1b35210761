// A pane named at the door, found in the listing. From there on it is acted on by its id.
//
// [FD1] A tmux session whose name no row can hold is refused, with the command that renames it on its server; that names
//       the pane's id, for the name may be one that a shell runs.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { isPaneId, isTeamName, type PaneAddress, paneName, role, rules } from "../names/gates.js";
import { type ServerChoice, typedTmux } from "../tmux/socket.js";
import type { FleetPane, Panes } from "./panes.js";
import { type ResolveContext, resolveRole } from "./resolve.js";

/** The pane at exactly this address or with exactly this id; anything else is refused, never guessed. */
export function findPaneIn(fleet: Panes, typed: string): FleetPane {
  const name: string = paneName(typed);
  const found = fleet.panes.find(
    ({ id, address, alsoAt }) => id === name || address === name || alsoAt.some((at) => at === name),
  );
  if (found !== undefined) return found;
  const team = name.startsWith("%") ? "" : name.slice(0, name.lastIndexOf(":"));
  const near = fleet.panes.filter(({ sessionName }) => sessionName === team).map(({ address }) => address);
  throw new HiveError(`there is no pane ${name}`, {
    hint: near.length > 0 ? `${team} has: ${near.join(", ")}` : "see what is there: hivemind status",
  });
}

/** The same, and a role that names one pane. No role looks like an address or an id. */
export function paneNamed(fleet: Panes, typed: string, context: ResolveContext): FleetPane {
  const isPane = isPaneId(typed) || typed.includes(":");
  return isPane ? findPaneIn(fleet, typed) : resolveRole(fleet, role(typed), context);
}

/** The pane's address as a row may hold it: tmux allows names that no store can. */
export function rowAddress(pane: FleetPane, server: ServerChoice | undefined): PaneAddress {
  if (isTeamName(pane.sessionName)) return pane.address;
  throw new HiveError(`refused "${harmless(pane.sessionName)}": ${rules.team}`, {
    hint: `rename it: ${typedTmux(server, "rename-session", "-t", pane.id, "NAME")}`,
  });
}
