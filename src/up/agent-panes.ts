// Matches agents of the roster with agents of a team file, and finds their panes. Pure.
//
// - An agent that this project started is the file's agent with that name, whatever its name is now and wherever it
//   runs. Else the agent with that name in the team is.
// - An agent that another project started belongs to that project, also after it has ended.
// - Agents that this project started and the file no longer has are kept apart from other agents in the team.
// - An agent without a pane here comes back as itself, unless it runs on another tmux server. While its team runs
//   there, no agent of the team is started here.

import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { isAgent } from "../fleet/roster/role-of.js";
import { roleHolder, standingIn } from "../fleet/roster/roster.js";
import type { Role } from "../names/gates.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { type Launch, type Launches, launchIn } from "./launch.js";

export interface AgentPane {
  agent: AgentRow;
  pane: FleetPane;
  /** How this project started it; null if it did not. */
  launch: Launch | null;
  /** Another project that started it. */
  otherProject: string | null;
  /** Whether its agent runs. */
  isRunning: boolean;
}

/**
 * Whether the running agent is the one that this project started, not one that a person runs in a shell of the file.
 */
export function isStarted({ launch, isRunning }: AgentPane): boolean {
  return isRunning && launch !== null && launch.kind !== "shell";
}

/** The seat of an agent that the file no longer has. */
export type LeftSeat = AgentPane & { launch: Launch };

export interface Absent {
  agent: AgentRow;
  isElsewhere: boolean;
}

export interface AgentPanes {
  of(agent: Role): AgentPane | null;
  /** The agent with this name that has no pane on this server. */
  absent(agent: Role): Absent | null;
  /** The socket of another tmux server on which the team runs, or null. */
  otherServer: string | null;
  /** Started by this project, and no longer in its file. */
  left: readonly LeftSeat[];
  /** Agents in the team that are not this project's. */
  strangers: readonly FleetPane[];
}

export function findAgentPanes(
  { project, team, agents }: TeamFile,
  fleet: Fleet,
  launches: Launches,
): AgentPanes {
  const { roster } = fleet;
  const all = fleet.panes.flatMap((pane): AgentPane[] => {
    const { agent } = pane;
    if (agent === null) return [];
    const launch = launchIn(launches, pane);
    const isOwn = launch?.project === project;
    return [
      {
        agent,
        pane,
        launch: isOwn ? launch : null,
        otherProject: isOwn ? null : (launch?.project ?? null),
        isRunning: pane.process !== null && isAgent(pane),
      },
    ];
  });
  const inTeam = all.filter(({ pane }) => pane.sessionName === team);
  const standing = (agent: AgentRow) => standingIn(roster, agent);

  function of(name: Role): AgentPane | null {
    const own = all.filter(
      ({ launch, pane, isRunning }) => launch?.agent === name && (isRunning || pane.sessionName === team),
    );
    const named = inTeam.find(({ launch, agent }) => launch === null && agent.role === name);
    return own.find(({ isRunning }) => isRunning) ?? own[0] ?? named ?? null;
  }

  function absent(name: Role): Absent | null {
    const isOwn = ({ id }: AgentRow) => {
      const launch = launches.get(id);
      return launch?.project === project && launch.agent === name;
    };
    const missing = roster.agents.filter((each) => standing(each) !== "present");
    const agent = missing.find(isOwn) ?? roleHolder({ agents: missing }, team, name);
    return agent === undefined ? null : { agent, isElsewhere: agent.seat !== null };
  }

  const ids = new Set<string>(agents.map(({ id }) => id));
  const taken = new Set(agents.map(({ id }) => of(id)?.pane.id));
  const started = new Set(all.flatMap(({ launch, pane }) => (launch === null ? [] : pane.id)));
  const there = roster.agents.find((agent) => agent.team === team && standing(agent) === "elsewhere");
  return {
    of,
    absent,
    otherServer: inTeam.length === 0 ? (there?.seat?.server.socket ?? null) : null,
    left: inTeam.flatMap((seat) =>
      seat.launch === null || ids.has(seat.launch.agent) ? [] : [{ ...seat, launch: seat.launch }],
    ),
    strangers: fleet.panes.filter(
      (pane) =>
        pane.sessionName === team &&
        pane.process !== null &&
        isAgent(pane) &&
        !started.has(pane.id) &&
        !taken.has(pane.id),
    ),
  };
}
