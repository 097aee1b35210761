// Where the stores have a pane that a person named, once what moved is followed.
//
// [PD1] What is written by address is written for the pane that stands there now: while a move is not followed yet,
//       the rows and messages of that address belong to the pane that stood there before.
// [PD2] Of a pane that is gone the address is taken as it is: its rows outlive it.

import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { Hive } from "../hive.js";
import { addressParts, type PaneAddress, paneAddress, teamName } from "../names/gates.js";
import { whileChangingAll } from "./while-changing.js";

export async function placed(hive: Hive, typed: string): Promise<PaneAddress> {
  const seen = await hive.panes();
  const pane = hive.paneNamed(seen, typed);
  const address = rowAddress(pane);
  const { moved } = seen.shifts;
  if (moved.size === 0) return address;
  const team = teamName(pane.sessionName);
  // Also those it came from: who renames a team holds it by its old name.
  const teams = [...moved].flat().map((each) => addressParts(each).team);
  return whileChangingAll(hive, [team, ...teams], async () =>
    rowAddress(findPaneIn(await hive.followMoves(team), pane.id)),
  );
}

export async function placedOrGone(hive: Hive, typed: string): Promise<PaneAddress> {
  if (!typed.includes(":")) return placed(hive, typed);
  const address = paneAddress(typed);
  const { panes } = await hive.panes();
  return panes.some((pane) => pane.address === address) ? placed(hive, typed) : address;
}
