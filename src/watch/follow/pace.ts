// When `top` looks again. Pure.
//
// A look is followed by a rest many times as long as it cost (watch/look-cost.ts): a small share of a core for any size
// of fleet.

import type { FleetView } from "../../hive/view-fleet.js";
import { limits } from "../../limits.js";
import { restAfter } from "../loop.js";

/** From the least to the most urgent. At once is for what a person did: nobody does that many times a second. */
export const hastes = ["calm", "soon", "now", "at once"] as const;
export type Haste = (typeof hastes)[number];

export function moreUrgent(a: Haste, b: Haste): Haste {
  return hastes.indexOf(a) >= hastes.indexOf(b) ? a : b;
}

/** From the end of one look to the next. */
export function restBefore(haste: Haste, lookMs: number): number {
  const { restMs, untilTickMs } = restAfter(lookMs, limits.topTickMs);
  switch (haste) {
    case "at once":
      return 0;
    case "now":
      return restMs;
    case "soon":
      return untilTickMs;
    case "calm":
      return Math.max(limits.topCalmMs, Math.min(3 * untilTickMs, limits.watchRestCapMs));
  }
}

/** Nobody works, and everybody would report the beginning of work themselves. */
export function isCalm({ teams, background }: FleetView): boolean {
  const isBusy = ({ activity }: { activity: string | null }) => activity === "busy";
  const reports = ["registry", "request", "tmux"];
  return (
    !background.some(isBusy) &&
    teams.every(({ agents }) =>
      agents.every(
        (agent) =>
          !isBusy(agent) &&
          (agent.paneId === null || agent.activityEvidence.some(({ source }) => reports.includes(source))),
      ),
    )
  );
}
