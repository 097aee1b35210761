import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readYaml } from "./yaml-text.js";

/** What makes YAML out of letters. */
const pieces = [
  "a",
  "b: ",
  "\n",
  "  ",
  "- ",
  "? ",
  ": ",
  "[",
  "]",
  "{",
  "}",
  ", ",
  "&a ",
  "*a ",
  "!t ",
  "|\n",
  '"',
  "'",
  "#",
  "---\n",
  "\t",
  "\r",
  "%YAML 1.1\n",
  "\ufeff",
  "<<: ",
  "\\x00",
  "\0",
  "é",
  "\ud800",
];

describe("any text", () => {
  test("ends in a value or in problems that say where", () => {
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((all) => all.join("")),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (each) => {
        const { problems } = readYaml(each);
        for (const { line, column } of problems) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(["[", "- ", "? ", "{a: ", "&a [", "!t ["])("%j without end is refused, not followed", (piece) => {
    const { value, problems } = readYaml(piece.repeat(Math.floor(40_000 / piece.length)));
    expect(value).toBeNull();
    expect(problems).toMatchObject([{ message: "it is nested too deeply for a team file" }]);
  });
});

test("an alias stands for what its anchor holds, at the anchor's place", () => {
  const { value, problems } = readYaml("a: &x { k: v }\nb: *x\n");
  expect(problems).toEqual([]);
  const [a, b] = value?.is === "mapping" ? value.entries : [];
  expect(b).toMatchObject({ key: "b", line: 2, value: { is: "mapping", line: 1, column: 7 } });
  expect(b?.value).toEqual(a?.value);
});

test("the last anchor of a name counts", () => {
  const { value } = readYaml("[&x a, *x, &x b, *x]");
  expect(value).toMatchObject({ items: [{ text: "a" }, { text: "a" }, { text: "b" }, { text: "b" }] });
});

test("a scalar is what YAML 1.2 says it is", () => {
  const { value } = readYaml(
    "[yes, off, 012, 1_000, 12:30, 2026-01-01, 4, 0x1f, .5, true, ~, null, '4', no]",
  );
  const kinds = value?.is === "list" ? value.items.map(({ is }) => is) : [];
  expect(kinds).toEqual([
    ...["text", "text", "number", "text", "text", "text"],
    ...["number", "number", "number", "boolean", "nothing", "nothing", "text", "text"],
  ]);
});
