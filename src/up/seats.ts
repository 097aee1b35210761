// Which pane belongs to which agent of a team file. Pure.
//
// [UE1] A pane that was started for an agent of this project is its seat, whatever it is called by now, and wherever it runs.
// [UE2] Else the pane of the team that has the agent's name is: one that was restored, or that somebody else started. What
//       another project started there is that project's, also when it has ended.
// [UE3] What this project started and the file does not have is told apart from what others have in the team.

import type { Rows } from "../fleet/gone.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { shownRoles } from "../fleet/resolve.js";
import { isAgent } from "../fleet/role-of.js";
import type { Role } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { type Launch, parseLaunch } from "./launch.js";

export interface Seat {
  pane: FleetPane;
  /** How this project started what is in it; null where it did not. */
  launch: Launch | null;
  /** Which other project started what is or was in it. */
  otherProject: string | null;
  /** Its agent runs. */
  isRunning: boolean;
}

/** What runs in it is the agent that this project started, and not one that a person runs in a shell of the file. */
export function isStarted({ launch, isRunning }: Seat): boolean {
  return isRunning && launch !== null && launch.kind !== "shell";
}

/** Of an agent that the file does not have. */
export type LeftSeat = Seat & { launch: Launch };

export interface Seats {
  of(agent: Role): Seat | null;
  /** Started by this project, and not in its file any more. */
  left: readonly LeftSeat[];
  /** Agents in the team that are none of this project's. */
  strangers: readonly FleetPane[];
}

export function findSeats({ project, team, agents }: TeamFile, fleet: Fleet, rows: Rows): Seats {
  const roleOf = shownRoles(fleet, rows);
  const all = fleet.panes.map((pane): Seat => {
    const launch = parseLaunch(pane);
    const isOwn = launch?.project === project;
    return {
      pane,
      launch: isOwn ? launch : null,
      otherProject: isOwn ? null : (launch?.project ?? null),
      isRunning: pane.process !== null && isAgent(pane),
    };
  });
  const inTeam = all.filter(({ pane }) => pane.sessionName === team);
  const firstOf = (found: readonly Seat[]) => found.find(({ isRunning }) => isRunning) ?? found[0] ?? null;

  function of(agent: Role): Seat | null {
    const own = all.filter(
      ({ launch, pane, isRunning }) => launch?.agent === agent && (isRunning || pane.sessionName === team),
    );
    const named = inTeam.filter(({ launch, pane }) => launch === null && roleOf(pane) === agent);
    const free = named.filter(({ otherProject }) => otherProject === null);
    return firstOf(own) ?? firstOf(free) ?? firstOf(named);
  }

  const ids = new Set<string>(agents.map(({ id }) => id));
  const taken = new Set(agents.map(({ id }) => of(id)?.pane.id));
  return {
    of,
    left: inTeam.flatMap((seat) =>
      seat.launch === null || ids.has(seat.launch.agent) ? [] : [{ ...seat, launch: seat.launch }],
    ),
    strangers: inTeam
      .filter(({ launch, pane, isRunning }) => isRunning && launch === null && !taken.has(pane.id))
      .map(({ pane }) => pane),
  };
}
