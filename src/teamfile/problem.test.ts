import { expect, test } from "vitest";
import { keys } from "./keys.js";
import { nearest } from "./problem.js";

const names = keys.map(({ name }) => name);

test.each([
  ["modle", "model"],
  ["mdel", "model"],
  ["agnts", "agents"],
  ["Model", "model"],
  ["permission-mode", "permission_mode"],
  ["permissionMode", "permission_mode"],
  ["reportsto", "reports_to"],
  ["cw", "cwd"],
  ["env", "env"],
  ["colour", null],
  ["x", null],
  ["", null],
  ["x".repeat(100_000), null],
])("for %s it suggests %s", (typed, expected) => {
  expect(nearest(typed, names)).toBe(expected);
});

test("a word that is half wrong gets no suggestion", () => {
  expect(nearest("dxx", ["dev"])).toBeNull();
  expect(nearest("laed", ["load", "lead"])).toBe("lead");
});
