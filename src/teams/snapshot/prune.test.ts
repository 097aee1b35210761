import { expect, test } from "vitest";
import type { TeamName } from "../../names/gates.js";
import { prunable } from "./prune.js";

function check(snapshots: Record<string, string | null>, keep: number, expected: string[]) {
  const list = Object.entries(snapshots).map(([name, teams]) => ({
    name,
    teams: teams === null ? null : (teams.split(" ").filter(Boolean) as TeamName[]),
  }));
  expect(prunable(list, keep).map(({ name }) => name)).toEqual(expected);
}

test("the newest N stay", () => {
  check({ d: "web", c: "web", b: "web", a: "web" }, 2, ["b", "a"]);
  check({ d: "web", c: "web" }, 5, []);
  check({ d: "web", c: "", b: "web" }, 1, ["c", "b"]);
});

test("the newest of each team stays, and so do unreadable ones", () => {
  check({ d: "web", c: "ops web", b: "ops", a: "old" }, 1, ["b"]);
  check({ d: "web", c: null, b: "web" }, 1, ["b"]);
});
