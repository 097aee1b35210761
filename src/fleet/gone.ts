// What becomes of rows whose pane carries no mark for them: kept, gone, or waiting for who is brought back. Pure.
//
// [GN1] A tmux session that does not run loses nothing, and of those that run only a team that was asked for does.
// [GN2] A mark that could not be followed still speaks for its row: its pane lives where no row can name it. Where another
//       pane has come to stand at that place, the row would be taken for that one's: it is gone.
// [GN3] A row that was written while its tmux session stood, in which panes are or were marked, was of a marked pane:
//       where no mark speaks for it that pane is gone, and one without a mark only came to stand there.
// [GN4] Any other row with a time is of an earlier tmux session that had this name; so may be one of which the clock says
//       that it is still to come. It waits for who is brought back: it is not lost, and nobody who stands there is taken
//       for its agent. One whose session runs elsewhere waits no more. A session's row alone has no time: it waits with
//       the others of its team.
// [GN5] A row that the pane's own title or session confirms is that pane's: what its client says of itself, else what it
//       was started with. One without a time was written by a person, and holds for whoever stands there.

import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import { isTeamMarked } from "./mark.js";
import type { FleetPane, Panes } from "./panes.js";
import { tmuxSessionOf } from "./shifts.js";

/** Who is where. */
export interface Rows {
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
}

export interface Judged {
  gone: ReadonlySet<PaneAddress>;
  awaited: ReadonlyMap<PaneAddress, Role>;
  /** Where a session alone waits, and who stands there is another. */
  awaitedAlone: ReadonlySet<PaneAddress>;
}

export type Seen = Pick<Panes, "panes" | "shifts" | "takenAtMs">;

type Fate = "kept" | "gone" | "awaited";

/** Whether a row for which nobody speaks is of an agent that can be brought back (GN4). */
export function earlierRows(
  { panes, takenAtMs }: Pick<Seen, "panes" | "takenAtMs">,
  sessions: readonly SessionRow[],
): (row: Pick<RoleRow, "pane" | "epoch">) => boolean {
  const createdMs = new Map(panes.map((pane) => [pane.sessionName, pane.sessionCreatedMs]));
  const marked = new Set(
    panes.filter((pane) => pane.mark !== null || isTeamMarked(pane)).map(({ sessionName }) => sessionName),
  );
  const sessionAt = new Map(sessions.map(({ pane, uuid }) => [pane, uuid]));
  const running = new Set(panes.flatMap((pane) => ownSession(pane) ?? []));
  return ({ pane, epoch }) => {
    if (epoch === null) return false;
    const team = tmuxSessionOf(pane);
    const writtenMs = epoch * 1000;
    const isOfThis = marked.has(team) && writtenMs >= createdMs.get(team)! && writtenMs <= takenAtMs;
    return !isOfThis && !running.has(sessionAt.get(pane)!);
  };
}

/** Of all tmux sessions that run. `rows` are where their panes are now. */
export function judgeRows(
  { panes, shifts, takenAtMs }: Seen,
  { roles, sessions }: Rows,
  titledRole: (pane: FleetPane) => Role | null,
): Judged {
  const places = new Map(
    panes.flatMap((pane) => [pane.address, ...pane.alsoAt].map((address) => [address, pane])),
  );
  const standingTeams = new Set([...places.keys()].map(tmuxSessionOf));
  const unfollowed = new Set(
    panes.flatMap(({ mark }) => (mark === null || shifts.moved.has(mark.address) ? [] : [mark.address])),
  );
  const isEarlier = earlierRows({ panes, takenAtMs }, sessions);
  const sessionAt = new Map(sessions.map(({ pane, uuid }) => [pane, uuid]));

  function fateOf({ pane: address, role, epoch }: RoleRow): Fate {
    const team = tmuxSessionOf(address);
    if (!standingTeams.has(team)) return "kept";
    const standing = places.get(address);
    if (unfollowed.has(address)) return isTaken(standing, address) ? "gone" : "kept";
    if (standing !== undefined && standing.mark !== null) return "kept";
    if (epoch === null) return standing === undefined ? "gone" : "kept";
    if (standing !== undefined && (titledRole(standing) === role || isConfirmed(standing, address)))
      return "kept";
    return isEarlier({ pane: address, epoch }) ? "awaited" : "gone";
  }

  /** One whose mark is followed brings its own row; of a running agent the row will be put right. */
  function isTaken(standing: FleetPane | undefined, address: PaneAddress): boolean {
    if (standing === undefined || standing.mark === null) return standing !== undefined;
    const { mark, process } = standing;
    return process === null && mark.address !== address && unfollowed.has(mark.address);
  }

  function isConfirmed(pane: FleetPane, address: PaneAddress): boolean {
    const own = ownSession(pane);
    return own !== null && own === sessionAt.get(address);
  }

  const fates = roles.map((row) => ({ ...row, fate: fateOf(row) }));
  const awaited = new Map(
    fates.filter(({ fate }) => fate === "awaited").map(({ pane, role }) => [pane, role]),
  );
  const named = new Set(roles.map(({ pane }) => pane));
  const waiting = new Set([...awaited.keys()].map(tmuxSessionOf));

  const alone = sessions.map(({ pane }) => pane).filter((address) => !named.has(address));

  function isLost(address: PaneAddress): boolean {
    const team = tmuxSessionOf(address);
    if (!standingTeams.has(team) || waiting.has(team)) return false;
    const standing = places.get(address);
    return unfollowed.has(address) ? isTaken(standing, address) : standing === undefined;
  }

  function isAwaitedAlone(address: PaneAddress): boolean {
    const standing = places.get(address);
    return waiting.has(tmuxSessionOf(address)) && standing?.mark === null && !isConfirmed(standing, address);
  }

  const gone = fates.filter(({ fate }) => fate === "gone").map(({ pane }) => pane);
  return {
    gone: new Set([...gone, ...alone.filter(isLost)]),
    awaited,
    awaitedAlone: new Set(alone.filter(isAwaitedAlone)),
  };
}

function ownSession({ live, arguments: started }: FleetPane): SessionId | null {
  return live?.sessionId ?? started?.began ?? null;
}
