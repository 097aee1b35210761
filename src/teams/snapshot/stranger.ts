// Tells whether the agent in a saved agent's pane is that agent. Pure.

import type { FleetPane } from "../../fleet/panes.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";

/** In any session: by the roster, by the name in its client, or as a fork of the saved session. */
export function isItsAgent(
  { agent, name, arguments: given }: FleetPane,
  { role, uuid }: SnapshotRow,
): boolean {
  if (role !== null && (agent?.role ?? name) === role) return true;
  return uuid !== null && given?.forkedFrom === uuid;
}

export function strangerHint({ address }: FleetPane): string {
  const [move, end] = [`hivemind pane move ${address} TEAM`, `hivemind agent kill ${address}`];
  return `move it away (${move}) or end it (${end}), then restore again`;
}
