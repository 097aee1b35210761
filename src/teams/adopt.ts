// Agents that run already become a team: each gets a role, nothing is typed into any of them.
//
// [AD1] A role is proposed for every agent without one: what its title names if that is a role nobody else has, else
//       its kind and the first free number. All roles of a team differ.
// [AD2] An agent that has a role keeps it; shells get none.
// [AD3] The team is registered if it was not, then every agent has its rows and its mark.
// [AD4] A session that two panes have is given to neither.

import { hostname } from "node:os";
import type { Kind } from "../agents/agent.js";
import { HiveError } from "../base/errors.js";
import type { Rows } from "../fleet/gone.js";
import { storedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { shownRoles } from "../fleet/resolve.js";
import { isAgent, settleRoles } from "../fleet/role-of.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import { byPlace } from "../tmux/listing.js";
import { clearPlaces, refuseNaming } from "./kept.js";
import { refuseTaken } from "./rename.js";
import type { TeamWorld } from "./world.js";

export interface Adoption {
  pane: PaneAddress;
  paneId: PaneId;
  kind: Kind;
  uuid: SessionId | null;
  title: string | null;
  role: Role;
}

export interface AdoptWish {
  team: TeamName;
  /** Only this pane, with this role if one is wished for. */
  pane?: PaneId;
  role?: Role;
}

/** Pure: who would get which role. */
export function proposeRoles(fleet: Fleet, rows: Rows, wish: AdoptWish): Adoption[] {
  const roleAt = shownRoles(fleet, rows);
  const own = fleet.panes.filter(({ sessionName }) => sessionName === wish.team).sort(byPlace);
  const taken = new Set<string>(own.flatMap((pane) => roleAt(pane) ?? []));
  const titled = settleRoles(fleet.panes, rolesByPlace(fleet, roleAt), hostname());
  const unnamed = own.filter((pane) => isAgent(pane) && roleAt(pane) === null);
  const asked = unnamed.filter(({ id }) => wish.pane === undefined || id === wish.pane);
  if (wish.role !== undefined) refuseWish(fleet, rows, wish, wish.role);
  // Titles first, so that no number takes a name that somebody is called by.
  const named = new Map<PaneId, Role>();
  for (const { id } of asked) {
    const role = wish.role ?? titled.get(id)?.role ?? null;
    if (role === null || taken.has(role)) continue;
    taken.add(role);
    named.set(id, role);
  }
  const adoptions = asked.map((pane) => {
    const role = named.get(pane.id) ?? numbered(pane.kind, taken);
    taken.add(role);
    const { id: paneId, address, kind } = pane;
    return { pane: address, paneId, kind, uuid: ownSession(fleet, paneId), title: pane.title || null, role };
  });
  for (const adoption of adoptions) refuseNaming(fleet, rows, adoption);
  return adoptions;
}

/** Called while nobody else changes the team. An agent that ended meanwhile, or has a role by now, is left out. */
export async function adopt(
  world: TeamWorld,
  team: TeamName,
  wanted: readonly Adoption[],
): Promise<Adoption[]> {
  await world.followMoves(team);
  const fleet = await world.observe();
  const rows = storedRows(world.stores);
  const roleAt = shownRoles(fleet, rows);
  const isSame = (pane: FleetPane, { paneId }: Adoption) =>
    pane.id === paneId && pane.sessionName === team && isAgent(pane) && roleAt(pane) === null;
  const adopted = wanted.flatMap((each) => {
    const pane = fleet.panes.find((candidate) => isSame(candidate, each));
    return pane === undefined ? [] : [{ ...each, pane: pane.address, uuid: ownSession(fleet, pane.id) }];
  });
  if (adopted.length === 0) return [];
  for (const { paneId, role } of adopted) refuseTaken(fleet, rows, { id: paneId, sessionName: team }, role);
  await clearPlaces(world, fleet, adopted);
  if (!world.stores.teams.read().rows.some((row) => row.team === team))
    await world.emit({ name: "team.created", team, description: "" });
  for (const { pane, role, uuid } of adopted) await world.emit({ name: "agent.spawned", pane, role, uuid });
  await world.refresh(team);
  return adopted;
}

/** An agent that has another role is renamed, not adopted. */
function refuseWish(fleet: Fleet, rows: Rows, { pane: id }: AdoptWish, role: Role): void {
  const pane = fleet.panes.find((each) => each.id === id);
  if (pane === undefined) return;
  refuseTaken(fleet, rows, pane, role);
  const own = shownRoles(fleet, rows)(pane);
  if (own === null || own === role) return;
  throw new HiveError(`${pane.address} is ${own} already`, {
    hint: `hivemind agent rename ${pane.address} ${role}`,
  });
}

/** Null where another pane has it too: whose it is, nobody knows. */
function ownSession({ panes, sessions }: Fleet, pane: PaneId): SessionId | null {
  const { uuid } = sessions.get(pane)!;
  const isShared = panes.some(
    (other) => other.id !== pane && isAgent(other) && sessions.get(other.id)!.uuid === uuid,
  );
  return isShared ? null : uuid;
}

function rolesByPlace({ panes }: Panes, roleAt: (pane: FleetPane) => Role | null): Map<PaneAddress, Role> {
  return new Map(
    panes.flatMap((pane) => {
      const role = roleAt(pane);
      return role === null ? [] : [[pane.address, role] as const];
    }),
  );
}

function numbered(kind: Kind, taken: ReadonlySet<string>): Role {
  let number = 1;
  while (taken.has(`${kind}${number}`)) number++;
  return `${kind}${number}` as Role;
}
