// Which registered panes are not there any more. Pure.
//
// [GN1] A team that was not asked for, or does not run, loses nothing.
// [GN2] A mark that could not be followed still speaks for its row: its pane lives where no row can name it. Where another
//       pane has come to stand at that place, the row would be taken for that one's: it is gone.
// [GN3] A pane without a mark has no claim to a row that was written while this server ran: its pane was marked then,
//       so this one only came to stand there. In a tmux session where nothing is or was marked rows are taken at
//       their word, and so is a row that the pane's own title confirms.
// [GN4] A tmux session in which nothing is or was marked, while the rows of its team are older than the server, only
//       has the team's name: the team has not been brought back yet, and loses nothing.

import type { PaneAddress, Role } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import { isTeamMarked } from "./mark.js";
import { teamOf } from "./moves.js";
import type { FleetPane, Panes } from "./panes.js";

export function panesGone(
  fleet: Panes,
  rows: { roles: readonly RoleRow[]; sessions: readonly SessionRow[] },
  teams: ReadonlySet<string>,
  titledRole: (pane: FleetPane) => Role | null,
): PaneAddress[] {
  const places = new Map(
    fleet.panes.flatMap((pane) => [pane.address, ...pane.alsoAt].map((address) => [address, pane])),
  );
  const running = new Set([...places.keys()].map(teamOf));
  const unfollowed = new Set(
    fleet.panes.flatMap(({ mark }) =>
      mark === null || fleet.shifts.moved.has(mark.address) ? [] : [mark.address],
    ),
  );
  const markedTeams = teamsMarked(fleet);
  const roles = new Map(rows.roles.map((row) => [row.pane, row]));
  const awaited = awaitedTeams(fleet, rows.roles, markedTeams);

  function isLost(address: PaneAddress): boolean {
    const [pane, row] = [places.get(address), roles.get(address)];
    if (pane === undefined) return true;
    if (row === undefined || pane.mark !== null || !markedTeams.has(pane.sessionName)) return false;
    return wasMarked(fleet, row) && titledRole(pane) !== row.role;
  }

  /** One whose mark is followed brings its own row; of a running agent the row will be put right. */
  function isTaken(address: PaneAddress): boolean {
    const standing = places.get(address);
    if (standing === undefined || standing.mark === null) return standing !== undefined;
    const { mark, process } = standing;
    return process === null && mark.address !== address && unfollowed.has(mark.address);
  }

  const registered = new Set([...rows.roles, ...rows.sessions].map(({ pane }) => pane));
  return [...registered].filter((address) => {
    const team = teamOf(address);
    const isAsked = teams.has(team) && running.has(team) && !awaited.has(team);
    return isAsked && (unfollowed.has(address) ? isTaken(address) : isLost(address));
  });
}

export function awaitedTeams(
  fleet: Panes,
  roles: readonly RoleRow[],
  markedTeams: ReadonlySet<string> = teamsMarked(fleet),
): ReadonlySet<string> {
  const since = new Set(roles.filter((row) => wasMarked(fleet, row)).map(({ pane }) => teamOf(pane)));
  const teams = roles.filter(({ epoch }) => epoch !== null).map(({ pane }) => teamOf(pane));
  return new Set(teams.filter((team) => !markedTeams.has(team) && !since.has(team)));
}

function teamsMarked({ panes }: Panes): ReadonlySet<string> {
  const marked = panes.filter((pane) => pane.mark !== null || isTeamMarked(pane));
  return new Set(marked.map(({ sessionName }) => sessionName));
}

/** Whose pane was of an earlier server: nothing here was marked for it. */
export function isFromBefore({ server }: Panes, { epoch }: RoleRow): boolean {
  return server !== null && epoch !== null && epoch * 1000 < server.startedAtMs;
}

/** Row and mark are written inside `whileChanging`, so a look inside it sees both or neither. */
function wasMarked({ server }: Panes, { epoch }: RoleRow): boolean {
  return server !== null && epoch !== null && epoch * 1000 >= server.startedAtMs;
}
