import { expect, test } from "vitest";
import { idOf } from "../../../test/transcripts/files.js";
import type { TeamName } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import type { Layout } from "../../stores/text/layout-text.js";
import type { SnapshotRead } from "../../stores/text/snapshot-text.js";
import { savedKinds } from "./saved-kinds.js";

const team = "web" as TeamName;

function snapshot(...rows: [number, Kind][]): SnapshotRead {
  const saved = rows.map(([id, kind], pane) => {
    const nothing = { agent: null, role: null, title: "", cwd: "", model: "" };
    return { team: "old" as TeamName, window: 0, pane, uuid: idOf(id), kind, ...nothing };
  });
  return { path: "/s", savedAt: "", isAutosave: false, silent: new Set(), rows: saved, problems: [] };
}

function layout(...commands: string[]): Layout {
  const panes = commands.map((command, pane) => ({ pane, title: "", cwd: "", command }));
  return { team, windows: [{ window: 0, name: "", layout: "", panes }] };
}

const newestFirst = [snapshot([1, "demo"]), snapshot([1, "claude"], [2, "demo"])];

test.each<[string, number | null, number, Kind | null]>([
  ["by the newest snapshot that has its session, of any team", 1, 0, "demo"],
  ["by an older snapshot, if the newest does not have it", 2, 0, "demo"],
  ["by its layout, if no snapshot has it", 3, 1, "claude"],
  ["by its layout, if its session is unknown", null, 1, "claude"],
  ["not by a command that is no agent's", 3, 0, null],
  ["not by the layout of another pane", 3, 7, null],
])("the kind of a pane is known %s", (_, id, pane, expected) => {
  const kindOf = savedKinds(newestFirst, layout("node", "claude"));
  expect(kindOf(0, pane, id === null ? null : idOf(id))).toBe(expected);
});

test("the newest snapshot counts, also after older ones were read", () => {
  const kindOf = savedKinds(newestFirst, null);
  expect([2, 1].map((id) => kindOf(0, 0, idOf(id)))).toEqual(["demo", "demo"]);
});

test("without a layout and a snapshot the kind is unknown", () => {
  expect(savedKinds([], null)(0, 0, idOf(1))).toBeNull();
});
