import { expect, test } from "vitest";
import { cleaningFindings } from "./gemini-cleaning.js";

const pane = (address: string, cwd: string, kind = "gemini") =>
  ({ kind, address, folder: "/h/.gemini", live: null, cwd }) as Parameters<
    typeof cleaningFindings
  >[0][number];

test.each([
  ["two in one folder", [pane("w:0.0", "/a"), pane("w:0.1", "/a")], true, ["w:0.0, w:0.1"]],
  ["two in two folders", [pane("w:0.0", "/a"), pane("w:0.1", "/b")], true, []],
  ["one beside another kind", [pane("w:0.0", "/a"), pane("w:0.1", "/a", "claude")], true, []],
  ["two where nothing is cleaned up", [pane("w:0.0", "/a"), pane("w:0.1", "/a")], false, []],
])("%s", (_, panes, isCleaned, expected) => {
  const found = cleaningFindings(panes, () => isCleaned);
  expect(found.map(({ message }) => message.split(" run")[0])).toEqual(expected);
  for (const { fix } of found) expect(fix).toContain("/h/.gemini/settings.json");
});
