import { expect, test } from "vitest";
import { argument } from "./quote.js";

test.each([
  ["web4team", "web4team"],
  ["a%n", "a%n"],
  ["$HOME", "\\$HOME"],
  ["^A", "\\^A"],
  ["a\\012", "a\\\\012"],
])("[GSQ1] %s is written %s", (text, written) => {
  expect(argument(text)).toBe(written);
});
