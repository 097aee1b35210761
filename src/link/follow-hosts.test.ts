import { expect, test } from "vitest";
import { openServerClock } from "./follow-hosts.js";

test("the server's clock is taken from the newest entry, and goes on while nothing is written", () => {
  let nowMs = 1_000;
  const clock = openServerClock(() => nowMs);
  const wrote = (...times: number[]) => clock.saw(times.map((writtenAtMs) => ({ writtenAtMs })));
  expect(wrote()).toBe(0);
  expect(wrote(500_000, 400_000)).toBe(500_000);
  nowMs += 3_000;
  expect(wrote(500_000)).toBe(503_000);
  // It was written four seconds after the first one: this host had seen that one late.
  expect(wrote(504_000)).toBe(504_000);
  nowMs += 20_000;
  expect(wrote(510_000)).toBe(524_000);
  expect(wrote()).toBe(524_000);
});
