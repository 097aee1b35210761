import { expect, test } from "vitest";
import type { TeamName } from "../../names/gates.js";
import { StoreError } from "../../stores/file/error.js";
import type { Snapshots } from "../../stores/snapshots.js";
import type { SnapshotRead } from "../../stores/text/snapshot-text.js";
import { newestOfEach, newestWith, readSnapshots } from "./newest.js";

function snapshot(path: string, ...teams: string[]): SnapshotRead {
  const rows = teams.map((team) => ({ team: team as TeamName })) as unknown as SnapshotRead["rows"];
  return { path, savedAt: "", isAutosave: false, silent: new Set(), rows, problems: [] };
}

const all = [snapshot("new", "b", "a2"), snapshot("mid", "a", "b"), snapshot("old", "a", "c")];

test("a team is restored from the newest snapshot that has exactly this team (incident 11)", () => {
  const found = (team: string) => newestWith(team as TeamName, all)?.path ?? null;
  expect(["a", "b", "c", "d"].map(found)).toEqual(["mid", "new", "old", null]);
  const each = [...newestOfEach(all)].map(([team, { path }]) => `${team} ${path}`);
  expect(each.sort()).toEqual(["a mid", "a2 new", "b new", "c old"]);
});

test("an unreadable snapshot is reported and skipped", () => {
  const snapshots = {
    list: () => all.map(({ path }) => ({ path, name: path, savedAtMs: 0 })),
    read(path: string) {
      if (path === "new") throw new StoreError("newer", path, "version 2");
      return all.find((each) => each.path === path)!;
    },
  } as unknown as Snapshots;
  const said: string[] = [];
  const read = readSnapshots(snapshots, (_, path) => said.push(path));
  expect(newestWith("b" as TeamName, read)?.path).toBe("mid");
  expect(said).toEqual(["new"]);
});
