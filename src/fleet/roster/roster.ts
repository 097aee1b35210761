// The roster joined with a look at tmux: foreign edits are taken in, and each agent is placed where its pane is.
// Pure. A read shows the roster in this form; a change writes it.

import { HiveError } from "../../base/errors.js";
import type { ProcessReader } from "../../base/system/process.js";
import { type AgentId, newAgentId } from "../../names/agent-id.js";
import { isTeamName, type PaneId, type SessionId, type TeamName } from "../../names/gates.js";
import { isSameSeat, isSameServer, type ServerKey, serverKey } from "../../names/seat.js";
import type { RosterState } from "../../stores/roster.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { TmuxPane, TmuxServer } from "../../tmux/listing.js";
import type { FleetPane } from "../panes.js";
import { isAgent } from "./role-of.js";
import { foreignTeams, type Look, type SeenPane, type Settled, type Standing, settle } from "./settle.js";
import { type TakenIn, takeIn } from "./take-in.js";

export interface RosterNow extends Settled, Pick<TakenIn, "refused"> {
  /** The rows as S0 has them. */
  stored: readonly AgentRow[];
  server: ServerKey | null;
}

export function rosterNow(
  { agents: stored, edits }: RosterState,
  look: Look,
  newId: () => AgentId = newAgentId,
): RosterNow {
  const { agents, refused } = takeIn(stored, edits, look, newId);
  return { ...settle(agents, look), refused, stored, server: look.server };
}

/** For a settled agent: an away one has no seat. */
export function standingIn({ server }: Pick<RosterNow, "server">, { seat }: AgentRow): Standing {
  if (seat === null) return "away";
  return server !== null && isSameServer(seat.server, server) ? "present" : "elsewhere";
}

/** The agent in each pane of the asked server. */
export function agentsByPane(roster: Pick<RosterNow, "agents" | "server">): ReadonlyMap<PaneId, AgentRow> {
  const present = roster.agents.filter((agent) => standingIn(roster, agent) === "present");
  return new Map(present.map((agent) => [agent.seat!.pane, agent]));
}

/** Whether this team runs on another server: a team name belongs to one living tmux server. */
export function runsElsewhere(roster: Pick<RosterNow, "agents" | "server">, team: string): boolean {
  return foreignTeams(roster.agents, (agent) => standingIn(roster, agent)).has(team);
}

export function refuseElsewhere(roster: Pick<RosterNow, "agents" | "server">, team: string): void {
  if (!runsElsewhere(roster, team)) return;
  throw new HiveError(`the team ${team} runs on another tmux server`, {
    hint: `rename this tmux session: hivemind team rename ${team} NAME`,
  });
}

/** The agent with this role, present or away. */
export function roleHolder(
  { agents }: Pick<RosterNow, "agents">,
  team: string,
  role: string | null,
): AgentRow | undefined {
  return role === null ? undefined : agents.find((each) => each.team === team && each.role === role);
}

type UnjoinedPane = Omit<FleetPane, "agent">;

export function lookOf(
  { server, panes }: { server: TmuxServer | null; panes: readonly UnjoinedPane[] },
  processes: Pick<ProcessReader, "findProcess">,
): Look {
  const own = serverKey({ socketPath: "", pid: 0, startedAtMs: 0 }).namespace;
  return {
    server: server && serverKey(server),
    panes: panes.map(seenPane),
    nowMs: Date.now(),
    // A server of another pid namespace cannot be seen from here.
    isLiving: ({ pid, startedAt, namespace }) => {
      if (namespace !== own) return false;
      const found = processes.findProcess(pid);
      const isNear = found !== null && Math.abs(found.startedAtMs / 1000 - startedAt) < clockSlackSeconds;
      return isNear && found.command.startsWith("tmux");
    },
  };
}

/** For a look that is older than the roster: whether an agent got another seat since. */
export function seatedSince({ stored }: Pick<RosterNow, "stored">): NonNullable<Look["isSeatedLater"]> {
  const seats = new Map(stored.map(({ id, seat }) => [id, seat]));
  return ({ id, seat }) => {
    const known = seats.get(id);
    return seat !== null && (!known || !isSameSeat(known, seat));
  };
}

/** A process's start time depends on the system clock, which may have been set since. */
const clockSlackSeconds = 3600;

function seenPane(pane: UnjoinedPane): SeenPane {
  const team = isTeamName(pane.sessionName) ? pane.sessionName : null;
  return {
    id: pane.id,
    address: team === null ? null : pane.address,
    team,
    carriedTeam: carriedTeam(pane),
    sessionCreatedAt: Math.floor(pane.sessionCreatedMs / 1000),
    kind: isAgent(pane) ? pane.kind : "",
    session: reportedSession(pane),
  };
}

/** The session that the client itself reports. None if its registry file and its arguments differ. */
export function reportedSession({
  showsList,
  live,
  claimed,
  arguments: given,
}: Pick<FleetPane, "showsList" | "live" | "claimed" | "arguments">): SessionId | null {
  if (showsList || (live === null && claimed !== undefined)) return null;
  return live?.sessionId ?? given?.began ?? null;
}

/** The option is `<tmux session id>|<team>`; a value with another id was inherited. */
export function carriedTeam({ sessionId, team }: Pick<TmuxPane, "sessionId" | "team">): TeamName | null {
  const [id, name = "", ...more] = team.split("|");
  return id === sessionId && more.length === 0 && isTeamName(name) ? name : null;
}
