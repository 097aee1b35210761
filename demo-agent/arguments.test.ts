import { expect, test } from "vitest";
import { readArguments } from "./arguments.js";

const U = "11111111-1111-4111-8111-111111111111";

test.each([
  [[], { sessionId: null, resume: null, isFork: false, prompt: null, model: "claude-opus-4-8" }],
  [["--session-id", U.toUpperCase()], { sessionId: U }],
  [[`--resume=${U}`, "--fork-session"], { resume: U, isFork: true }],
  [["-r", U, "go on"], { resume: U, prompt: "go on" }],
  [["-n", "mgr", "--model", "opus[1m]"], { name: "mgr", model: "claude-opus-4-8[1m]" }],
  [["-p", "hello", "there"], { isPrint: true, prompt: "hello there" }],
  [["--", "--resume"], { resume: null, prompt: "--resume" }],
  [["--permission-mode", "plan"], { permissionMode: "plan" }],
  [["--dangerously-skip-permissions"], { permissionMode: "bypassPermissions" }],
])("%j is parsed", (argv, launch) => {
  expect(readArguments(argv)).toMatchObject(launch);
});

test.each([
  [["--nonsense"], "error: unknown option '--nonsense'"],
  [["--session-id", "x"], "Error: Invalid session ID. Must be a valid UUID."],
  [["--session-id", U, "--resume", U], "Error: --session-id can only be used with"],
  [["--permission-mode", "x"], "argument 'x' is invalid"],
  [["--resume"], "error: "],
])("%j is refused", (argv, words) => {
  expect(() => readArguments(argv)).toThrow(words);
});
