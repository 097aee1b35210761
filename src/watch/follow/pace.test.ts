import { expect, test } from "vitest";
import type { AgentView } from "../../fleet/view.js";
import type { FleetView } from "../../hive/view-fleet.js";
import { limits } from "../../limits.js";
import { hastes, isCalm, moreUrgent, restBefore } from "./pace.js";

test("the more urgent a look, the shorter the rest before it", () => {
  for (const lookMs of [5, 50, 500, 5_000]) {
    const rests = hastes.map((haste) => restBefore(haste, lookMs));
    expect(rests).toEqual(rests.toSorted((a, b) => b - a));
  }
});

test.each([
  ["calm", 10, limits.topCalmMs],
  ["soon", 10, limits.topTickMs],
  ["soon", 100, 100 * limits.watchRestAfterTick],
  ["now", 10, limits.watchGapMs],
  ["now", 100, 100 * limits.watchRestAfterChange],
  ["at once", 100, 0],
] as const)("%s after a look of %i ms: %i ms", (haste, lookMs, restMs) => {
  expect(restBefore(haste, lookMs)).toBe(restMs);
});

test("a request during a pause is not forgotten for something less urgent", () => {
  expect(moreUrgent("now", "soon")).toBe("now");
  expect(moreUrgent("calm", "soon")).toBe("soon");
});

function fleetOf(...agents: Pick<AgentView, "activity" | "activityEvidence" | "paneId">[]): FleetView {
  return { teams: [{ agents }], background: [] } as unknown as FleetView;
}

function doing(activity: AgentView["activity"], source: "registry" | "screen" | "tmux", paneId = "%1") {
  const evidence = [{ source, activity: activity!, chosen: true, reason: "" }];
  return { activity, activityEvidence: evidence, paneId };
}

test.each<[string, FleetView, boolean]>([
  ["nobody", fleetOf(), true],
  [
    "idle and waiting agents that report",
    fleetOf(doing("idle", "registry"), doing("waiting", "registry")),
    true,
  ],
  ["a shell", fleetOf(doing("shell", "tmux")), true],
  ["a busy agent", fleetOf(doing("idle", "registry"), doing("busy", "registry")), false],
  ["an agent that only its screen tells of", fleetOf(doing("idle", "screen")), false],
  ["an agent that is away", fleetOf({ activity: null, activityEvidence: [], paneId: null }), true],
])("calm: %s", (_, fleet, expected) => expect(isCalm(fleet)).toBe(expected));
