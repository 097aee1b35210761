import { expect, test } from "vitest";
import { movedLines } from "./moved-lines.js";

const deep = "[".repeat(10_000) + "]".repeat(10_000);
const move = { from: "/srv/old", to: "/srv/new" };

test.each([
  ["the folder itself", '{"cwd":"/srv/old","uuid":"a"}', '{"cwd":"/srv/new","uuid":"a"}'],
  ["a folder inside it", '{"cwd":"/srv/old/x"}', '{"cwd":"/srv/new/x"}'],
  ["one with the same beginning", '{"cwd": "/srv/older"}', null],
  ["one that is not the record's own", '{"input": {"cwd":"/srv/old"}}', null],
  ["one that was only spoken of", '{"text": "\\"cwd\\":\\"/srv/old\\""}', null],
  ["a torn line", '{"cwd":"/srv/old","uu', null],
  [
    "what stands beside it",
    '{ "said" : "he\xff\xfello", "cwd" : "/srv/old" }',
    '{ "said" : "he\xff\xfello", "cwd" : "/srv/new" }',
  ],
  ["what is nested without end", `{"cwd":"/srv/old","x":${deep}}`, `{"cwd":"/srv/new","x":${deep}}`],
])("[MVL1] %s is moved or left byte for byte", (_, line, moved) => {
  const other = '{"cwd" : "/elsewhere"}';
  // Bytes, not text: some are none.
  const bytes = (each: string) => Buffer.from(`${other}\n${each}\n\n${other}`, "latin1");
  expect(movedLines(bytes(line), move).toString("latin1")).toBe(bytes(moved ?? line).toString("latin1"));
});

test("[MVL1] the record behind a byte order mark is one like any other", () => {
  const bytes = (folder: string) => Buffer.from(`\ufeff{"cwd":"${folder}"}\n`);
  expect(movedLines(bytes("/srv/old"), move)).toEqual(bytes("/srv/new"));
});
