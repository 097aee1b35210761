import { describe, expect, test } from "vitest";
import type { PaneAddress } from "../names/gates.js";
import { onceEach } from "./places.js";

/** A place of a pane of one window: in which tmux session, where the pane's mark says, and whether that is a team's. */
type Line = [address: string, session: string, marked?: string | undefined, isTeam?: "team" | undefined];

function check(title: string, panes: Line[][], expected: string[]) {
  test(title, () => {
    const rows = panes.flatMap((lines, at) =>
      lines.map(([address, sessionId, marked, isTeam]) => ({
        id: `%${at}`,
        address: address as PaneAddress,
        sessionId,
        sessionName: address.slice(0, address.lastIndexOf(":")),
        windowId: "@1",
        windowIndex: Number(/:(\d+)\./.exec(address)![1]),
        hivemind: marked === undefined ? "" : `%${at}|${marked}|po`,
        team: isTeam === undefined ? "" : `${sessionId}|a`,
      })),
    );
    expect(onceEach(rows).map(({ address, alsoAt }) => [address, ...alsoAt].join(" "))).toEqual(expected);
  });
}

/** A window that an older tmux session shows too. */
const linked = (pane: number, marked?: string, isKeepTeam?: "team"): Line[] => [
  [`keep:5.${pane}`, "$0", marked, isKeepTeam],
  [`alpha:0.${pane}`, "$1", marked, "team"],
];

describe("[PZ1] a marked pane", () => {
  check("[PZ1] stays where its mark says", [linked(0, "alpha:0.0")], ["alpha:0.0 keep:5.0"]);
  check(
    "[PZ1] stays there also where both tmux sessions are teams",
    [linked(0, "alpha:0.0", "team"), linked(1, "keep:5.1", "team")],
    ["alpha:0.0 keep:5.0", "keep:5.1 alpha:0.1"],
  );
  check(
    "[PZ1] stays there where its own tmux session shows it twice",
    [
      [
        ["a:2.0", "$1", "a:3.0", "team"],
        ["a:3.0", "$1", "a:3.0", "team"],
      ],
    ],
    ["a:3.0 a:2.0"],
  );
  check(
    "[PZ1] that moved inside its tmux session is still there",
    [linked(0, "alpha:7.3", "team")],
    ["alpha:0.0 keep:5.0"],
  );
  check(
    "[PZ1] whose tmux session is gone stands where it is shown",
    [[["keep:5.0", "$0", "alpha:0.0"]]],
    ["keep:5.0"],
  );
});

describe("[PZ2] a pane whose mark tells nothing", () => {
  check(
    "[PZ2] is where those beside it are marked",
    [linked(0, "alpha:0.0", "team"), linked(1, undefined, "team")],
    ["alpha:0.0 keep:5.0", "alpha:0.1 keep:5.1"],
  );
  check(
    "[PZ2] is in the tmux session that has had registered panes",
    [linked(0), linked(1, "was:0.1")],
    ["alpha:0.0 keep:5.0", "alpha:0.1 keep:5.1"],
  );
  check(
    "[PZ2] of two such is at the window that its mark says: its tmux session was renamed",
    [linked(0, "was:0.0", "team")],
    ["alpha:0.0 keep:5.0"],
  );
  check(
    "[PZ2] is where the oldest has it at its lowest window",
    [
      [
        ["b:0.0", "$12"],
        ["a:3.0", "$9"],
        ["a:2.0", "$9"],
      ],
    ],
    ["a:2.0 a:3.0 b:0.0"],
  );
});
