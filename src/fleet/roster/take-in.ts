// Turns what another program or an editor wrote into S1 and S2 into changes of the roster. Pure.
//
// [TIN1] A new role at an existing pane becomes an agent with that seat. If the row is older than the pane's tmux
//        session and the client's session does not confirm it, the agent is away. The new agent gets the client's
//        session, unless another agent has it.
// [TIN2] A new row of a team that does not run here, or of a missing pane, becomes an away agent.
// [TIN3] Another role in an agent's row renames the agent. It is refused if the team already has that role. It is
//        also refused at a pane to which an agent moved since the views were written: it may mean the previous
//        agent.
// [TIN4] Another session in an agent's row is accepted unless the client reports otherwise. A session that another
//        agent has is refused.
// [TIN5] A removed row forgets no agent: it is written again.
// [TIN6] Taking in the same edit twice changes nothing the second time.

import { type AgentId, newAgentId } from "../../names/agent-id.js";
import {
  addressParts,
  type PaneAddress,
  type Role,
  type SessionId,
  type TeamName,
} from "../../names/gates.js";
import type { Views } from "../../stores/roster.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { ownersOf } from "./roster-views.js";
import { foreignTeams, type Look, type SeenPane, standings } from "./settle.js";

export interface TakenIn {
  agents: readonly AgentRow[];
  refused: readonly { pane: PaneAddress; why: string }[];
}

export function takeIn(
  before: readonly AgentRow[],
  edits: Views,
  look: Look,
  newId: () => AgentId = newAgentId,
): TakenIn {
  if (edits.roles.length === 0 && edits.sessions.length === 0) return { agents: before, refused: [] };
  const { agents, ownerAt, reportedBy, begin } = groundOf(before, edits, look, newId);
  const refused: { pane: PaneAddress; why: string }[] = [];

  for (const { pane, role, epoch } of edits.roles) {
    const owner = ownerAt(pane);
    if (owner?.role === role) continue;
    const holder = agents.withRole(addressParts(pane).team, role);
    // The row of an agent that moved meanwhile is its own, at its earlier address.
    if (holder !== undefined && holder.address === pane) continue;
    if (holder !== undefined && holder.id !== owner?.id)
      refused.push({ pane, why: `${holder.address ?? `@${holder.id}`} already has the role ${role}` });
    else if (owner === null) begin(pane, role, epoch);
    else if (!isAt(owner, pane))
      refused.push({ pane, why: `${owner.role ?? `@${owner.id}`} moved there after the last change` });
    else agents.put({ ...owner, role });
  }

  for (const { pane, uuid } of edits.sessions) {
    const owner = ownerAt(pane);
    const holder = agents.withSession(uuid);
    if (holder !== undefined && (holder.address === pane || holder.id === owner?.id)) continue;
    const reported = reportedBy(owner, pane);
    if (reported !== null && reported !== uuid) continue;
    if (holder !== undefined)
      refused.push({ pane, why: `${holder.role ?? `@${holder.id}`} has session ${uuid}` });
    else {
      const agent = owner ?? begin(pane, null, null);
      agents.put({ ...agent, session: uuid });
    }
  }
  return { agents: agents.all(), refused };
}

/** The agents as they become, and what the look says of each place. */
function groundOf(before: readonly AgentRow[], edits: Views, look: Look, newId: () => AgentId) {
  const standing = standings(look);
  const nowSeconds = Math.floor(look.nowMs / 1000);
  const foreign = foreignTeams(before, standing);
  const agents = tableOf(before);
  const running = new Set(look.panes.flatMap(({ team }) => team ?? []));
  const ids = new Map(ownersOf(before, running));
  const sessionAt = new Map(edits.sessions.map(({ pane, uuid }) => [pane, uuid]));
  const panes = new Map(look.panes.map((pane) => [pane.address, pane]));
  const paneAt = (address: PaneAddress) =>
    foreign.has(addressParts(address).team) ? null : (panes.get(address) ?? null);
  const sessions = new Map(look.panes.map(({ id, session }) => [id, session]));
  const present = before.filter((agent) => standing(agent) === "present");
  const sitters = new Map(present.map((agent) => [agent.seat!.pane, agent.id]));
  const at = (id: AgentId | undefined) => (id === undefined ? undefined : agents.get(id)) ?? null;

  return {
    agents,

    ownerAt(address: PaneAddress): AgentRow | null {
      const pane = paneAt(address);
      const rowOwner = at(ids.get(address));
      // An agent without a role has no row, so a row at the place it left belongs to that place's current agent.
      const isElsewhere =
        rowOwner !== null && standing(rowOwner) === "present" && rowOwner.seat!.pane !== pane?.id;
      const isLeft = rowOwner?.role === null && isElsewhere;
      return isLeft || rowOwner === null ? at(pane === null ? undefined : sitters.get(pane.id)) : rowOwner;
    },

    /** The session reported by this agent's client, or by the client in a pane without an agent. */
    reportedBy(agent: AgentRow | null, address: PaneAddress): SessionId | null {
      if (agent === null) return paneAt(address)?.session ?? null;
      const isHere = standing(agent) === "present";
      return (isHere && sessions.get(agent.seat!.pane)) || null;
    },

    begin(pane: PaneAddress, role: Role | null, epoch: number | null): AgentRow {
      const current = paneAt(pane);
      const isIts = current !== null && look.server !== null && isOfPane(current, epoch, sessionAt.get(pane));
      const reported = isIts ? current.session : null;
      const agent: AgentRow = {
        id: newId(),
        team: addressParts(pane).team,
        role,
        kind: isIts ? current.kind : "",
        session: reported !== null && agents.withSession(reported) === undefined ? reported : null,
        seat: isIts ? { server: look.server!, pane: current.id } : null,
        address: pane,
        epoch: epoch ?? nowSeconds,
      };
      ids.set(pane, agent.id);
      agents.put(agent);
      return agent;
    },
  };
}

/** Whether the agent's row in the views has this address. */
function isAt({ address }: AgentRow, pane: PaneAddress): boolean {
  return address === null || address === pane;
}

/** The agents by id, by role and by session: a file may have very many rows. */
function tableOf(before: readonly AgentRow[]) {
  const byId = new Map<AgentId, AgentRow>();
  const byRole = new Map<string, AgentId>();
  const bySession = new Map<SessionId, AgentId>();
  const at = (id: AgentId | undefined) => (id === undefined ? undefined : byId.get(id));
  const withRole = (team: TeamName, role: Role) => {
    const found = at(byRole.get(`${team}|${role}`));
    return found?.role === role && found.team === team ? found : undefined;
  };
  const withSession = (session: SessionId) => {
    const found = at(bySession.get(session));
    return found?.session === session ? found : undefined;
  };
  const put = (agent: AgentRow) => {
    const { id, team, role, session } = agent;
    byId.set(id, agent);
    // The first holder counts, unless it has another role or session now.
    if (role !== null && withRole(team, role) === undefined) byRole.set(`${team}|${role}`, id);
    if (session !== null && withSession(session) === undefined) bySession.set(session, id);
  };
  for (const agent of before) put(agent);
  return { put, get: at, all: () => [...byId.values()], withRole, withSession };
}

/** A hand-written row without a time applies to the pane that exists now. */
function isOfPane(pane: SeenPane, epoch: number | null, session: SessionId | undefined): boolean {
  if (epoch === null || epoch >= pane.sessionCreatedAt) return true;
  return session !== undefined && session === pane.session;
}
