import { expect, test } from "vitest";
import { cleanTitle } from "./title.js";

test.each([
  ["[CT1] idle", "✳ web4-po", "web4-po"],
  ["[CT1] busy", "⠐ web4-po", "web4-po"],
  ["[CT1] busy, another frame", "⠂ web4-po", "web4-po"],
  ["[CT1] an older mark", "⏵⏵ web4-po", "web4-po"],
  ["[CT1] another host (incident 34)", "✳ web4-po@otherhost", "web4-po"],
  ["[CT1] a model behind it", "web4-po @opus", "web4-po"],
  ["[CT1] no mark", "web4-po", "web4-po"],
  ["[CT1] words", "✳ fix the build", "fix the build"],
  ["[CT2] no name", "✳ Claude Code", null],
  ["[CT2] a shell's", "bash", null],
  ["[CT2] nothing", "", null],
  ["[CT2] only marks", "✳ ", null],
])("%s: %j is %j", (_, title, expected) => expect(cleanTitle(title)).toBe(expected));
