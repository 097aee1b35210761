// A start-up question that keeps an agent from its conversation: what it asks, and what a person types.
//
// A client at a start-up question reports no session yet, so only its screen shows it. The text includes the command
// that answers. If no option says yes, a person has to go to the pane.

import type { Dialog } from "../../agents/box.js";
import type { FleetPane, Panes } from "../../fleet/panes.js";
import { roleOf } from "../../fleet/resolve.js";
import { optionFor } from "../../messages/dialog/choose.js";
import { seeAll } from "../../messages/see.js";
import type { PaneAddress, Role, TeamName } from "../../names/gates.js";
import type { TeamWorld } from "../world.js";

export interface StartQuestion {
  pane: PaneAddress;
  role: Role | null;
  /** What it asks and the command that answers; follows the agent's name. */
  says: string;
}

export function questionSays(dialog: Dialog, name: string): string {
  const { known, question } = dialog;
  const asks =
    known === undefined ? `shows a dialog${question === null ? "" : ` (${question})`}` : `asks ${known.asks}`;
  const hasYes = typeof optionFor(dialog, "approve") !== "string";
  return `${asks}: hivemind ${hasYes ? "approve" : "go"} ${name}`;
}

/** The name as a command takes it: roles are unique only within a team. */
export function nameIn(
  team: TeamName,
  { role, address }: { role: Role | null; address: PaneAddress },
): string {
  return role === null ? address : `${role} --team ${team}`;
}

/** Agents of a running team that wait at a question now, whoever started them. */
export async function questionsIn(
  world: Pick<TeamWorld, "tmux" | "panes" | "stores">,
  team: TeamName,
  seen?: Panes,
): Promise<StartQuestion[]> {
  const { panes } = seen ?? (await world.panes());
  const silent = panes.filter((pane) => pane.sessionName === team && isBeforeConversation(pane));
  if (silent.length === 0) return [];
  return (await seeAll(world.tmux, silent)).flatMap(({ pane, box }) => {
    if (box.kind !== "dialog") return [];
    const { address } = pane;
    const role = roleOf(pane);
    return [{ pane: address, role, says: questionSays(box, nameIn(team, { role, address })) }];
  });
}

/** It runs and does not report its activity: at a picker the client's registry file has no status. */
function isBeforeConversation({ dead, process, live }: FleetPane): boolean {
  return !dead && process !== null && (live?.activity ?? null) === null;
}
