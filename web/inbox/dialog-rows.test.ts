import { expect, test } from "vitest";
import { optionsIn } from "./dialog-rows.js";

test.each<[string[], string[]]>([
  [
    ["Do you trust it?", "❯ 1. Yes, proceed", "  2. No, exit"],
    ["Yes, proceed", "No, exit"],
  ],
  [
    ["│ ❯ 1. Yes │", "│   2. No  │"],
    ["Yes", "No"],
  ],
  [
    ["1) one", "2) two"],
    ["one", "two"],
  ],
  [["Step 1. Read it", "go on?"], []],
  [["2. No list begins with two"], []],
  [
    ["1. prose", "text", "1. Yes", "2. No"],
    ["Yes", "No"],
  ],
  [["1. Yes", "3. No"], []],
  [[], []],
])("%j has the options %j", (rows, labels) => {
  expect(optionsIn(rows).map(({ label }) => label)).toEqual(labels);
  expect(optionsIn(rows).map(({ number }) => number)).toEqual(labels.map((_, at) => at + 1));
});
