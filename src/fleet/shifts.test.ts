import { describe, expect, test } from "vitest";
import type { PaneAddress, PaneId, Role, TeamName } from "../names/gates.js";
import { formatMark, parseMark } from "./mark.js";
import { findShifts, homesIn, type MarkedPane, rowsNow } from "./shifts.js";

const mark = (address: string) => ({ address: address as PaneAddress, role: "po" as Role });
const pane = (address: string, marked?: string, alsoAt: string[] = []): MarkedPane => ({
  address,
  alsoAt,
  sessionName: address.slice(0, address.lastIndexOf(":")),
  sessionId: "$1",
  team: "",
  mark: marked === undefined ? null : mark(marked),
});

describe("marks", () => {
  test.each([
    ["%5|web4team:0.1|web4-po", { address: "web4team:0.1", role: "web4-po" }],
    ["%6|web4team:0.1|web4-po", null],
    ["", null],
  ])("[M1] pane %%5 with %j carries %j", (value, expected) => {
    expect(parseMark("%5", value)).toEqual(expected);
  });

  test.each(["%5", "%5|x|po", "%5|a:0.1|", "%5|a:0.1|po|more", "%5|a:0.1|Read session/x", "%5|a:0.1\n|po"])(
    "[M2] %j is no mark",
    (value) => expect(parseMark("%5", value)).toBeNull(),
  );

  test("[M1] a mark reads back as it was written", () => {
    const written = { address: "a:1.2" as PaneAddress, role: "b.c" as Role };
    expect(parseMark("%7", formatMark("%7" as PaneId, written))).toEqual(written);
  });
});

describe("shifts", () => {
  const check = (
    title: string,
    panes: MarkedPane[],
    moved: [string, string][],
    renamed: [string, string][] = [],
  ) =>
    test(title, () => {
      const shifts = findShifts(panes);
      expect([...shifts.moved]).toEqual(moved);
      expect(shifts.renamedTeams).toEqual(renamed.map(([from, to]) => ({ from, to })));
    });

  check("[SH1] a pane where its mark says has not moved", [pane("a:0.0", "a:0.0"), pane("a:0.1")], []);
  check(
    "[SH1] a closed pane shifts those behind it",
    [pane("a:0.0", "a:0.0"), pane("a:0.1", "a:0.2")],
    [["a:0.2", "a:0.1"]],
  );
  check(
    "[SH1] a swap is two entries at once",
    [pane("a:0.0", "a:0.1"), pane("a:0.1", "a:0.0")],
    [
      ["a:0.1", "a:0.0"],
      ["a:0.0", "a:0.1"],
    ],
  );
  check(
    "[SH2] a renamed team that swapped a pane with another team was still renamed",
    [pane("b:0.0", "a:0.0"), pane("n:0.0", "b:0.0"), pane("n:0.1", "a:0.1"), pane("b:0.1", "b:0.1")],
    [
      ["a:0.0", "b:0.0"],
      ["b:0.0", "n:0.0"],
      ["a:0.1", "n:0.1"],
    ],
    [["a", "n"]],
  );
  check(
    "[SH2] a team that was renamed after all panes of another came into it is the one that was renamed",
    [pane("n:0.0", "a:0.0"), pane("n:5.0", "b:0.0")],
    [
      ["a:0.0", "n:0.0"],
      ["b:0.0", "n:5.0"],
    ],
    [["a", "n"]],
  );
  check(
    "[SH2] of two teams in one place nobody can tell which was renamed",
    [pane("n:0.0", "a:0.0"), pane("n:1.0", "b:1.0")],
    [
      ["a:0.0", "n:0.0"],
      ["b:1.0", "n:1.0"],
    ],
  );
  check(
    "[SH2] a team whose panes went to several others was not renamed",
    [pane("b:0.1", "a:0.0"), pane("n:0.2", "a:0.1"), pane("b:0.0", "b:0.0")],
    [
      ["a:0.0", "b:0.1"],
      ["a:0.1", "n:0.2"],
    ],
  );
  check(
    "[SH2] nor was one of which only a pane in a team that marks know kept its window and number",
    [pane("b:0.0", "a:0.0"), pane("n:0.2", "a:0.1"), pane("b:0.5", "b:0.5")],
    [
      ["a:0.0", "b:0.0"],
      ["a:0.1", "n:0.2"],
    ],
  );
  check("[SH1] a pane without a mark says nothing", [pane("a:0.0"), pane("b:0.0")], []);
  check("[SH1] a tmux session with a name no row can hold is left alone", [pane("my team:0.0", "a:0.0")], []);
  check(
    "[SH2] a renamed tmux session is a renamed team",
    [pane("new:0.0", "old:0.0"), pane("new:0.1", "old:0.1")],
    [
      ["old:0.0", "new:0.0"],
      ["old:0.1", "new:0.1"],
    ],
    [["old", "new"]],
  );
  check(
    "[SH2] a pane moved to another team renames nothing while its team runs",
    [pane("b:0.1", "a:0.1"), pane("a:0.0", "a:0.0")],
    [["a:0.1", "b:0.1"]],
  );
  check(
    "[SH2] a team that was spread over two is not a rename",
    [pane("b:0.0", "a:0.0"), pane("c:0.0", "a:0.1")],
    [
      ["a:0.0", "b:0.0"],
      ["a:0.1", "c:0.0"],
    ],
  );
  check(
    "[SH2] a team whose tmux session still shows a pane, though that is another's, was not renamed",
    [pane("n:0.0", "a:0.0"), pane("b:0.0", "b:0.0", ["a:5.0"])],
    [["a:0.0", "n:0.0"]],
  );
  check(
    "[SH3] two panes with one claim are both ignored",
    [pane("a:0.1", "a:0.0"), pane("b:0.0", "a:0.0")],
    [],
  );
});

describe("[SH4] the name of a team", () => {
  /** Rows of these addresses; their teams are registered. */
  const stored = (...panes: string[]) => ({
    teams: [...new Set(panes.map((each) => each.split(":")[0]!))].map((team) => ({ team: team as TeamName })),
    roles: panes.map((each) => ({ pane: each as PaneAddress })),
    sessions: [],
  });
  /** In a tmux session that this team was registered in. */
  const of = (team: string, address: string, marked?: string) => ({
    ...pane(address, marked),
    team: `$1|${team}`,
  });
  const renamed = [of("a", "b:0.0", "a:0.0"), of("a", "b:0.1")];
  const joined = [pane("b:0.1", "a:0.1"), pane("b:0.0"), pane("a:0.0", "a:0.0"), pane("a:0.1", "a:0.2")];

  test.each([
    [
      "that does not run is borrowed by a tmux session that got it",
      renamed,
      stored("a:0.0", "b:0.0"),
      "b",
      "b a",
    ],
    [
      "is borrowed by a pane that came into a tmux session of it",
      joined,
      stored("a:0.1", "b:0.0"),
      "b",
      "b a",
    ],
    [
      "holds all that hangs together, and no more",
      [...renamed, pane("c:0.0", "a:0.5"), pane("c:0.1", "c:0.1"), pane("d:0.0", "d:0.1")],
      stored("a:0.0", "b:0.0", "c:0.1", "d:0.1"),
      "b",
      "b a c",
    ],
    [
      "of which a pane runs is not borrowed",
      [...renamed, pane("n:0.0", "b:0.0")],
      stored("a:0.0", "b:0.0"),
      "",
      "",
    ],
    ["without rows is free", renamed, { ...stored("a:0.0"), teams: stored("a:0.0", "b:0.0").teams }, "", ""],
    [
      "that is not registered is free",
      renamed,
      { ...stored("a:0.0", "b:0.0"), teams: stored("a:0.0").teams },
      "",
      "",
    ],
    [
      "was not borrowed by who got it for good: only marks are left to follow",
      renamed,
      stored("b:0.0"),
      "",
      "",
    ],
    [
      "whose tmux session lost its panes is not borrowed by one that came into it",
      [of("b", "b:0.0", "a:0.1")],
      stored("a:0.1", "b:0.0"),
      "",
      "",
    ],
    [
      "stays borrowed when somebody begins another tmux session under the old one",
      [...renamed, pane("a:0.0")],
      stored("a:0.0", "b:0.0"),
      "b",
      "b a",
    ],
  ])("[SH4] %s", (_, panes, rows, borrowed, held) => {
    const shifts = findShifts(panes, () => rows);
    expect([[...shifts.borrowed].join(" "), [...shifts.held].join(" ")]).toEqual([borrowed, held]);
    if (held !== "") expect(shifts.renamedTeams).toEqual([]);
  });

  test("[SH4] while it is borrowed messages find the panes where they were, and its rows are nobody's", () => {
    const rows = stored("a:0.1", "a:0.2", "b:0.0", "b:0.1");
    const panes = joined.map((each, at) => ({ ...each, id: `%${at}` as PaneId }));
    const shifts = findShifts(panes, () => rows);
    expect(
      homesIn({ server: null, panes, shifts }).panes.map(({ id, address }) => `${id} ${address}`),
    ).toEqual(["%0 a:0.1", "%2 a:0.0", "%3 a:0.2"]);
    expect(rowsNow(rows.roles, shifts).map((row) => row.pane)).toEqual(["b:0.1", "a:0.1"]);
  });
});
