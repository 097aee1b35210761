import { expect, test } from "vitest";
import { readLastWords } from "./last-words.js";

const uuid = "17171710-1111-4111-8111-111111111111";
const dead = "Pane is dead (status 0, Mon Nov 16 09:24:15 2026)";
const hint = "Resume this session with:";

test.each([
  ["2.1.325 names the session", ["● ok", "", hint, `claude --resume ${uuid}`, "", dead], [uuid, null]],
  ["2.1.197 names the title", [hint, 'claude --resume "the lead"', dead], [null, "the lead"]],
  [
    "start options come first",
    [hint, `claude --permission-mode default --resume ${uuid}`, dead],
    [uuid, null],
  ],
  [
    "options and a title",
    [hint, 'claude --permission-mode default --resume "the lead"', dead],
    [null, "the lead"],
  ],
  ["a title may have quotes", [hint, 'claude --resume "say \\"hi\\""', dead], [null, 'say "hi"']],
  ["a hint above the last lines does not count", [hint, `claude --resume ${uuid}`, "$ ls", dead], null],
  ["the command without the hint does not count", [`claude --resume ${uuid}`, dead], null],
  ["a killed client prints nothing", ["❯ ", dead], null],
  ["an empty screen", [], null],
])("%s", (_, rows, expected) => {
  const found = readLastWords(rows);
  expect(found && [found.session, found.title]).toEqual(expected);
});
