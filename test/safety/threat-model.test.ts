import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const page = readFileSync(join(root, "docs/threat-model.md"), "utf8");
const named = [...page.matchAll(/`((?:src|test)\/[\w./-]+\.test\.ts)`: "([^"]+)"/g)].map(
  ([, file, title]) => [file!, title!],
);

test("every line of a table in docs/threat-model.md names a test", () => {
  const lines = page.split("\n").filter((line) => /^\| (?!could )/.test(line));
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => !/`(?:src|test)\/[\w./-]+\.test\.ts`: "/.test(line))).toEqual([]);
});

/** Compares up to the end of the title, so that a changed title is noticed. */
test.each(named)("%s has the test %j", (file, title) => {
  expect(existsSync(join(root, file))).toBe(true);
  const text = readFileSync(join(root, file), "utf8");
  expect(['"', "`", "'"].some((quote) => text.includes(`${title}${quote}`))).toBe(true);
});
