import { expect, test } from "vitest";
import { movedLines } from "./moved-lines.js";

const deep = "[".repeat(10_000) + "]".repeat(10_000);
const move = { from: "/srv/old", to: "/srv/new" };

test.each([
  ["the folder itself", '{"cwd":"/srv/old","uuid":"a"}', '{"cwd":"/srv/new","uuid":"a"}'],
  ["a folder inside it", '{"cwd":"/srv/old/x"}', '{"cwd":"/srv/new/x"}'],
  ["a folder with the same prefix", '{"cwd": "/srv/older"}', null],
  ["a nested cwd", '{"input": {"cwd":"/srv/old"}}', null],
  ["a cwd in a text", '{"text": "\\"cwd\\":\\"/srv/old\\""}', null],
  ["a torn line", '{"cwd":"/srv/old","uu', null],
  [
    "other members",
    '{ "said" : "he\xff\xfello", "cwd" : "/srv/old" }',
    '{ "said" : "he\xff\xfello", "cwd" : "/srv/new" }',
  ],
  ["deep nesting", `{"cwd":"/srv/old","x":${deep}}`, `{"cwd":"/srv/new","x":${deep}}`],
])("%s is moved or stays byte for byte", (_, line, moved) => {
  const other = '{"cwd" : "/elsewhere"}';
  // Bytes, because some are not valid text.
  const bytes = (each: string) => Buffer.from(`${other}\n${each}\n\n${other}`, "latin1");
  expect(movedLines(bytes(line), move).toString("latin1")).toBe(bytes(moved ?? line).toString("latin1"));
});

test("a record after a byte order mark is moved too", () => {
  const bytes = (folder: string) => Buffer.from(`\ufeff{"cwd":"${folder}"}\n`);
  expect(movedLines(bytes("/srv/old"), move)).toEqual(bytes("/srv/new"));
});
