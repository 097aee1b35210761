// What the programs of each system print, read by the code that reads it there.

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commands } from "../../scripts/record-system.mjs";
import { isBound, lsofQueries, parseNames, portsIn } from "../../src/base/system/lsof.js";
import { parseEnvironments, parseTable, tableArguments } from "../../src/base/system/ps.js";
import { variableIn } from "../../src/base/system/ps-processes.js";

const at = (name: string) => new URL(`../fixtures/system/${name}`, import.meta.url);

/** A recording counts for more than the manual pages. */
function fixtureOf(platform: string) {
  const isRecorded = existsSync(at(`${platform}.json`));
  const name = isRecorded ? `${platform}.json` : `${platform}.manual.json`;
  const fixture = JSON.parse(readFileSync(at(name), "utf8"));
  const title = isRecorded ? `recorded on ${fixture.recorded}` : "not recorded: from the manual pages";
  return [`${platform} (${title})`, fixture] as const;
}

describe.each([fixtureOf("darwin"), fixtureOf("linux")])("%s", (_, { platform, told, outputs }) => {
  const table = parseTable(outputs.table.stdout, platform);
  const processOf = (pid: number) => table.find((each) => each.pid === pid)!;

  test("processes have their parents, names and arguments", () => {
    expect(processOf(told.sleeper)).toMatchObject({ ppid: told.recorder, args: ["two", "words", "611"] });
    expect(processOf(told.server)).toMatchObject({ ppid: told.recorder, command: "node" });
    expect(processOf(told.server).line).toMatch(/ an argument$/);
    expect(processOf(told.title)).toMatchObject({ command: "a-title", args: ["a-title"] });
    for (const { startedAtMs } of table) expect(startedAtMs).toBeGreaterThan(Date.UTC(2026, 0));
  });

  test("a start is the same text in the table and alone", () => {
    const [, ...words] = outputs.start.stdout.trim().split(/\s+/);
    expect(words.join(" ")).toBe(processOf(told.sleeper).started);
  });

  test("variables are found behind the arguments", () => {
    const printed = parseEnvironments(outputs.environments.stdout);
    for (const pid of [told.sleeper, told.server, told.title]) {
      const { line } = processOf(pid);
      expect(printed.get(pid)!.startsWith(line)).toBe(true);
      const environment = printed.get(pid)!.slice(line.length);
      expect(variableIn(environment, "CLAUDE_CONFIG_DIR")).toBe("/some/where");
      expect(variableIn(environment, "SPACED")).toBe("a b  c");
      expect(variableIn(environment, "HOME")).toBeNull();
    }
  });

  test("folders, sockets and ports are those of the process", () => {
    expect(parseNames(outputs.folder.stdout)).toEqual([told.work]);
    expect(isBound(parseNames(outputs.unixSockets.stdout), told.socket)).toBe(true);
    expect(isBound(parseNames(outputs.unixSockets.stdout), `${told.socket}2`)).toBe(false);
    expect(portsIn(parseNames(outputs.listening.stdout))).toEqual([told.port]);
  });
});

test("the script records the commands of the source", () => {
  expect(commands.table().slice(1)).toEqual(tableArguments);
  for (const query of ["folder", "input", "unixSockets", "listening"] as const)
    expect(commands[query](1)).toEqual(["lsof", "-a", "-p", "1", ...lsofQueries[query], "-Fn"]);
});
