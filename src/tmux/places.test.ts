import { describe, expect, test } from "vitest";
import type { PaneAddress } from "../names/gates.js";
import { onceEach } from "./places.js";

/** A place of a pane of one window: its tmux session, the pane's option, and the team the session carries. */
type Line = [address: string, session: string, marked?: string | undefined, team?: string | undefined];

function check(title: string, panes: Line[][], expected: string[]) {
  test(title, () => {
    const rows = panes.flatMap((lines, at) =>
      lines.map(([address, sessionId, marked, team]) => ({
        id: `%${at}`,
        address: address as PaneAddress,
        sessionId,
        sessionName: address.slice(0, address.lastIndexOf(":")),
        windowIndex: Number(/:(\d+)\./.exec(address)![1]),
        hivemind: marked === undefined ? "" : `%${at}|${marked}|po`,
        team: team === undefined ? "" : `${sessionId}|${team}`,
      })),
    );
    expect(onceEach(rows).map(({ address, alsoAt }) => [address, ...alsoAt].join(" "))).toEqual(expected);
  });
}

/** A window that an older tmux session shows too. */
const linked = (pane: number, marked?: string, keepTeam?: string, team = "alpha"): Line[] => [
  [`keep:5.${pane}`, "$0", marked, keepTeam],
  [`alpha:0.${pane}`, "$1", marked, team],
];

describe("a pane in several tmux sessions", () => {
  check("is in the team that its option names", [linked(0, "alpha:0.0")], ["alpha:0.0 keep:5.0"]);
  check(
    "is there even if both tmux sessions carry a team",
    [linked(0, "alpha:0.0", "keep"), linked(1, "keep:5.1", "keep")],
    ["alpha:0.0 keep:5.0", "keep:5.1 alpha:0.1"],
  );
  check(
    "that moved inside its team is still there",
    [linked(0, "alpha:7.3", "keep")],
    ["alpha:0.0 keep:5.0"],
  );
  check(
    "is there after its tmux session was renamed",
    [linked(0, "was:0.0", "keep", "was")],
    ["alpha:0.0 keep:5.0"],
  );
  check("whose team is gone is where it is shown", [[["keep:5.0", "$0", "alpha:0.0"]]], ["keep:5.0"]);
  check(
    "without an option is in the tmux session that carries a team",
    [linked(0), linked(1, "was:0.1")],
    ["alpha:0.0 keep:5.0", "alpha:0.1 keep:5.1"],
  );
  check(
    "without any option is where the oldest tmux session has it, at its lowest window",
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
