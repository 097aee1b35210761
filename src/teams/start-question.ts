// An agent that stands at a question before its conversation begins: what it asks, and what a person types.
//
// [ASQ1] A client at a start-up question reports no session yet. Its screen is all that tells, and it is named with the
//       command that answers it. Where no option says yes, a person goes there.

import type { Dialog } from "../agents/agent.js";
import type { FleetPane } from "../fleet/panes.js";
import { rolesIn } from "../fleet/resolve.js";
import { optionFor } from "../messages/choose.js";
import { seeAll } from "../messages/see.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import type { TeamWorld } from "./world.js";

export interface StartQuestion {
  pane: PaneAddress;
  role: Role | null;
  /** In words, behind the agent's name: what it asks, and the command that answers. */
  says: string;
}

export function questionSays(dialog: Dialog, name: string): string {
  const { known, question } = dialog;
  const asks =
    known === undefined ? `shows a dialog${question === null ? "" : ` (${question})`}` : `asks ${known.asks}`;
  const hasYes = typeof optionFor(dialog, "approve") !== "string";
  return `${asks}: hivemind ${hasYes ? "approve" : "go"} ${name}`;
}

/** As a command takes it: roles are unique in one team only. */
export function nameIn(
  team: TeamName,
  { role, address }: { role: Role | null; address: PaneAddress },
): string {
  return role === null ? address : `${role} --team ${team}`;
}

/** Those of a running team that stand at a question now, whoever started them. */
export async function questionsIn(
  world: Pick<TeamWorld, "tmux" | "panes" | "stores">,
  team: TeamName,
): Promise<StartQuestion[]> {
  const seen = await world.panes();
  const silent = seen.panes.filter((pane) => pane.sessionName === team && isBeforeConversation(pane));
  if (silent.length === 0) return [];
  const roleOf = rolesIn(seen, world.stores);
  return (await seeAll(world.tmux, silent)).flatMap(({ pane, box }) => {
    if (box.kind !== "dialog") return [];
    const { address } = pane;
    const role = roleOf(pane);
    return [{ pane: address, role, says: questionSays(box, nameIn(team, { role, address })) }];
  });
}

/** It runs and does not say what it is doing: a client that stands at a picker has a registry file without a status. */
function isBeforeConversation({ dead, process, live }: FleetPane): boolean {
  return !dead && process !== null && (live?.activity ?? null) === null;
}
