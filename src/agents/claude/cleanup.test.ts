import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { cleanupDays } from "./cleanup.js";

test.each<[string, string | null, number]>([
  ["no settings", null, 30],
  ["settings without the key", '{"theme":"dark"}', 30],
  ["settings with the key", '{"cleanupPeriodDays":99999}', 99999],
  ["zero days", '{"cleanupPeriodDays":0}', 0],
  ["a text", '{"cleanupPeriodDays":"7"}', 30],
  ["a negative number", '{"cleanupPeriodDays":-1}', 30],
  ["half a file", '{"cleanupPeriodDays":7', 30],
  ["not an object", "null", 30],
])("%s", (_, text, expected) => {
  const { claude } = testHome();
  mkdirSync(claude, { recursive: true });
  if (text !== null) writeFileSync(join(claude, "settings.json"), text);
  expect(cleanupDays(claude)).toBe(expected);
});

test("settings that are a link", () => {
  const { claude, root } = testHome();
  mkdirSync(claude, { recursive: true });
  writeFileSync(join(root, "kept.json"), '{"cleanupPeriodDays":7}');
  symlinkSync(join(root, "kept.json"), join(claude, "settings.json"));
  expect(cleanupDays(claude)).toBe(7);
});

test("settings that are a pipe", () => {
  const { claude } = testHome();
  execFileSync("mkfifo", [join(claude, "settings.json")]);
  expect(cleanupDays(claude)).toBe(30);
});
