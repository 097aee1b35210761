import { expect, test } from "vitest";
import type { TeamName } from "../names/gates.js";
import { goesAsFork, ownHost } from "./migrate.js";

test.each([
  ["runs here, and goes on", true, null, false, true],
  ["runs here, and is to end", true, null, true, false],
  ["does not run", false, null, false, false],
  ["does not run, and forks are wanted", false, true, false, true],
  ["is to end, and forks are wanted", true, true, true, true],
  ["is to end, and goes as itself", true, false, true, false],
])("[MIG3] a team that %s", (_, isRunning, isFork, isDown, wanted) =>
  expect(goesAsFork(isRunning, { team: "web" as TeamName, maps: [], isFork, isDown })).toBe(wanted),
);

test("[MIG3] a team that runs on does not go as itself", () => {
  const choice = { team: "web" as TeamName, maps: [], isFork: false, isDown: false };
  expect(() => goesAsFork(true, choice)).toThrow("open on both hosts");
});

test.each([
  ["vm", "vm"],
  ["a.example.org", "a.example.org"],
  ["-x", "x"],
  ["..", "host"],
  ["ä b", "b"],
  ["x".repeat(100), "x".repeat(64)],
])("a host that calls itself %j is %s to others", (name, wanted) => expect(ownHost(name)).toBe(wanted));
