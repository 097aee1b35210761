// The screens of agents, looked at for what they are doing.
//
// [AV1] However many are looked at, it is one spawn; none at all where nothing is left open.
// [AV2] Left open is what an agent does that tells nothing itself, that only its hooks tell of, or that calls itself
//       idle while its screen has words of trouble on it.
// [AV3] A pane that vanished meanwhile was not looked at.

import type { SeenActivity } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { PaneId } from "../names/gates.js";
import { capturePanes } from "../tmux/capture.js";
import type { Tmux } from "../tmux/tmux.js";
import { isOpenToScreen } from "./activity.js";
import type { HookClaim, HookFindings } from "./hook-claims.js";
import type { FleetPane } from "./panes.js";

/** By pane, of those that were looked at; null where nothing on the screen tells. */
export type SeenActivities = ReadonlyMap<PaneId, SeenActivity | null>;

export async function lookAtScreens(
  tmux: Tmux,
  panes: readonly FleetPane[],
  { claims }: Pick<HookFindings, "claims">,
  which: "open" | "all" = "open",
): Promise<SeenActivities> {
  const wanted = panes.filter(
    (pane) => pane.process !== null && (which === "all" || isLeftOpen(pane, claims.get(pane.id) ?? null)),
  );
  const screens = await capturePanes(
    tmux,
    wanted.map(({ id }) => id),
    { escapes: true },
  );
  const nowMs = Date.now();
  return new Map(
    wanted.flatMap(({ id, kind }) => {
      const screen = screens.get(id);
      const agent = agentOfKind(kind);
      if (screen === undefined || agent === null) return [];
      return [[id, agent.readActivity(screen.replace(/\n$/, "").split("\n"), nowMs)]];
    }),
  );
}

function isLeftOpen(pane: FleetPane, hook: HookClaim | null): boolean {
  const isToldIdle = pane.live?.activity === "idle";
  return isOpenToScreen(pane, hook) && (!isToldIdle || pane.matches);
}
