import { expect, test } from "vitest";
import { readLastWords } from "./last-words.js";

const uuid = "17171710-1111-4111-8111-111111111111";
const dead = "Pane is dead (status 0, Mon Nov 16 09:24:15 2026)";
const hint = "Resume this session with:";

test.each([
  ["2.1.325 names the session", ["● ok", "", hint, `claude --resume ${uuid}`, "", dead], [uuid, null]],
  ["2.1.197 names the title", [hint, 'claude --resume "the lead"', dead], [null, "the lead"]],
  [
    "options of the start stand before it",
    [hint, `claude --permission-mode default --resume ${uuid}`, dead],
    [uuid, null],
  ],
  [
    "options and a title",
    [hint, 'claude --permission-mode default --resume "the lead"', dead],
    [null, "the lead"],
  ],
  ["a title may have quotes", [hint, 'claude --resume "say \\"hi\\""', dead], [null, 'say "hi"']],
  ["words above the last ones are anybody's", [hint, `claude --resume ${uuid}`, "$ ls", dead], null],
  ["the hint alone is no word of the client", [`claude --resume ${uuid}`, dead], null],
  ["a killed client says nothing", ["❯ ", dead], null],
  ["an empty screen", [], null],
])("%s", (_, rows, expected) => {
  const found = readLastWords(rows);
  expect(found && [found.session, found.title]).toEqual(expected);
});
