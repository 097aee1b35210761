import { expect, test } from "vitest";
import { settingsIn } from "./make-session.js";

test.each([
  [[], []],
  [
    ["-c", "a=1", "--search", "-p", "work"],
    ["--config", "a=1", "--profile", "work"],
  ],
  [
    ["--enable", "x", "--model", "m"],
    ["--enable", "x"],
  ],
])("of the arguments %j the server gets %j", (extra, expected) => {
  expect(settingsIn(extra)).toEqual(expected);
});
