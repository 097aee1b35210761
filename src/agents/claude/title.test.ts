import { expect, test } from "vitest";
import { cleanTitle } from "./title.js";

test.each([
  ["idle", "✳ web4-po", "web4-po"],
  ["busy", "⠐ web4-po", "web4-po"],
  ["busy, another frame", "⠂ web4-po", "web4-po"],
  ["an older mark", "⏵⏵ web4-po", "web4-po"],
  ["another host (incident 34)", "✳ web4-po@otherhost", "web4-po"],
  ["a model after it", "web4-po @opus", "web4-po"],
  ["no mark", "web4-po", "web4-po"],
  ["words", "✳ fix the build", "fix the build"],
  ["no name", "✳ Claude Code", null],
  ["a shell's", "bash", null],
  ["nothing", "", null],
  ["only marks", "✳ ", null],
])("%s: %j is %j", (_, title, expected) => expect(cleanTitle(title)).toBe(expected));
