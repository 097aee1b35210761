import { expect, test } from "vitest";
import { clawArguments, isConversation } from "./claw.js";

test.each([
  [["claw"], null],
  [["claw", "--resume", "session-1-0"], "session-1-0"],
  [["claw", "--resume=session-1-0"], "session-1-0"],
  [["claw", "--resume", "latest"], null],
  [["claw", "--resume", "../other/session-1-0.jsonl"], null],
  [["claw", "--resume", "--model", "opus"], null],
  [["claw", "--resume"], null],
])("%j began in the managed session %j", (argv, managed) => {
  expect(clawArguments(argv)).toMatchObject({ managed, began: null, forkedFrom: null, name: null });
});

test.each([
  [["claw"], true],
  [["claw", "--model", "opus"], true],
  [["/usr/bin/claw", "--resume", "session-1-0"], true],
  [["node", "--flag", "/usr/bin/claw"], true],
  [["claw", "-p", "what is this?"], false],
  [["claw", "--model", "opus", "--print"], false],
  [["claw", "status"], false],
  [["claw", "what is this?"], false],
])("%j is a conversation: %s", (argv, expected) => expect(isConversation(argv)).toBe(expected));
