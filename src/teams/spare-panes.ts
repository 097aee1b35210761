// Panes that a killed command opened for an agent but never named. Pure.
//
// - The start command of the pane has the role, so it is known as soon as the pane exists.
// - A person's own `cat` is no such pane, nor is a pane that a restore keeps open for a saved agent.
// - The next agent that needs a pane takes an unnamed one, preferably the one opened for its role.
// - While a command holds the team, no other command has such a pane.

import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Role, TeamName } from "../names/gates.js";
import { placeholder } from "../tmux/program.js";
import { isFreePane } from "./snapshot/place-rows.js";

/** What a pane runs until its agent is started in it. */
export function placeholderFor(role: Role | null): string[] {
  return role === null ? [...placeholder] : [`HIVEMIND_ROLE=${role}`, ...placeholder];
}

/** Null for a pane that was not opened for a role. */
export function openedFor({ startCommand }: Pick<FleetPane, "startCommand">): string | null {
  return opened.exec(startCommand)?.[1] ?? null;
}

/** Panes of the team that are kept open and have no agent. */
export function sparePanes({ panes }: Pick<Panes, "panes">, team: TeamName): FleetPane[] {
  return panes.filter(
    (pane) => pane.sessionName === team && pane.agent === null && !pane.dead && isFreePane(pane),
  );
}

/** The spare panes that were opened for a role. */
export function leftPanes(seen: Pick<Panes, "panes">, team: TeamName): FleetPane[] {
  return sparePanes(seen, team).filter((pane) => openedFor(pane) !== null);
}

export function leftPaneFor(seen: Pick<Panes, "panes">, team: TeamName, role: Role): FleetPane | null {
  const left = leftPanes(seen, team);
  return left.find((pane) => openedFor(pane) === role) ?? left[0] ?? null;
}

/** The start command as tmux prints it. */
const opened = new RegExp(`^env (?:"PATH=[^"]*" |PATH=\\S* )?HIVEMIND_ROLE=(\\S+) ${placeholder.join(" ")}$`);
