// Gives a running agent another role: in the roster, in its title, and in the client itself.
//
// - A role is unique in its team: if another agent has it, the rename is refused and nothing changes.
// - The stores change at once. `/rename` is typed only into an idle agent with an empty box, while no other process
//   types there. Otherwise it is left to a person.
// - An agent of a team file has its name from that file: refused.

import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { isAgent } from "../fleet/roster/role-of.js";
import { roleHolder } from "../fleet/roster/roster.js";
import { type Delivery, deliverInTurn } from "../messages/deliver.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import { roleTaken, seat } from "./start/seating.js";
import type { TeamWorld } from "./world.js";

export interface Renamed {
  pane: PaneAddress;
  old: Role | null;
  new: Role;
  team: TeamName;
  isSessionKnown: boolean;
  /** The outcome of the client's own `/rename`; null if the client has that name already, or no agent runs. */
  typed: Delivery | null;
}

/** The caller holds the pane's team. */
export async function renameAgent(world: TeamWorld, named: FleetPane, role: Role): Promise<Renamed> {
  const team = named.sessionName as TeamName;
  const panes = await world.panes();
  const pane = findPaneIn(panes, named.id);
  const address = rowAddress(pane, world.tmux.server);
  const old = roleOf(pane);
  refuseTeamFile(world, pane);
  refuseTaken(panes, pane, role);
  if (!isAgent(pane) && old === null) {
    throw new HiveError(`no agent runs in ${address}, and it has no role`, {
      hint: "see what runs: hivemind status",
    });
  }
  const seating = { pane, team, kind: pane.kind, session: pane.agent?.session ?? null };
  const after = await world.change((roster) => {
    const its = roster.agents.find(({ id }) => id === pane.agent?.id);
    return its === undefined
      ? { agents: seat(roster, { ...seating, role }, Date.now()).agents }
      : { agents: roster.agents.map((agent) => (agent === its ? { ...its, role } : agent)) };
  });
  const line = agentOfKind(pane.kind)?.keyboard?.renaming?.(role) ?? null;
  const isTyped = isAgent(pane) && pane.live?.name !== role && line !== null;
  const typed = isTyped
    ? await deliverInTurn(world, findPaneIn(after, pane.id).agent!.id, pane.id, line)
    : null;
  const { forkRows } = await world.refresh(team);
  const isSessionKnown = !forkRows.some((row) => row.pane === address && row.uuid === null);
  return { pane: address, old, new: role, team, isSessionKnown, typed };
}

/** Two agents with one role in one team would be indistinguishable. */
export function refuseTaken(
  { roster }: Pick<Panes, "roster">,
  { agent, sessionName }: Pick<FleetPane, "agent" | "sessionName">,
  role: Role,
): void {
  const holder = roleHolder(roster, sessionName, role);
  if (holder !== undefined && holder.id !== agent?.id) throw roleTaken(roster, holder);
}

function refuseTeamFile({ stores }: TeamWorld, { live, arguments: args }: FleetPane): void {
  const [, project, agent] = /^teamctl:([^:]+):([^:]+)$/.exec(live?.name ?? args?.name ?? "") ?? [];
  if (project === undefined) return;
  const folder = stores.projects.read().rows.find((row) => row.project === project)?.folder;
  throw new HiveError(`its name "${agent}" comes from the team file of ${project}`, {
    hint: `change its line there: ${folder === undefined ? "hivemind.yaml" : `${folder}/hivemind.yaml`}`,
  });
}
