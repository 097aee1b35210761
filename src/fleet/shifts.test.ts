import { describe, expect, test } from "vitest";
import type { PaneAddress, PaneId, Role } from "../names/gates.js";
import { formatMark, parseMark } from "./mark.js";
import { findShifts, type MarkedPane } from "./shifts.js";

const mark = (address: string) => ({ address: address as PaneAddress, role: "po" as Role });
const pane = (address: string, marked?: string): MarkedPane => ({
  address,
  sessionName: address.slice(0, address.lastIndexOf(":")),
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
    "[SH3] two panes with one claim are both ignored",
    [pane("a:0.1", "a:0.0"), pane("b:0.0", "a:0.0")],
    [],
  );
});
