// What an agent is doing, by its own word: its registry, else what its hooks reported.
//
// [AC1] A pane whose program ended is crashed, one without an agent a shell; of an agent that says nothing it is unknown.
// [AC2] Only the registry of the very process in the pane is asked.
// [AC3] Where there is no registry, the last hook report of that process tells.

import type { HookClaim } from "./hook-claims.js";
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

export function activityOf(
  pane: Pick<FleetPane, "dead" | "kind" | "live">,
  hook: HookClaim | null = null,
): Activity {
  if (pane.dead) return "crashed";
  if (pane.kind === "shell" || pane.kind === "monitor") return "shell";
  return pane.live?.activity ?? hook?.activity ?? "unknown";
}
