import { expect, test } from "vitest";
import type { PaneId } from "../names/gates.js";
import { matchPanes, type Place } from "./match.js";

const window = {
  window: 2,
  name: "",
  layout: "",
  panes: [1, 2, 3].map((pane) => ({ pane, title: "", cwd: "", command: "" })),
};

function check(standing: PaneId[], known: ReadonlyMap<Place, PaneId>, expected: [Place, PaneId][]) {
  expect([...matchPanes(window, standing, known)]).toEqual(expected);
}

test("panes are matched in order, known ones by identity, and none twice", () => {
  check([], new Map(), []);
  check(["%5", "%4"], new Map(), [
    ["2.1", "%5"],
    ["2.2", "%4"],
  ]);
  check(["%1", "%2", "%3", "%4"], new Map(), [
    ["2.1", "%1"],
    ["2.2", "%2"],
    ["2.3", "%3"],
  ]);
  // The middle pane was closed: the one behind it must not be matched with it.
  const known = new Map<Place, PaneId>([
    ["2.1", "%1"],
    ["2.3", "%3"],
  ]);
  check(["%1", "%3"], known, [
    ["2.1", "%1"],
    ["2.3", "%3"],
  ]);
  check(["%7"], new Map([["2.3", "%99"]]), [
    ["2.1", "%7"],
    ["2.3", "%99"],
  ]);
  check(["%7"], new Map([["8.0", "%7"]]), []);
});
