import { describe, expect, test } from "vitest";
import { exitCodes } from "../base/errors.js";
import { isTmuxError, TmuxError, tmuxFailure } from "./error.js";

describe("tmux's messages and their meaning", () => {
  test.each([
    ["no server running on /tmp/tmux-0/default\n", "no-server"],
    ["error connecting to /tmp/x.sock (No such file or directory)\n", "no-server"],
    ["error connecting to /tmp/x.sock (Permission denied)\n", "failed"],
    ["error connecting to /tmp/file/x (Not a directory)", "failed"],
    ["sh: 0: getcwd() failed\nerror connecting to /tmp/x.sock (No such file or directory)\n", "no-server"],
    ["lost server", "failed"],
    ["server exited unexpectedly", "failed"],
    ["command too long", "failed"],
    ["", "failed"],
    ["can't find pane: %9", "no-target"],
    ["no such pane: %9", "no-target"],
    ["no current target", "no-target"],
    ["can't find session: $9", "no-target"],
    ["can't find window: @9", "no-target"],
    ["-:2: can't find pane: %9", "no-target"],
    ["duplicate session: no server running on x", "duplicate"],
  ])("%j is %s", (said, reason) => {
    expect(tmuxFailure(said, "list-panes").reason).toBe(reason);
  });
});

test("only an answer of tmux is a refusal; every other failure means that we could not ask", () => {
  expect(new TmuxError("no-target", "x").exitCode).toBe(exitCodes.refused);
  expect(new TmuxError("duplicate", "x").exitCode).toBe(exitCodes.refused);
  for (const reason of ["no-server", "timeout", "missing", "failed"] as const) {
    expect(new TmuxError(reason, "x").exitCode).toBe(exitCodes.couldNotLook);
  }
});

test("the message names the command, has tmux's words, and is safe on a terminal", () => {
  const failure = tmuxFailure("can't find session: \u001b[31mx\n", "kill-session");
  expect(failure.message).toBe("tmux kill-session: can't find session: ␛[31mx");
  expect(failure.hint).toContain("hivemind status");
  expect(isTmuxError(failure, "no-target")).toBe(true);
  expect(isTmuxError(new Error("x"), "no-target")).toBe(false);
});
