import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const count = 68;

interface Row {
  number: number;
  isBuilt: boolean;
}

const rows: Row[] = [
  ...readFileSync(join(root, "docs/incidents.md"), "utf8").matchAll(/^\| (\d+) \|.*\| (.*) \|$/gm),
].map(([, number, answer]) => ({ number: Number(number), isBuilt: !answer!.startsWith("not built: with ") }));

/** Only the ends of titles count: a mention of an incident elsewhere is not its test. */
const tested = new Set(
  ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .flatMap(
        (name) => readFileSync(join(root, folder, name), "utf8").match(/(?: \(incident \d+\))+["'`]/g) ?? [],
      )
      .flatMap((ends) => [...ends.matchAll(/\d+/g)].map(([number]) => Number(number))),
  ),
);

test("each incident is in docs/incidents.md once, in order", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
});

test("each incident with an answer in the program has a test", () => {
  const missing = rows.filter(({ number, isBuilt }) => isBuilt && !tested.has(number));
  expect(missing.map(({ number }) => number)).toEqual([]);
});

test("each incident that a test names is in the list, with an answer", () => {
  const built = new Set(rows.filter(({ isBuilt }) => isBuilt).map(({ number }) => number));
  expect([...tested].filter((number) => !built.has(number))).toEqual([]);
});
