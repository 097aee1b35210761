import { expect, test } from "vitest";
import { openTurnstile } from "./turnstile.js";

test("one client cannot take what another one needs, and everybody together has a bound", () => {
  const gate = openTurnstile(3, 2);
  const [one, two] = [gate.enter("a"), gate.enter("a")];
  expect(gate.enter("a")).toBeNull();
  expect(gate.enter("b")).not.toBeNull();
  expect(gate.enter("c")).toBeNull();
  one!();
  one!();
  expect(gate.enter("c")).not.toBeNull();
  expect(gate.enter("a")).toBeNull();
  two!();
  expect(gate.isInside("a")).toBe(false);
  expect(gate.enter("a")).not.toBeNull();
});
