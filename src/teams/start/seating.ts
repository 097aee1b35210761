// Decides which agent gets the seat in a pane when a program starts there, and updates the roster. Pure.
//
// [SEA1] An agent that is given comes back as itself: its id, its messages, its holds. An agent that is seated
//        elsewhere is refused.
// [SEA2] Without a given agent the role decides: the agent with that role in the team, then the away agent with the
//        session, then the agent of the pane unless it has another role. Otherwise a new agent is made.
// [SEA3] The previous agent of the pane is away from then on.
// [SEA4] Another session, or another seat, starts a new epoch.

import { HiveError } from "../../base/errors.js";
import type { FleetPane } from "../../fleet/panes.js";
import {
  agentsByPane,
  type RosterNow,
  refuseElsewhere,
  roleHolder,
  standingIn,
} from "../../fleet/roster/roster.js";
import { type AgentId, newAgentId } from "../../names/agent-id.js";
import type { Role, SessionId, TeamName } from "../../names/gates.js";
import { isSameSeat, type ServerKey } from "../../names/seat.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";

export interface Seating {
  pane: Pick<FleetPane, "id" | "address">;
  team: TeamName;
  role: Role | null;
  kind: string;
  /** Null for a shell. */
  session: SessionId | null;
  /** The agent, if it is known. */
  agent?: AgentId;
}

export interface Seated {
  agents: readonly AgentRow[];
  /** The row before; null for a new agent. */
  before: AgentRow | null;
  after: AgentRow;
}

export function seat(roster: RosterNow, seating: Seating, nowMs: number): Seated {
  const { agents, server } = roster;
  if (server === null) throw new HiveError("no tmux server is running", { hint: "hivemind restore" });
  const { pane, team, kind, session } = seating;
  refuseElsewhere(roster, team);
  const own = { server, pane: pane.id };
  const sitter = agents.find((agent) => agent.seat !== null && isSameSeat(agent.seat, own));
  const before = chosen(roster, seating, sitter) ?? null;
  if (before !== null && before.id !== sitter?.id) refuseSeated(roster, before);
  const role = seating.role ?? before?.role ?? null;
  const holder = roleHolder(roster, team, role);
  if (holder !== undefined && holder.id !== before?.id) throw roleTaken(roster, holder);
  const id = before?.id ?? newAgentId();
  const opened = session ?? before?.session ?? null;
  const isNew = before?.seat == null || !isSameSeat(before.seat, own) || before.session !== opened;
  const after: AgentRow = {
    id,
    team,
    role,
    kind: kind === "shell" ? "" : kind,
    session: opened,
    seat: own,
    address: pane.address,
    epoch: isNew ? Math.floor(nowMs / 1000) : before!.epoch,
  };
  const others = agents
    .filter((agent) => agent.id !== id)
    .map((agent) => (agent === sitter ? { ...agent, seat: null } : agent));
  return { agents: [...others, after], before, after };
}

/** For `registry set`: gives the pane's agent a role. A pane without an agent gets one. */
export function withRole(
  roster: RosterNow,
  wish: Seating & { role: Role },
  said: SessionId | null,
  nowMs: number,
): readonly AgentRow[] {
  const { pane, team, role, kind, session } = wish;
  const sitter = agentsByPane(roster).get(pane.id);
  const isOther = (agent: AgentRow | undefined) => agent !== undefined && agent.id !== sitter?.id;
  const holder = roleHolder(roster, team, role);
  if (isOther(holder)) throw roleTaken(roster, holder!);
  const ownerOf = (id: SessionId | null) =>
    id === null ? undefined : roster.agents.find((agent) => agent.session === id);
  // What the client reports counts more than what was typed.
  const typed = said === null || said === session ? session : null;
  const owner = ownerOf(typed);
  if (isOther(owner))
    throw new HiveError(`${owner!.role ?? `@${owner!.id}`} of ${owner!.team} has session ${session}`, {
      hint: `forget that agent first: hivemind agent forget @${owner!.id}`,
    });
  const fresh = sitter === undefined && ownerOf(said) === undefined ? said : null;
  const own = { ...wish, session: typed ?? fresh, kind: kind || sitter?.kind || "" };
  return seat(roster, sitter === undefined ? own : { ...own, agent: sitter.id }, nowMs).agents;
}

/** Undoes `seat`: the agent's previous row, or no row if there was none. */
export function unseat(roster: RosterNow, { before, after }: Seated): readonly AgentRow[] {
  if (before === null) return roster.agents.filter(({ id }) => id !== after.id);
  const isThere = before.seat === null || isOpen(roster.server, before);
  const back = isThere ? before : { ...before, seat: null };
  return roster.agents.map((agent) => (agent.id === after.id ? back : agent));
}

function isOpen(server: ServerKey | null, { seat: sits }: AgentRow): boolean {
  return server !== null && sits !== null && isSameSeat(sits, { server, pane: sits.pane });
}

function chosen(
  roster: RosterNow,
  { agent: named, team, role, session }: Seating,
  sitter: AgentRow | undefined,
): AgentRow | undefined {
  if (named !== undefined) return roster.agents.find(({ id }) => id === named);
  const holder = roleHolder(roster, team, role);
  if (holder !== undefined) return holder;
  const owner = roster.agents.find((agent) => session !== null && agent.session === session);
  if (owner !== undefined && standingIn(roster, owner) === "away") return owner;
  return role === null || sitter?.role === null ? sitter : undefined;
}

function refuseSeated(roster: RosterNow, agent: AgentRow): void {
  if (standingIn(roster, agent) !== "away") throw roleTaken(roster, agent);
}

/** A role is unique in its team, including agents that are away. */
export function roleTaken(roster: Pick<RosterNow, "server">, holder: AgentRow): HiveError {
  const name = holder.role ?? `@${holder.id}`;
  const place = holder.address ?? `@${holder.id}`;
  const standing = standingIn(roster, holder);
  if (standing === "away")
    return new HiveError(`${holder.team} already has an agent ${name}, which is away`, {
      hint: `bring it back: hivemind agent restart @${holder.id} – or forget it: hivemind agent forget @${holder.id}`,
    });
  if (standing === "elsewhere")
    return new HiveError(`${name} of ${holder.team} runs on another tmux server, in ${place}`, {
      hint: "choose another role",
    });
  return new HiveError(`${place} is ${name} already`, {
    hint: `choose another role, or rename that one first: hivemind agent rename ${place} ROLE`,
  });
}
