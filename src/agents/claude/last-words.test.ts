import { expect, test } from "vitest";
import { readLastWords } from "./last-words.js";

const uuid = "17171710-1111-4111-8111-111111111111";
const dead = "Pane is dead (status 0, Mon Nov 16 09:24:15 2026)";

test.each([
  [
    "2.1.325 names the session",
    ["● ok", "", "Resume this session with:", `claude --resume ${uuid}`, "", dead],
    uuid,
  ],
  ["2.1.197 names the title", ["Resume this session with:", 'claude --resume "lead"', dead], null],
  [
    "words above the last ones are anybody's",
    ["Resume this session with:", `claude --resume ${uuid}`, "$ ls", dead],
    null,
  ],
  ["the hint alone is no word of the client", [`claude --resume ${uuid}`, dead], null],
  ["a killed client says nothing", ["❯ ", dead], null],
  ["an empty screen", [], null],
])("%s", (_, rows, expected) => {
  expect(readLastWords(rows)).toBe(expected);
});
