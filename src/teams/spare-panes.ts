// Panes that were opened for an agent by a command which was killed before it gave them a name. Pure.
//
// [SPN1] For whom a pane is opened stands in what tmux is told to start there: it is known as soon as the pane is there. A
//        person's own `cat` is no such pane, nor is one that a restore keeps open for a saved agent.
// [SPN2] One that has no name is nobody's: the next agent that needs a pane takes it, before all the one it was opened
//        for. While a team is being changed no other command has such a pane.
// [SPN3] One at a place that is kept for another is left to that one.

import type { Rows, Seen } from "../fleet/gone.js";
import type { FleetPane } from "../fleet/panes.js";
import { keptPlaces, shownRoles } from "../fleet/resolve.js";
import type { Role, TeamName } from "../names/gates.js";
import { placeholder } from "../tmux/program.js";
import { isFreePane } from "./place-rows.js";

/** What a pane runs until its agent is started in it. */
export function placeholderFor(role: Role): string[] {
  return [`HIVEMIND_ROLE=${role}`, ...placeholder];
}

/** Null of a pane that was not opened for anybody by name. */
export function openedFor({ startCommand }: Pick<FleetPane, "startCommand">): string | null {
  return opened.exec(startCommand)?.[1] ?? null;
}

/** Panes of the team that are kept open, and carry no name. */
export function sparePanes(seen: Seen, rows: Rows, team: TeamName): FleetPane[] {
  const roleOf = shownRoles(seen, rows);
  return seen.panes
    .filter((pane) => pane.sessionName === team && pane.launch === "" && roleOf(pane) === null)
    .filter((pane) => !pane.dead && isFreePane(pane));
}

/** Those of them that were opened by name, at places that are kept for nobody else. */
export function leftPanes(seen: Seen, rows: Rows, team: TeamName, wanted: readonly Role[]): FleetPane[] {
  const kept = keptPlaces(seen, rows);
  const isFor = (role: Role | undefined) => role === undefined || wanted.includes(role);
  return sparePanes(seen, rows, team).filter(
    (pane) => openedFor(pane) !== null && isFor(kept.get(pane.address)),
  );
}

export function leftPaneFor(seen: Seen, rows: Rows, team: TeamName, role: Role): FleetPane | null {
  const left = leftPanes(seen, rows, team, [role]);
  return left.find((pane) => openedFor(pane) === role) ?? left[0] ?? null;
}

/** As tmux prints what it was told to start. */
const opened = new RegExp(`^env (?:"PATH=[^"]*" |PATH=\\S* )?HIVEMIND_ROLE=(\\S+) ${placeholder.join(" ")}$`);
