// The screens of agents, looked at for what they are doing, and how their conversations end.
//
// [AV1] However many are looked at, it is one spawn; none at all where nothing is left open.
// [AV2] Left open is what an agent does that tells nothing itself, that only its hooks tell of, or that calls itself
//       idle while its screen has words of trouble on it, or no input box, or is so small that half a box may be seen.
// [AV3] A pane that vanished meanwhile was not looked at.
// [AV4] A failed turn is told of every agent that does not say that it works or waits, without a look at its screen.

import type { SeenActivity } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { capturePanes } from "../tmux/capture.js";
import type { Tmux } from "../tmux/tmux.js";
import type { LastTurn } from "../transcripts/transcript.js";
import { isOpenToScreen } from "./activity.js";
import { type HookClaim, type HookFindings, noHooks } from "./hook-claims.js";
import { readLastTurn } from "./last-turn.js";
import type { FleetPane } from "./panes.js";

/** By pane, of those that were looked at or whose last turn failed; null where an agent's screens cannot be read. */
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
  const screens = await capturePanes(
    tmux,
    wanted.map(({ id }) => id),
    { escapes: true },
  );
  const nowMs = Date.now();
  return new Map(
    running.flatMap((pane) => {
      const screen = screens.get(pane.id);
      const agent = agentOfKind(pane.kind);
      if (agent === null || (screen === undefined && !isOpenToScreen(pane, hookOf(pane)))) return [];
      const lines = screen?.replace(/\n$/, "").split("\n") ?? null;
      const seen = agent.readActivity(lines, nowMs, turnOf(pane));
      return lines === null && seen === null ? [] : [[pane.id, seen]];
    }),
  );
}

/** Of panes that were listed without transcripts and hook reports. */
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
