// What is told to type for who has no role. Pure.
//
// [NMH1] No name is advised for who stands at a place that is kept for another: it would be refused. What brings that one
//        back is told instead.

import type { Rows } from "../fleet/gone.js";
import type { Panes } from "../fleet/panes.js";
import type { UnnamedAgent } from "../fleet/refresh.js";
import { addressParts, type PaneAddress } from "../names/gates.js";
import { wayBack, whoseRows } from "../teams/kept.js";
import { shown } from "./output.js";

export function unnamedLines(
  self: string,
  panes: Panes,
  rows: Rows,
  unnamed: readonly UnnamedAgent[],
): string[] {
  return unnamed.flatMap(({ pane, why }) => [
    `unnamed: ${shown(pane)} (${shown(why)})`,
    `  ${howToName(panes, rows, pane, `${self} agent adopt ${shown(pane)} --role ROLE`)}`,
  ]);
}

/** `command` names who stands there, where that may be. */
export function howToName(panes: Panes, rows: Rows, address: PaneAddress, command: string): string {
  const isKept = whoseRows(panes, rows, address) === "awaited";
  return isKept ? shown(wayBack(panes, addressParts(address).team, address)) : command;
}
