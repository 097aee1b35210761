// What becomes of rows whose pane carries no mark for them: kept, gone, or waiting for who is brought back. Pure.
//
// [GN1] A tmux session that does not run loses nothing, and of those that run only a team that was asked for does.
// [GN2] A mark that could not be followed still speaks for its row: its pane lives where no row can name it. Where another
//       pane has come to stand at that place, the row would be taken for that one's: it is gone.
// [GN3] A row that was written while its tmux session stood, in which panes are or were marked, was of a marked pane:
//       where no mark speaks for it that pane is gone, and one without a mark only came to stand there.
// [GN4] Any other row with a time is of an earlier tmux session that had this name. It waits for who is brought back: it
//       is not lost, and nobody who stands there is taken for its agent. One whose session runs elsewhere waits no more.
// [GN5] A row that the pane's own title or session confirms is that pane's. One without a time was written by a person,
//       and holds for whoever stands there.

import type { PaneAddress, Role } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import { isTeamMarked } from "./mark.js";
import { type Rows, teamOf } from "./moves.js";
import type { FleetPane, Panes } from "./panes.js";

export interface Judged {
  gone: ReadonlySet<PaneAddress>;
  awaited: ReadonlyMap<PaneAddress, Role>;
}

type Fate = "kept" | "gone" | "awaited";

/** Of all tmux sessions that run. `rows` are where their panes are now. */
export function judgeRows(
  { panes, shifts }: Pick<Panes, "panes" | "shifts">,
  { roles, sessions }: Rows,
  titledRole: (pane: FleetPane) => Role | null,
): Judged {
  const places = new Map(
    panes.flatMap((pane) => [pane.address, ...pane.alsoAt].map((address) => [address, pane])),
  );
  const running = new Set([...places.keys()].map(teamOf));
  const unfollowed = new Set(
    panes.flatMap(({ mark }) => (mark === null || shifts.moved.has(mark.address) ? [] : [mark.address])),
  );
  const createdMs = new Map(panes.map((pane) => [pane.sessionName, pane.sessionCreatedMs]));
  const marked = new Set(
    panes.filter((pane) => pane.mark !== null || isTeamMarked(pane)).map(({ sessionName }) => sessionName),
  );
  const sessionAt = new Map(sessions.map(({ pane, uuid }) => [pane, uuid]));
  const live = new Set(panes.flatMap((pane) => pane.live?.sessionId ?? []));

  function fateOf({ pane: address, role, epoch }: RoleRow): Fate {
    const team = teamOf(address);
    if (!running.has(team)) return "kept";
    const standing = places.get(address);
    if (unfollowed.has(address)) return isTaken(standing, address) ? "gone" : "kept";
    if (standing !== undefined && standing.mark !== null) return "kept";
    if (epoch === null) return standing === undefined ? "gone" : "kept";
    if (standing !== undefined && isConfirmed(standing, address, role)) return "kept";
    const isOfThis = marked.has(team) && epoch * 1000 >= createdMs.get(team)!;
    return isOfThis || live.has(sessionAt.get(address)!) ? "gone" : "awaited";
  }

  /** One whose mark is followed brings its own row; of a running agent the row will be put right. */
  function isTaken(standing: FleetPane | undefined, address: PaneAddress): boolean {
    if (standing === undefined || standing.mark === null) return standing !== undefined;
    const { mark, process } = standing;
    return process === null && mark.address !== address && unfollowed.has(mark.address);
  }

  function isConfirmed(pane: FleetPane, address: PaneAddress, role: Role): boolean {
    return (
      titledRole(pane) === role || (pane.live !== null && pane.live.sessionId === sessionAt.get(address))
    );
  }

  const fates = roles.map((row) => ({ ...row, fate: fateOf(row) }));
  const awaited = new Map(
    fates.filter(({ fate }) => fate === "awaited").map(({ pane, role }) => [pane, role]),
  );
  const named = new Set(roles.map(({ pane }) => pane));
  const waiting = new Set([...awaited.keys()].map(teamOf));

  /** A session's row alone has no time: it waits with the others of its team. */
  function isLost({ pane: address }: SessionRow): boolean {
    const team = teamOf(address);
    if (named.has(address) || !running.has(team) || waiting.has(team)) return false;
    const standing = places.get(address);
    return unfollowed.has(address) ? isTaken(standing, address) : standing === undefined;
  }

  const gone = [...fates.filter(({ fate }) => fate === "gone"), ...sessions.filter(isLost)];
  return { gone: new Set(gone.map(({ pane }) => pane)), awaited };
}
