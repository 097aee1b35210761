// Checks docs/verification-map.md: every command in it exists and selects tests.

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Check {
  command: string;
  file: string;
  title: string;
}

const page = readFileSync(new URL("../docs/verification-map.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => /^\| (?!claim )/.test(line));
const form = /^\| .+ \| `npx vitest run (?:--mode (?:client|web) )?(\S+\.test\.ts)(?: -t "([^"]+)")?` \|$/;

function checks(): Check[] {
  return rows.map((row) => {
    const [, file = "", title = ""] = form.exec(row) ?? [];
    return { command: row.split("`").at(-2) ?? row, file, title };
  });
}

/** All quoted texts of a file, which include the test titles. */
function titlesIn(file: string): string[] {
  const path = new URL(`../${file}`, import.meta.url);
  return existsSync(path) ? (readFileSync(path, "utf8").match(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g) ?? []) : [];
}

test("every claim of the verification map has one focused command", () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => !form.test(row))).toEqual([]);
});

test("every command of the verification map selects existing tests", () => {
  const missing = checks().filter(({ file, title }) => {
    // As vitest itself selects by `-t`.
    const pattern = new RegExp(title);
    return !titlesIn(file).some((literal) => pattern.test(literal.slice(1, -1)));
  });
  expect(missing.map(({ command }) => command)).toEqual([]);
});
