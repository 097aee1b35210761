import { expect, test } from "vitest";
import { facts, row, saved, there, written } from "../../../test/teams/made.js";
import type { FleetPane } from "../../fleet/panes.js";
import { isNothingToDo, planRestore } from "./restore-plan.js";

const good = row("0.0");

test.each<[string, string[], number[]]>([
  ["from 0 without a gap", ["0.0", "0.1"], [2]],
  ["with a gap, as the seeds' own sample", ["0.0", "0.4"], [2]],
  ["from 1", ["1.1", "1.2"], [2]],
  ["from neither 0 nor 1", ["0.3", "0.7", "0.9"], [3]],
  ["with an implausible number (incident 10)", ["0.0", "0.1", "0.98"], [3]],
  ["in windows with gaps", ["0.0", "3.2", "3.5", "9.1"], [1, 2, 1]],
  ["out of order", ["3.5", "0.4", "3.2", "0.0"], [2, 2]],
])("panes numbered %s become one pane per row, in order", (_, places, counts) => {
  const rows = places.map((place) => row(place));
  const plan = planRestore(saved(rows), facts(written(...rows)), false);
  expect(plan.refused).toEqual([]);
  expect(plan.layout.windows.map(({ panes }) => panes.length)).toEqual(counts);
  expect(plan.starts.map(({ saved }) => saved)).toEqual([...places].sort().map((place) => `web:${place}`));
});

test("an impossible pane number makes no pane (incident 10)", () => {
  const plan = planRestore(saved([good, row("0.201")]), facts(written(good)), false);
  expect(plan.refused).toMatchObject([{ pane: "web:0.201", why: expect.stringContaining("at most 200") }]);
  expect(plan.layout.windows.map(({ panes }) => panes.length)).toEqual([1]);
});

test("a team without a plausible row is not built", () => {
  const plan = planRestore(saved([row("0.997"), row("0.998")]), facts([]), false);
  expect(plan.refused).toHaveLength(2);
  expect(isNothingToDo(plan)).toBe(true);
});

test("[RS6] in a team saved with gaps, the running panes are matched in order", () => {
  const rows = ["0.2", "0.5", "0.9"].map((place) => row(place));
  const standing = [
    [there("0.0"), rows[0]!.uuid],
    [there("0.1"), rows[1]!.uuid],
    [there("0.2"), rows[2]!.uuid],
  ] as const;
  expect(isNothingToDo(planRestore(saved(rows), facts(written(...rows), standing), false))).toBe(true);
  const part = planRestore(saved(rows), facts(written(...rows), [standing[2]]), false);
  expect(part).toMatchObject({
    shape: "complete",
    starts: [{ saved: "web:0.2" }, { saved: "web:0.5" }],
    left: [{ pane: "web:0.9", is: "running" }],
  });
});

const made = { kind: "shell", process: null, startCommand: "", command: "bash" } as const;

test("[RS4] a shell that `layout restore` made gets the agent of its pane", () => {
  const shells = ["0.0", "0.1", "0.2"].map((at) => there(at, { ...made, shell: `%web:${at}|${at}` }));
  const its = [row("0.0"), row("0.2")];
  const panes = shells.map((each) => [each, null] as const);
  const plan = planRestore(saved(its), facts(written(...its), panes), false);
  expect(plan).toMatchObject({ shape: "there", refused: [] });
  expect(plan.starts.map(({ pane }) => pane)).toEqual(["%web:0.0", "%web:0.2"]);
});

test.each<[string, Partial<FleetPane>, boolean]>([
  ["of another pane", { shell: "%9|0.0" }, true],
  ["without a place", { shell: "%web:0.0|x" }, true],
  ["of a pane in which a program was started", { shell: "%web:0.0|0.0", startCommand: "htop" }, true],
  ["of a shell that runs something", { shell: "%web:0.0|0.0" }, false],
])("an option %s makes no shell free", (_, its, isIdle) => {
  const at = there("0.0", { ...made, ...its });
  const more = { isIdleShell: () => isIdle };
  const plan = planRestore(saved([good]), facts(written(good), [[at, null]], more), false);
  expect(plan).toMatchObject({ starts: [], refused: [{ pane: "web:0.0" }] });
});
