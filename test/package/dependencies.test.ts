import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("every dependency has a line in docs/decisions, and every line a dependency", () => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(read("package.json"));
  const reasons = [...read("docs/decisions/dependencies.md").matchAll(/^\| ([@\w/-]+) \| (?!used in)/gm)].map(
    (row) => row[1],
  );
  expect(reasons.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

test("the lock file names no download address", () => {
  expect(read("package-lock.json")).not.toMatch(/"resolved": "https?:/);
});
