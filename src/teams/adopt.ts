// Makes a team of agents that already run: each gets a role. Nothing is typed into any of them.
//
// - An agent without a role gets the role in its title if that is free, else its kind and the first free number.
// - An agent with a role keeps it. Shells get none. All roles of a team differ.
// - The team is registered if it was not. Then every agent is in the roster.
// - A session that two panes have is given to neither.

import { hostname } from "node:os";
import { HiveError } from "../base/errors.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { isAgent, settleRoles } from "../fleet/roster/role-of.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import { byPlace } from "../tmux/listing.js";
import { refuseTaken } from "./rename.js";
import { seat } from "./start/seating.js";
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
  /** Only this pane, with this role if one is given. */
  pane?: PaneId;
  role?: Role;
}

/** Which agent would get which role. Pure. */
export function proposeRoles(fleet: Fleet, wish: AdoptWish): Adoption[] {
  const own = fleet.panes.filter(({ sessionName }) => sessionName === wish.team).sort(byPlace);
  const known = fleet.roster.agents.filter(({ team }) => team === wish.team);
  const taken = new Set<string>(known.flatMap(({ role }) => role ?? []));
  const away = fleet.roster.agents.filter((agent) => agent.seat === null);
  const titled = settleRoles(fleet.panes, hostname(), away);
  const unnamed = own.filter((pane) => isAgent(pane) && roleOf(pane) === null);
  const asked = unnamed.filter(({ id }) => wish.pane === undefined || id === wish.pane);
  if (wish.role !== undefined) refuseWish(fleet, wish, wish.role);
  // Titles first, so that no number takes a name that an agent already goes by.
  const named = new Map<PaneId, Role>();
  for (const { id } of asked) {
    const role = wish.role ?? titled.get(id)?.role ?? null;
    if (role === null || taken.has(role)) continue;
    taken.add(role);
    named.set(id, role);
  }
  return asked.map((pane) => {
    const role = named.get(pane.id) ?? numbered(pane.kind, taken);
    taken.add(role);
    const { id: paneId, address, kind } = pane;
    return { pane: address, paneId, kind, uuid: ownSession(fleet, paneId), title: pane.title || null, role };
  });
}

/** The caller holds the team. An agent that has ended or got a role meanwhile is left out. */
export async function adopt(
  world: TeamWorld,
  team: TeamName,
  wanted: readonly Adoption[],
): Promise<Adoption[]> {
  const fleet = await world.observe();
  const isSame = (pane: FleetPane, { paneId }: Adoption) =>
    pane.id === paneId && pane.sessionName === team && isAgent(pane) && roleOf(pane) === null;
  const adopted = wanted.flatMap((each) => {
    const pane = fleet.panes.find((candidate) => isSame(candidate, each));
    return pane === undefined ? [] : [{ ...each, pane: pane.address, uuid: ownSession(fleet, pane.id) }];
  });
  if (adopted.length === 0) return [];
  for (const { paneId, role } of adopted)
    refuseTaken(fleet, { agent: agentIn(fleet, paneId), sessionName: team }, role);
  if (!world.stores.teams.read().rows.some((row) => row.team === team))
    await world.emit({ name: "team.created", team, description: "" });
  await world.change((roster) => ({
    agents: adopted.reduce((agents, { pane: address, paneId: id, kind, uuid, role }) => {
      const seating = { pane: { id, address }, team, role, kind, session: uuid };
      return seat({ ...roster, agents }, seating, Date.now()).agents;
    }, roster.agents),
  }));
  await world.refresh(team);
  return adopted;
}

/** An agent with another role is renamed, not adopted. */
function refuseWish(fleet: Fleet, { pane: id }: AdoptWish, role: Role): void {
  const pane = fleet.panes.find((each) => each.id === id);
  if (pane === undefined) return;
  refuseTaken(fleet, pane, role);
  const own = roleOf(pane);
  if (own === null || own === role) return;
  throw new HiveError(`${pane.address} is ${own} already`, {
    hint: `hivemind agent rename ${pane.address} ${role}`,
  });
}

/** Null if another pane has the session too: its owner is unknown. */
function ownSession({ panes, sessions }: Fleet, pane: PaneId): SessionId | null {
  const { uuid } = sessions.get(pane)!;
  const isShared = panes.some(
    (other) => other.id !== pane && isAgent(other) && sessions.get(other.id)!.uuid === uuid,
  );
  return isShared ? null : uuid;
}

function agentIn({ panes }: Fleet, id: PaneId): FleetPane["agent"] {
  return panes.find((pane) => pane.id === id)?.agent ?? null;
}

function numbered(kind: Kind, taken: ReadonlySet<string>): Role {
  let number = 1;
  while (taken.has(`${kind}${number}`)) number++;
  return `${kind}${number}` as Role;
}
