import { expect, test } from "vitest";
import { isNamedBy, windowOfModel } from "./models.js";

test.each([
  ["claude-opus-5-5", "2.1.325", "large"],
  ["claude-opus-5-5", "2.1.400", "large"],
  ["claude-opus-4-8", "2.1.325", "large"],
  ["claude-opus-4-8", "2.1.197", "ordinary"],
  ["claude-opus-4-8", "2.0.64", "ordinary"],
  ["claude-opus-4-6", "2.1.325", "ordinary"],
  ["claude-haiku-4-5-20251001", "2.1.325", "ordinary"],
  ["us.anthropic.claude-opus-4-8-v1:0", "2.1.325", "large"],
  ["claude-opus-4-8@20260101", "2.1.325", "large"],
  ["Claude-Opus-5-5", "2.1.325", "large"],
  ["claude-3-7-sonnet-latest", "2.1.325", "ordinary"],
] as const)("the window of %s on %s is %s", (model, version, size) => {
  expect(windowOfModel(model, version)).toBe(size);
});

test.each([
  ["claude-opus-4-6", "ordinary"],
  ["claude-opus-4-8", null],
  ["claude-opus-5-5", null],
] as const)("between the versions of the table, and for an unknown version, %s is %s", (model, size) => {
  for (const version of ["2.1.250", null, "dev"]) expect(windowOfModel(model, version)).toBe(size);
});

test.each(["gpt-9", "claude-nova-7", "claude-opus-9", "mythos", "", "claude-opus-4-1"])(
  "the window of %j is unknown",
  (model) => {
    for (const version of ["2.1.197", "2.1.250", "2.1.325", null])
      expect(windowOfModel(model, version)).toBeNull();
  },
);

test("a model newer than the client has no window", () => {
  expect(windowOfModel("claude-opus-5-5", "2.1.197")).toBeNull();
});

test.each([
  ["claude-opus-4-8", "opus", true],
  ["claude-opus-4-8", "OPUS[1m]", true],
  ["claude-opus-4-8", "claude-opus-4-8[1m]", true],
  ["claude-haiku-4-5-20251001", "claude-haiku-4-5", true],
  ["claude-haiku-4-5", "claude-haiku-4-5-20251001", true],
  ["claude-opus-4-8", "claude-opus-4", false],
  ["claude-opus-4-8", "sonnet[1m]", false],
  ["claude-sonnet-5", "opusplan", false],
  ["claude-opus-4-8", "default", false],
])("an answer of %s can be named by %s: %s", (answered, asked, expected) => {
  expect(isNamedBy(answered, asked)).toBe(expected);
});
