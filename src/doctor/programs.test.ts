import { expect, test } from "vitest";
import { TmuxError, tmuxFailure } from "../tmux/error.js";
import { chooseServer } from "../tmux/socket.js";
import { clientFindings, nodeFindings, serverCure, serverFindings, tmuxFindings } from "./programs.js";

test.each([
  ["tmux 3.3a", "ok"],
  ["tmux 3.8", "ok"],
  ["tmux 3.2", "info"],
  ["tmux next-3.6", "info"],
  ["tmux master", "info"],
  ["tmux 3.1c", "problem"],
  ["tmux 2.9", "problem"],
])("%s is %s", (said, level) => expect(tmuxFindings(said)).toMatchObject([{ level }]));

test.each([
  [new TmuxError("timeout", "tmux list-panes: no answer within 10000 ms"), "hivemind restore"],
  [new TmuxError("failed", "tmux list-panes: unreadable answer"), "3.3a, 3.5a and 3.8"],
  [tmuxFailure("error connecting to /tmp/x (Permission denied)", "list-panes"), "HIVEMIND_TMUX_SOCKET"],
  [tmuxFailure("access not allowed", "list-panes"), "HIVEMIND_TMUX_SOCKET"],
  [tmuxFailure("protocol version mismatch (client 8, server 7)", "list-panes"), "first in PATH"],
  [tmuxFailure("server exited unexpectedly", "list-panes"), "first in PATH"],
])("the cure of %s is not the doctor", (error, cure) => {
  expect(serverCure(error)).toContain(cure);
  expect(serverCure(error)).not.toContain("doctor");
});

test.each([
  ["20.19.0", "ok"],
  ["22.1.0", "ok"],
  ["20.18.3", "problem"],
  ["18.20.4", "problem"],
])("node %s is %s", (version, level) => expect(nodeFindings(version)).toMatchObject([{ level }]));

test.each([
  [null, "info", "tmux -L other new-session -d -s TEAM"],
  ["3.1c", "problem", "save your work, then end it: tmux -L other kill-server"],
  ["3.3a", "ok", null],
])("a server of version %j is %s, with a command for that server", (version, level, fix) => {
  const choice = chooseServer({ HIVEMIND_TMUX_SOCKET: "other" });
  const nothing = { shows: "", status: "", statusUntil: "" };
  const facts = { pid: 1, startedAtMs: 0, socketPath: "/tmp/other", choice, ...nothing };
  const server = version === null ? null : { ...facts, version };
  expect(serverFindings({ server, panes: [] }, choice)).toMatchObject([{ level, fix }]);
});

test("no client is a warning with a command, one is fine, two are reported with the one that runs", () => {
  expect(clientFindings([])).toMatchObject([
    { level: "warning", fix: expect.stringContaining("npm install") },
  ]);
  const first = { path: "/a/claude", version: "2.1.197 (Claude Code)" };
  expect(clientFindings([first])).toMatchObject([{ level: "ok" }]);
  expect(clientFindings([first, { path: "/b/claude", version: null }])).toMatchObject([
    { level: "ok" },
    { level: "problem", message: "/b/claude does not print its version" },
    { level: "info", message: expect.stringContaining("/a/claude is used, not /b/claude") },
  ]);
});
