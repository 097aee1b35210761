import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shownMode } from "./shown-mode.js";

const rule = "─".repeat(60);
const screen = (...below: readonly string[]) => [
  "⏺ plan mode on",
  rule,
  "❯ bypass permissions on",
  rule,
  ...below,
];

test.each([
  ["  ⏸ plan mode on (shift+tab to cycle)", "plan"],
  ["  ⏵⏵ accept edits on (shift+tab to cycle)", "acceptEdits"],
  ["  ⏵⏵ auto mode on (shift+tab to cycle) · esc to interrupt", "auto"],
  ["  ⏵⏵ bypass permissions on (shift+tab to cycle)", "bypassPermissions"],
  ["  manual mode on · ? for shortcuts · ← for agents", "default"],
  ["  ? for shortcuts", "default"],
  ["  ctrl+g to edit", null],
])("the line below the box says it: %s", (line, mode) => {
  expect(shownMode(screen(line))).toBe(mode);
});

test("nothing is shown on an empty screen", () => {
  expect(shownMode([])).toBeNull();
  expect(shownMode(["⏺ plan mode on"])).toBeNull();
});

const folder = new URL("../../../../test/fixtures/screens/2.1.325/", import.meta.url);
const names = readdirSync(folder).filter(
  (name) => /^idle.*\.txt$/.test(name) && !/narrow|status|exit-warning|shortcuts/.test(name),
);

test.each(names)("a captured idle screen shows its mode: %s", (name) => {
  const plain = readFileSync(new URL(name, folder), "utf8").replaceAll(/\u001b\[[0-9;]*m/g, "");
  expect(shownMode(plain.split("\n"))).toMatch(/^(?:auto|default|plan|acceptEdits|bypassPermissions)$/);
});
