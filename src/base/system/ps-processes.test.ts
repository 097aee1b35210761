import { describe, expect, test } from "vitest";
import { parseProcess, variableIn } from "./ps-processes.js";

describe("one line of ps", () => {
  const startedAtMs = Date.UTC(2026, 10, 5, 9, 22, 49, 999);

  test.each([
    ["  12   1 Ss   pts/3    Thu Nov  5 09:22:49 2026 sh", "/dev/pts/3", "sh"],
    [
      "  12     1 S+   ttys001  Thu Nov  5 09:22:49 2026     /Applications/My App/claude  ",
      "/dev/ttys001",
      "claude",
    ],
    ["12 1 S ?? Thu Nov  5 09:22:49 2026 two words", null, "two words"],
    ["12 1 S ? Thu Nov  5 09:22:49 2026 (odd) name", null, "(odd) name"],
  ])("%j", (line, tty, command) => {
    expect(parseProcess(line)).toEqual({
      pid: 12,
      ppid: 1,
      startTicks: null,
      startedAtMs,
      leader: null,
      tty,
      isForeground: line.includes("S+"),
      command,
      args: [],
    });
  });

  test.each([
    "12 1 Z pts/3 Thu Nov  5 09:22:49 2026 sh <defunct>",
    "12 1 S pts/3 yesterday sh",
    "error: TTY could not be found",
    "",
  ])("%j is not a process", (line) => {
    expect(parseProcess(line)).toBeNull();
  });
});

test.each([
  [" A=1 CLAUDE_CONFIG_DIR=/x B=2", "/x"],
  [" CLAUDE_CONFIG_DIR=/Users/me/Application Support/c B=2", "/Users/me/Application Support/c"],
  [" CLAUDE_CONFIG_DIR=", ""],
  [" MY_CLAUDE_CONFIG_DIR=/x", null],
  ["", null],
])("in %j the variable is %j", (environment, value) => {
  expect(variableIn(environment, "CLAUDE_CONFIG_DIR")).toBe(value);
});
