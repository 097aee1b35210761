import { expect, test } from "vitest";
import { firstAfter } from "./next.js";

const at = (sessionName: string, windowIndex: number, paneIndex: number) => ({
  sessionName,
  windowIndex,
  paneIndex,
});
const [a, b, c, d] = [at("api", 0, 9), at("api", 2, 0), at("api", 10, 0), at("web", 0, 0)];

test.each([
  ["nowhere", null, a],
  ["one that does not wait", at("api", 1, 0), b],
  ["one that waits", b, c],
  ["the last of a team", c, d],
  ["the last of all", d, a],
])("who looks at %s is led to the next agent that waits", (_, here, next) => {
  const waiting = [d, c, a, b].map((pane) => ({ pane }));
  expect(firstAfter(waiting, here)?.pane).toEqual(next);
});

test("who alone waits is the next one, also for who looks at it", () => {
  expect(firstAfter([{ pane: b }], b)?.pane).toEqual(b);
  expect(firstAfter([], b)).toBeNull();
});
