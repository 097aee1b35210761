import { expect, test } from "vitest";
import { nameInTitle as nameOfEnded } from "../all.js";
import { isOwnTitle, nameInTitle, paneTitle } from "./title.js";

test.each([
  ["po", "OC | po"],
  ["a".repeat(40), `OC | ${"a".repeat(40)}`],
  ["a".repeat(41), `OC | ${"a".repeat(37)}…`],
  ["New session - 2026-11-18T13:11:45.883Z", "OpenCode"],
  [null, "OpenCode"],
])("the conversation %j gives its pane the title %j", (title, expected) => {
  expect(paneTitle(title)).toBe(expected);
  expect(isOwnTitle(expected)).toBe(true);
});

test.each([
  ["OC | po", "po"],
  ["OpenCode", null],
])("the title %j has the name %j, also when its agent has ended", (title, name) => {
  expect(nameInTitle(title)).toBe(name);
  expect(nameOfEnded(title)).toBe(name);
});

test("a title of another program is not its own", () => {
  expect(isOwnTitle("vm")).toBe(false);
});
