// Reads the agents' screens for what they are doing, and how their conversations end.
//
// - One spawn for any number of panes; none if no screen is needed.
// - A screen is needed if the agent reports nothing itself, if only its hooks report, or if it reports idle while
//   its screen matches a word of trouble, shows no input box or is too small to show a whole one.
// - A pane that closed meanwhile counts as not looked at.
// - A failed turn is reported for every agent that does not report busy or waiting, without reading its screen.

import type { SeenActivity } from "../../agents/agent.js";
import { agentOfKind } from "../../agents/all.js";
import { limits } from "../../limits.js";
import type { PaneId } from "../../names/gates.js";
import { screensOf } from "../../tmux/capture.js";
import type { Tmux } from "../../tmux/tmux.js";
import type { LastTurn } from "../../transcripts/transcript.js";
import { type HookClaim, type HookFindings, noHooks } from "../identity/hook-claims.js";
import type { FleetPane } from "../panes.js";
import { isOpenToScreen } from "./activity.js";
import { readLastTurn } from "./last-turn.js";

/** By pane, for screens that were read or whose last turn failed; null if an agent's screens cannot be read. */
export type SeenActivities = ReadonlyMap<PaneId, SeenActivity | null>;

export async function lookAtScreens(
  tmux: Tmux,
  panes: readonly FleetPane[],
  { claims }: Pick<HookFindings, "claims">,
  turnOf: (pane: FleetPane) => LastTurn | null,
  which: "open" | "all" = "open",
): Promise<SeenActivities> {
  const running = panes.filter(({ process }) => process !== null);
  const hookOf = ({ id }: FleetPane) => claims.get(id) ?? null;
  const wanted = running.filter((pane) => which === "all" || isLeftOpen(pane, hookOf(pane)));
  const screens = await screensOf(tmux, wanted, { escapes: true });
  const nowMs = Date.now();
  return new Map(
    running.flatMap((pane) => {
      const lines = screens.get(pane.id) ?? null;
      const agent = agentOfKind(pane.kind);
      if (agent === null || (lines === null && !isOpenToScreen(pane, hookOf(pane)))) return [];
      const seen = agent.screen?.readActivity(lines, nowMs, turnOf(pane)) ?? null;
      return lines === null && seen === null ? [] : [[pane.id, seen]];
    }),
  );
}

/** For panes that were listed without transcripts and hook reports. */
export function lookAtPanes(
  tmux: Tmux,
  panes: readonly FleetPane[],
  which: "open" | "all" = "open",
): Promise<SeenActivities> {
  return lookAtScreens(tmux, panes, noHooks, readLastTurn, which);
}

function isLeftOpen(pane: FleetPane, hook: HookClaim | null): boolean {
  const isToldIdle = pane.live?.activity === "idle";
  return isOpenToScreen(pane, hook) && (!isToldIdle || pane.matches || isSmall(pane));
}

function isSmall({ width, height }: FleetPane): boolean {
  return width < limits.boxColumns || height < limits.boxRows;
}
