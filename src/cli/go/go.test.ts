import { expect, test } from "vitest";
import { firstAfter } from "./go.js";

const at = (sessionName: string, windowIndex: number, paneIndex: number) => ({
  sessionName,
  windowIndex,
  paneIndex,
});
const [a, b, c, d] = [at("api", 0, 9), at("api", 2, 0), at("api", 10, 0), at("web", 0, 0)];

test.each([
  ["no pane", null, a],
  ["a pane that does not wait", at("api", 1, 0), b],
  ["a pane that waits", b, c],
  ["the last pane of a team", c, d],
  ["the last pane of all", d, a],
])("from %s, `next` selects the waiting agent that follows", (_, here, next) => {
  const waiting = [d, c, a, b].map((pane) => ({ pane }));
  expect(firstAfter(waiting, here)?.pane).toEqual(next);
});

test("the only waiting agent is next, even from its own pane", () => {
  expect(firstAfter([{ pane: b }], b)?.pane).toEqual(b);
  expect(firstAfter([], b)).toBeNull();
});
