// Where the stores have a pane that a person named, once what moved is followed.
//
// [PD1] What is written by address is written for the pane that stands there now: while a move is not followed yet,
//       the rows and messages of that address belong to the pane that stood there before.
// [PD2] Of a pane that is gone the address is taken as it is: its rows outlive it.

import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import { addressParts, type PaneAddress, paneAddress, type TeamName, teamName } from "../names/gates.js";
import { whileChangingAll } from "./while-changing.js";

export async function placed(hive: Hive, typed: string): Promise<PaneAddress> {
  const seen = await hive.panes();
  return placedIn(hive, seen, hive.paneNamed(seen, typed));
}

/** The same for a pane that was found already, in a look of a moment ago. */
export async function placedIn(hive: Hive, seen: Panes, pane: FleetPane): Promise<PaneAddress> {
  rowAddress(pane, hive.tmux.server);
  const now = await followed(hive, seen, [teamName(pane.sessionName)]);
  return rowAddress(findPaneIn(now, pane.id), hive.tmux.server);
}

export async function placedOrGone(hive: Hive, typed: string): Promise<PaneAddress> {
  if (!typed.includes(":")) return placed(hive, typed);
  const address = paneAddress(typed);
  const seen = await hive.panes();
  const pane = seen.panes.find((each) => each.address === address);
  return pane === undefined ? address : placedIn(hive, seen, pane);
}

/** The panes, once the rows of these teams stand where they are and name the sessions that the clients name. */
export async function followed(hive: Hive, seen: Panes, teams: readonly TeamName[]): Promise<Panes> {
  const touched = teamsTouched(seen);
  const news = hive.newsIn(seen).filter((team) => teams.includes(team));
  if (touched.length === 0 && news.length === 0) return seen;
  return whileChangingAll(hive, [...teams, ...touched], async () => {
    let now = seen;
    for (const team of teams) now = await hive.followMoves(team);
    return now;
  });
}

/** Whose panes moved: also those they came from, for who renames a team holds it by its old name. */
export function teamsTouched({ shifts }: Panes): TeamName[] {
  return [...shifts.moved].flat().map((each) => addressParts(each).team);
}
