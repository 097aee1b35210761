// What an agent is doing, by its own word.
//
// [AC1] A pane whose program ended is crashed, one without an agent a shell; of an agent that says nothing it is unknown.
// [AC2] Only the registry of the very process in the pane is asked.

import type { FleetPane } from "./panes.js";

export type Activity =
  | "idle"
  | "busy"
  | "waiting"
  | "limited"
  | "error"
  | "context-low"
  | "crashed"
  | "shell"
  | "unknown";

export function activityOf(pane: Pick<FleetPane, "dead" | "kind" | "live">): Activity {
  if (pane.dead) return "crashed";
  if (pane.kind === "shell" || pane.kind === "monitor") return "shell";
  return pane.live?.activity ?? "unknown";
}
