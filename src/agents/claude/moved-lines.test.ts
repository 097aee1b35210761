import { expect, test } from "vitest";
import { movedLines } from "./moved-lines.js";

const move = { from: "/srv/old", to: "/srv/new" };

test.each([
  ["the folder itself", '{"cwd":"/srv/old","uuid":"a"}', '{"cwd":"/srv/new","uuid":"a"}'],
  ["a folder inside it", '{"cwd":"/srv/old/x"}', '{"cwd":"/srv/new/x"}'],
  ["one with the same beginning", '{"cwd": "/srv/older"}', null],
  ["one that is not the record's own", '{"input": {"cwd":"/srv/old"}}', null],
  ["one that was only spoken of", '{"text": "\\"cwd\\":\\"/srv/old\\""}', null],
  ["a torn line", '{"cwd":"/srv/old","uu', null],
])("[MVL1] %s is moved or left byte for byte", (_, line, moved) => {
  const other = '{"cwd" : "/elsewhere"}';
  const bytes = (each: string) => Buffer.from(`${other}\n${each}\n\n${other}`);
  expect(movedLines(bytes(line), move).toString()).toBe(bytes(moved ?? line).toString());
});
