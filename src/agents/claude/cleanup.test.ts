import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { idOf, transcriptPath } from "../../../test/transcripts/files.js";
import { cleanupDays } from "./cleanup.js";

test.each<[string, string | null, number]>([
  ["no settings", null, 30],
  ["settings that say nothing of it", '{"theme":"dark"}', 30],
  ["settings that say it", '{"cleanupPeriodDays":99999}', 99999],
  ["not at all", '{"cleanupPeriodDays":0}', 0],
  ["a text", '{"cleanupPeriodDays":"7"}', 30],
  ["less than nothing", '{"cleanupPeriodDays":-1}', 30],
  ["half a file", '{"cleanupPeriodDays":7', 30],
  ["no object", "null", 30],
])("[CU1] %s", (_, text, expected) => {
  const { claude } = testHome();
  mkdirSync(claude, { recursive: true });
  if (text !== null) writeFileSync(join(claude, "settings.json"), text);
  expect(cleanupDays(transcriptPath(claude, idOf(1)))).toBe(expected);
});

test("[CU1] settings that are a link", () => {
  const { claude, root } = testHome();
  mkdirSync(claude, { recursive: true });
  writeFileSync(join(root, "kept.json"), '{"cleanupPeriodDays":7}');
  symlinkSync(join(root, "kept.json"), join(claude, "settings.json"));
  expect(cleanupDays(transcriptPath(claude, idOf(1)))).toBe(7);
});
