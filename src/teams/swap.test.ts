import { expect, test } from "vitest";
import type { Move } from "../events/event.js";
import type { FleetPane } from "../fleet/panes.js";
import { movesBetween } from "./swap.js";

const move = (text: string) => {
  const [from, to] = text.split(">");
  return { from, to } as Move;
};

test("moves are found by pane ids; a pane that ended, or has no valid address, did not move", () => {
  const at = (places: Record<string, string>) => ({
    panes: Object.entries(places).map(([id, address]) => ({ id, address }) as FleetPane),
  });
  const before = at({ "%1": "a:0.0", "%2": "a:0.1", "%3": "a:0.2", "%4": "a:0.3" });
  const after = at({ "%1": "a:0.0", "%2": "b:0.0", "%3": "a:0.1", "%5": "a:0.2", "%4": "a b:0.0" });
  expect(movesBetween(before, after)).toEqual([move("a:0.1>b:0.0"), move("a:0.2>a:0.1")]);
});
