import { expect, test } from "vitest";
import type { TeamName } from "../names/gates.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";
import type { TmuxPane } from "../tmux/listing.js";
import { layoutOf, layoutOfRows } from "./layout-of.js";

const team = "web" as TeamName;

function pane(sessionName: string, windowIndex: number, paneIndex: number): TmuxPane {
  return {
    ...{
      sessionName,
      windowIndex,
      paneIndex,
      windowName: `w${windowIndex}`,
      windowLayout: `l${windowIndex}`,
    },
    ...{ title: `✳ t${paneIndex}`, cwd: paneIndex === 1 ? "" : "/now", startPath: "/start", command: "sh" },
  } as TmuxPane;
}

function row(of: string, window: number, index: number): SnapshotRow {
  const rest = {
    agent: null,
    role: null,
    uuid: null,
    title: "t",
    cwd: "/c",
    model: "",
    kind: "shell",
  } as const;
  return { team: of as TeamName, window, pane: index, ...rest };
}

test("a layout has every window and pane of exactly this team, in order (incident 11)", () => {
  const panes = [pane("web", 3, 1), pane("web2", 0, 0), pane("web", 3, 0), pane("web", 1, 0)];
  expect(layoutOf(panes, team)).toEqual({
    team,
    windows: [
      { window: 1, name: "w1", layout: "l1", panes: [{ pane: 0, title: "t0", cwd: "/now", command: "sh" }] },
      {
        window: 3,
        name: "w3",
        layout: "l3",
        panes: [
          { pane: 0, title: "t0", cwd: "/now", command: "sh" },
          { pane: 1, title: "t1", cwd: "/start", command: "sh" },
        ],
      },
    ],
  });
  expect(layoutOf(panes, "we" as TeamName)).toBeNull();
});

test("the snapshot decides which panes exist, the layout how they are arranged (incident 10)", () => {
  const saved = layoutOf([pane("web", 0, 0), pane("web", 0, 1), pane("web", 1, 0), pane("web", 9, 0)], team);
  const { windows } = layoutOfRows(team, [row("web", 1, 0), row("web", 0, 98), row("other", 0, 0)], saved);
  expect(windows).toEqual([
    { window: 0, name: "", layout: "", panes: [{ pane: 98, title: "t", cwd: "/c", command: "" }] },
    { window: 1, name: "w1", layout: "l1", panes: [{ pane: 0, title: "t", cwd: "/c", command: "" }] },
  ]);
  expect(layoutOfRows(team, [row("web", 1, 0)], null).windows).toMatchObject([{ name: "", layout: "" }]);
});
