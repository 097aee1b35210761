// Places each agent after a look at tmux. Pure; nothing else moves an agent.
//
// Only the seat decides where an agent is, because pane ids never repeat while their server lives.
//
// [RST1] An agent is present if its seat is on the asked tmux server and the server lists its pane, running or dead.
// [RST2] An agent is elsewhere if its seat is on another server that lives. Nothing changes it from here.
// [RST3] Every other agent is away. It keeps everything it has, whichever agent is in its old place.
// [STL1] A present agent has the team and the address of its pane.
// [STL2] A tmux session that carries another team's name was renamed. The away agents of that team follow it.
// [STL3] A client that reports the session of an away agent gives its pane to that agent. The previous agent of the
//        pane becomes away.
// [STL4] A client that has the session of an agent in another pane is a double, unless that agent's client reports
//        another session. A double is reported, and nothing changes.
// [STL5] If tmux brings two agents with one role into one team, the one that arrived keeps its id and loses its
//        role.
// [STL6] An away agent has no seat. A second look changes nothing.
// [STL7] A look does not judge a seat that was taken after it.
// [STL8] A team name belongs to one living server. Panes of that name on another server get no agent.

import {
  addressOf,
  addressParts,
  type PaneAddress,
  type PaneId,
  type Role,
  type SessionId,
  type TeamName,
} from "../../names/gates.js";
import { isSameServer, type ServerKey } from "../../names/seat.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";

export type Standing = "present" | "elsewhere" | "away";

/** What a look at tmux says about seats. */
export interface Seats {
  /** Null if no server runs. */
  server: ServerKey | null;
  panes: ReadonlySet<PaneId>;
  /** Whether another server still lives. */
  isLiving(server: ServerKey): boolean;
}

/** One pane in a look. */
export interface SeenPane {
  id: PaneId;
  /** Null if no row can store the address. */
  address: PaneAddress | null;
  team: TeamName | null;
  /** The team that its tmux session carries; null for none. */
  carriedTeam: TeamName | null;
  /** When its tmux session was created, in seconds. */
  sessionCreatedAt: number;
  /** "" if no agent runs. */
  kind: string;
  /** The session that its client reports by its registry, its hooks or its arguments. */
  session: SessionId | null;
}

export interface Look extends Omit<Seats, "panes"> {
  panes: readonly SeenPane[];
  nowMs: number;
  /** Whether an agent got its seat after the look (default: no). */
  isSeatedLater?(agent: Pick<AgentRow, "id" | "seat">): boolean;
}

export interface Settled {
  agents: readonly AgentRow[];
  renamed: readonly RenamedTeam[];
  doubles: readonly { session: SessionId; pane: PaneId; holder: AgentRow }[];
  /** Agents that lost their role, with the agent that has it. */
  roleless: readonly { agent: AgentRow; role: Role; holder: AgentRow }[];
}

export interface RenamedTeam {
  from: TeamName;
  to: TeamName;
}

export function settle(before: readonly AgentRow[], look: Look): Settled {
  const standing = standings(look);
  const renamed = renamedTeams(look.panes);
  const unseated = before.map((agent) =>
    standing(agent) === "away" ? withTeam(withoutSeat(agent), renamed) : agent,
  );
  const byPane = new Map(look.panes.map((pane) => [pane.id, pane]));
  const placed = (agent: AgentRow) => {
    const pane = standing(agent) === "present" ? byPane.get(agent.seat!.pane) : undefined;
    return pane === undefined ? agent : atPane(agent, pane);
  };
  const seatOnce = (agents: readonly AgentRow[]) => takeSeats(agents.map(placed), look, standing);
  let seated = seatOnce(unseated);
  // An agent that lost its seat to another may be in the next pane.
  while (seated.hasNews) seated = seatOnce(seated.agents);
  const { doubles } = seated;
  const { agents, roleless } = withoutDoubleRoles(before, seated.agents);
  return { agents, renamed, doubles, roleless };
}

export function standingOf({ seat }: Pick<AgentRow, "seat">, seats: Seats): Standing {
  if (seat === null) return "away";
  if (seats.server !== null && isSameServer(seat.server, seats.server))
    return seats.panes.has(seat.pane) ? "present" : "away";
  return seats.isLiving(seat.server) ? "elsewhere" : "away";
}

/** Where each agent is, by this look. */
export function standings(look: Look): (agent: Pick<AgentRow, "id" | "seat">) => Standing {
  const seats: Seats = { ...look, panes: new Set(look.panes.map(({ id }) => id)) };
  return (agent) => {
    const found = standingOf(agent, seats);
    const isLater = found === "away" && agent.seat !== null && look.isSeatedLater?.(agent) === true;
    return isLater ? "present" : found;
  };
}

/** Teams that run on another living server and not here. */
export function foreignTeams(
  agents: readonly AgentRow[],
  standing: (agent: AgentRow) => Standing,
): ReadonlySet<string> {
  const foreign = new Set<string>(agents.filter((a) => standing(a) === "elsewhere").map(({ team }) => team));
  for (const agent of agents) if (standing(agent) === "present") foreign.delete(agent.team);
  return foreign;
}

function renamedTeams(panes: readonly SeenPane[]): RenamedTeam[] {
  const renamed = new Map<TeamName, TeamName>();
  for (const { team, carriedTeam } of panes)
    if (team !== null && carriedTeam !== null && team !== carriedTeam && !renamed.has(carriedTeam))
      renamed.set(carriedTeam, team);
  // If a tmux session of the old name still carries it, the team was not renamed: the other session is a copy.
  for (const { team, carriedTeam } of panes) if (team !== null && team === carriedTeam) renamed.delete(team);
  return [...renamed].map(([from, to]) => ({ from, to }));
}

export function withTeam(agent: AgentRow, renamed: readonly RenamedTeam[]): AgentRow {
  const to = renamed.find(({ from }) => from === agent.team)?.to;
  if (to === undefined) return agent;
  const { address } = agent;
  if (address === null) return { ...agent, team: to };
  const { window, pane } = addressParts(address);
  return { ...agent, team: to, address: addressOf(to, window, pane) as PaneAddress };
}

function withoutSeat(agent: AgentRow): AgentRow {
  return agent.seat === null ? agent : { ...agent, seat: null };
}

function takeSeats(
  agents: readonly AgentRow[],
  { server, panes, nowMs }: Look,
  standing: (agent: AgentRow) => Standing,
): Pick<Settled, "agents" | "doubles"> & { hasNews: boolean } {
  const now = new Map(agents.map((agent) => [agent.id, agent]));
  const foreign = foreignTeams(agents, standing);
  const sitters = new Map<PaneId, AgentRow>();
  const holders = new Map<SessionId, AgentRow>();
  for (const agent of agents) {
    if (standing(agent) === "present") sitters.set(agent.seat!.pane, agent);
    if (agent.session !== null && (!holders.has(agent.session) || agent.seat !== null))
      holders.set(agent.session, agent);
  }
  const doubles: Settled["doubles"][number][] = [];
  const reportedIn = new Map(panes.map(({ id, session }) => [id, session]));
  for (const { id, session, team } of panes) {
    if (session === null || server === null || (team !== null && foreign.has(team))) continue;
    const holder = holders.get(session);
    const sitter = sitters.get(id);
    if (holder === undefined || sitter?.session === session) continue;
    if (standing(holder) !== "away") {
      const own = standing(holder) === "present" ? (reportedIn.get(holder.seat!.pane) ?? session) : session;
      if (own === session) doubles.push({ session, pane: id, holder });
      continue;
    }
    if (sitter !== undefined) now.set(sitter.id, withoutSeat(sitter));
    const seated = { ...holder, seat: { server, pane: id }, epoch: Math.floor(nowMs / 1000) };
    now.set(holder.id, seated);
    sitters.set(id, seated);
    holders.set(session, seated);
  }
  const hasNews = agents.some((agent) => now.get(agent.id) !== agent);
  return { agents: [...now.values()], doubles, hasNews };
}

function atPane(agent: AgentRow, { address, team, kind }: SeenPane): AgentRow {
  const now = { ...agent, address, team: team ?? agent.team, kind: kind === "" ? agent.kind : kind };
  const isSame = now.address === agent.address && now.team === agent.team && now.kind === agent.kind;
  return isSame ? agent : now;
}

/** A role is unique in its team, among present and away agents. */
function withoutDoubleRoles(
  before: readonly AgentRow[],
  agents: readonly AgentRow[],
): Pick<Settled, "agents" | "roleless"> {
  const teamBefore = new Map(before.map(({ id, team }) => [id, team]));
  const hasCome = ({ id, team }: AgentRow) => teamBefore.get(id) !== team;
  if (!agents.some((agent) => agent.role !== null && hasCome(agent))) return { agents, roleless: [] };
  const roleless: Settled["roleless"][number][] = [];
  const settled = agents.map((agent, at) => {
    const { id, role, team } = agent;
    if (role === null || !hasCome(agent)) return agent;
    // If two arrived together, the first keeps the role.
    const holder = agents.find(
      (other, otherAt) =>
        other.id !== id && other.team === team && other.role === role && (!hasCome(other) || otherAt < at),
    );
    if (holder === undefined) return agent;
    roleless.push({ agent, role, holder });
    return { ...agent, role: null };
  });
  return { agents: settled, roleless };
}
