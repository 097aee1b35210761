import { expect, test } from "vitest";
import { toolLine, toolParts } from "./tool-words.js";

test.each([
  [{ description: "Run it", command: "npm test\nnpm run check" }, "npm test"],
  [{ file_path: "/a/b.ts", limit: 3 }, "/a/b.ts"],
  [{ other: 1, name: "x" }, "x"],
  [{ deep: { a: 1 } }, '{"deep":{"a":1}}'],
  ["text", "text"],
  [null, ""],
  [{}, ""],
])("the line of %j", (input, expected) => expect(toolLine(input)).toBe(expected));

test("a long line is cut", () => expect(toolLine({ command: "x".repeat(5000) })).toHaveLength(200));

test("each member of the input is shown in full", () => {
  expect(toolParts({ command: "a\nb", timeout: 5, list: [1] })).toEqual([
    { name: "command", lines: ["a", "b"] },
    { name: "timeout", lines: ["5"] },
    { name: "list", lines: ["[", "  1", "]"] },
  ]);
  expect(toolParts("x")).toEqual([{ name: "input", lines: ["x"] }]);
});
