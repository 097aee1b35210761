// Whether the agent in a saved agent's pane is that agent. Pure.

import type { FleetPane } from "../fleet/panes.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";

/** Whatever session it is in by now: by its mark, by the name its client has, or as a fork of what was saved. */
export function isItsAgent({ mark, name, arguments: told }: FleetPane, { role, uuid }: SnapshotRow): boolean {
  if (role !== null && (mark?.role ?? name) === role) return true;
  return uuid !== null && told?.forkedFrom === uuid;
}

export function strangerHint({ address }: FleetPane): string {
  const [move, end] = [`hivemind pane move ${address} TEAM`, `hivemind agent kill ${address}`];
  return `move it away (${move}) or end it (${end}), and restore again`;
}
