import { describe, expect, test } from "vitest";
import { parseTable } from "./ps.js";
import { variableIn } from "./ps-processes.js";

const head = `${" ".repeat(60)}PROGRAM         ARGUMENTS`;
const row = (about: string, program: string, args: string) => `${about} ${program.padEnd(15)} ${args}`;
const at = "Thu Nov  5 09:22:49 2026";

describe("one row of ps", () => {
  const startedAtMs = Date.UTC(2026, 10, 5, 9, 22, 49, 999);

  test.each<[string, string, string | null, string, string[]]>([
    ["on Linux", row(`  12   1 Ss   pts/3    ${at}`, "sh", "sh -c x"), "/dev/pts/3", "sh", ["sh", "-c", "x"]],
    [
      "in front",
      row(`12 1 S+ ttys001 ${at}    `, "claude", "claude -c"),
      "/dev/ttys001",
      "claude",
      ["claude", "-c"],
    ],
    [
      "of a name with a blank",
      row(`12 1 S ?? ${at}`, "tmux: server", "tmux new"),
      null,
      "tmux: server",
      ["tmux", "new"],
    ],
    [
      "of a name as long as its column",
      row(`12 1 S ? ${at}`, "a-name-of-15-by", "x"),
      null,
      "a-name-of-15-by",
      ["x"],
    ],
    ["without arguments", row(`12 1 S ? ${at}`, "kworker", ""), null, "kworker", []],
  ])("%s", (_, line, tty, command, args) => {
    const [found] = parseTable(`${head}\n${line}\n`);
    expect(found).toMatchObject({ pid: 12, ppid: 1, startedAtMs, tty, command, args });
    expect(found).toMatchObject({ isForeground: line.includes("S+"), leader: null, startTicks: null });
    expect(found!.started).toBe("Thu Nov 5 09:22:49 2026");
  });

  test.each([
    row(`12 1 Z pts/3 ${at}`, "sh", "[sh] <defunct>"),
    "12 1 S pts/3 yesterday sh",
    "error: TTY could not be found",
    "",
  ])("%j is not a process", (line) => {
    expect(parseTable(`${head}\n${line}\n`)).toEqual([]);
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
