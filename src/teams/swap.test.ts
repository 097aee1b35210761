import { expect, test } from "vitest";
import type { Move } from "../events/event.js";
import type { FleetPane } from "../fleet/panes.js";
import { movesBetween, shiftEvent } from "./swap.js";

const move = (text: string) => {
  const [from, to] = text.split(">");
  return { from, to } as Move;
};

test.each([
  ["nothing", [], null],
  ["one pane", ["a:0.1>b:0.0"], { name: "pane.moved", from: "a:0.1", to: "b:0.0" }],
  [
    "two that changed places",
    ["a:0.1>a:0.2", "a:0.2>a:0.1"],
    { name: "panes.swapped", team: "a", a: "a:0.1", b: "a:0.2" },
  ],
  [
    "two that did not",
    ["a:0.1>b:0.0", "a:0.2>a:0.1"],
    { name: "panes.shifted", team: "a", moves: [move("a:0.1>b:0.0"), move("a:0.2>a:0.1")] },
  ],
])("[SW1] of %s there is at most one event", (_, moves, event) => {
  expect(shiftEvent(moves.map(move))).toEqual(event);
});

test("[SW1] what moved is told by the panes' ids; what ended, or stands where no row can name it, did not move", () => {
  const at = (places: Record<string, string>) => ({
    panes: Object.entries(places).map(([id, address]) => ({ id, address }) as FleetPane),
  });
  const before = at({ "%1": "a:0.0", "%2": "a:0.1", "%3": "a:0.2", "%4": "a:0.3" });
  const after = at({ "%1": "a:0.0", "%2": "b:0.0", "%3": "a:0.1", "%5": "a:0.2", "%4": "a b:0.0" });
  expect(movesBetween(before, after)).toEqual([move("a:0.1>b:0.0"), move("a:0.2>a:0.1")]);
});
