import { expect, it } from "vitest";
import { pane } from "../../test/fleet/made.js";
import type { FleetPane } from "../fleet/panes.js";
import { placeFor } from "./place.js";

const panes = (window: number, indices: number[], facts: Partial<FleetPane> = {}) =>
  indices.map((index) =>
    pane(`t:${window}.${index}`, {
      windowIndex: window,
      paneIndex: index,
      windowWidth: 200,
      windowHeight: 50,
      windowZoomed: false,
      ...facts,
    }),
  );

const check = (own: FleetPane[]) => {
  const place = placeFor(own);
  return place.how === "split" ? place.behind.address : "window";
};

it("a new pane goes behind the last pane of its window, in any listing order", () => {
  expect(check(panes(0, [2, 0, 1]))).toBe("t:0.2");
  expect(check(panes(1, [1, 3, 2]))).toBe("t:1.3");
});

it.each<[string, FleetPane[], string]>([
  ["nine panes of 66×16 are", panes(0, [0, 1, 2, 3, 4, 5, 6, 7]), "t:0.7"],
  ["ten panes, four rows of 11, are not", panes(0, [0, 1, 2, 3, 4, 5, 6, 7, 8]), "window"],
  ["a full window is passed over", [...panes(0, [0], { windowHeight: 20 }), ...panes(3, [0])], "t:3.0"],
  ["a narrow terminal has one pane per window", panes(0, [0], { windowWidth: 50 }), "window"],
])("large enough to be read: %s", (_, own, expected) => {
  expect(check(own)).toBe(expected);
});

it("a zoomed window is left as it is", () => {
  expect(check(panes(0, [0], { windowZoomed: true }))).toBe("window");
  expect(check([...panes(0, [0], { windowZoomed: true }), ...panes(1, [1])])).toBe("t:1.1");
});
