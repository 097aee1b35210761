// Another role for an agent that runs: its rows, its mark, its title, and what the client itself calls it.
//
// [RE1] A role stands once in a team: one that somebody else has is refused, and nothing is changed.
// [RE2] The stores follow at once, where the pane stands now; `/rename` is typed only into an idle agent with an empty
//       box, while nobody else says something to it. Else it is left to a person.
// [RE3] An agent of a team file has its name from there: refused.

import { HiveError } from "../base/errors.js";
import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { Rows } from "../fleet/gone.js";
import { storedRows } from "../fleet/moves.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { shownRoles } from "../fleet/resolve.js";
import { isAgent } from "../fleet/role-of.js";
import { type Delivery, deliverInTurn } from "../messages/deliver.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import { clearPlaces } from "./kept.js";
import type { TeamWorld } from "./world.js";

export interface Renamed {
  pane: PaneAddress;
  old: Role | null;
  new: Role;
  team: TeamName;
  isSessionKnown: boolean;
  /** What became of the client's own `/rename`; null where it is called so already, or no agent runs. */
  typed: Delivery | null;
}

/** Called while nobody else changes the pane's team. */
export async function renameAgent(world: TeamWorld, named: FleetPane, role: Role): Promise<Renamed> {
  const team = named.sessionName as TeamName;
  // Nobody's row stands at this address but its own.
  const pane = findPaneIn(await world.followMoves(team), named.id);
  const address = rowAddress(pane, world.tmux.server);
  const panes = await world.panes();
  const rows = storedRows(world.stores);
  const old = shownRoles(panes, rows)(pane);
  refuseTeamFile(world, pane);
  refuseTaken(panes, rows, pane, role);
  if (!isAgent(pane) && old === null) {
    throw new HiveError(`no agent runs in ${address}, and it has no role`, {
      hint: "see what runs: hivemind status",
    });
  }
  await clearPlaces(world, panes, [{ pane: address, role, uuid: null }]);
  if (old !== role) await world.emit({ name: "agent.renamed", pane: address, old, new: role });
  const isTyped = isAgent(pane) && pane.live?.name !== role;
  const typed = isTyped ? await deliverInTurn(world, address, pane.id, `/rename ${role}`) : null;
  const { forkRows } = await world.refresh(team);
  const isSessionKnown = !forkRows.some((row) => row.pane === address && row.uuid === null);
  return { pane: address, old, new: role, team, isSessionKnown, typed };
}

/** Two agents of one role in one team could not be told apart. */
export function refuseTaken(
  panes: Panes,
  rows: Rows,
  { id, sessionName }: Pick<FleetPane, "id" | "sessionName">,
  role: Role,
): void {
  const roleAt = shownRoles(panes, rows);
  const holder = panes.panes.find(
    (other) => other.id !== id && other.sessionName === sessionName && roleAt(other) === role,
  );
  if (holder === undefined) return;
  throw new HiveError(`${holder.address} is ${role} already`, {
    hint: `choose another role, or rename that one first: hivemind agent rename ${holder.address} ROLE`,
  });
}

function refuseTeamFile({ stores }: TeamWorld, { live, arguments: args }: FleetPane): void {
  const [, project, agent] = /^teamctl:([^:]+):([^:]+)$/.exec(live?.name ?? args?.name ?? "") ?? [];
  if (project === undefined) return;
  const folder = stores.projects.read().rows.find((row) => row.project === project)?.folder;
  throw new HiveError(`it is "${agent}" of the team file of ${project}, which names it`, {
    hint: `change its line there: ${folder === undefined ? "hivemind.yaml" : `${folder}/hivemind.yaml`}`,
  });
}
