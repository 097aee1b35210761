import { expect, test } from "vitest";
import { clientFindings, nodeFindings, tmuxFindings } from "./programs.js";

test.each([
  ["tmux 3.3a", "ok"],
  ["tmux 3.2", "ok"],
  ["tmux next-3.6", "ok"],
  ["tmux master", "ok"],
  ["tmux 3.1c", "problem"],
  ["tmux 2.9", "problem"],
])("%s is %s", (said, level) => expect(tmuxFindings(said)).toMatchObject([{ level }]));

test.each([
  ["20.19.0", "ok"],
  ["22.1.0", "ok"],
  ["20.18.3", "problem"],
  ["18.20.4", "problem"],
])("node %s is %s", (version, level) => expect(nodeFindings(version)).toMatchObject([{ level }]));

test("no client is a warning with what to type, one is fine, two are told with the one that runs", () => {
  expect(clientFindings([])).toMatchObject([
    { level: "warning", fix: expect.stringContaining("npm install") },
  ]);
  const first = { path: "/a/claude", version: "2.1.197 (Claude Code)" };
  expect(clientFindings([first])).toMatchObject([{ level: "ok" }]);
  expect(clientFindings([first, { path: "/b/claude", version: null }])).toMatchObject([
    { level: "ok" },
    { level: "problem", message: "/b/claude does not tell its version" },
    { level: "info", message: expect.stringContaining("/a/claude runs, not /b/claude") },
  ]);
});
