import { expect, test } from "vitest";
import { commandOf, knownCommand } from "./commands.js";

test.each([
  ["/clear", { name: "clear", argument: "" }],
  ["/rename  new name ", { name: "rename", argument: "new name" }],
  ["/nonsense x", { name: "nonsense", argument: "x" }],
  ["/tmp/file is broken", null],
  ["hello /clear", null],
  ["/", null],
  [" /clear", null],
])("%j is the command %j", (message, command) => {
  expect(commandOf(message)).toEqual(command);
});

test.each([
  ["/clear", "/clear"],
  ["/rename boss", "/rename"],
  ["/clera", null],
  ["/constructor", null],
  ["hello", null],
])("the known command of the draft %j is %j", (draft, command) => {
  expect(knownCommand(draft)).toBe(command);
});
