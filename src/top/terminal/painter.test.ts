import { describe, expect, test } from "vitest";
import { type Frame, span } from "./frame.js";
import { openPainter } from "./painter.js";

const size = { columns: 10, rows: 4 };

/** Everything that the paints write, without the marks of synchronized output. */
function painting() {
  const writes: string[] = [];
  const painter = openPainter((text) => writes.push(text), { isColoured: false });
  const paint = (lines: readonly string[], cursor: Frame["cursor"] = null, on = size) => {
    painter.paint({ lines: lines.map((line) => [span(line)]), cursor }, on);
    return writes.splice(0).map((text) => {
      expect(text).toMatch(/^\x1b\[\?2026h.*\x1b\[\?2026l$/);
      return text.slice(8, -8).replaceAll("\x1b[", "⟨");
    });
  };
  return { ...painter, paint };
}

describe("a paint", () => {
  test("writes everything at first, in one write", () =>
    expect(painting().paint(["a", "", "c"])).toEqual(["⟨m⟨2J⟨1Ha⟨3Hc⟨?25l"]));

  test("writes nothing if nothing changed", () => {
    const { paint } = painting();
    paint(["a", "b"], { row: 0, column: 1 });
    expect(paint(["a", "b"], { row: 0, column: 1 })).toEqual([]);
    expect(paint(["a", "b   "], { row: 0, column: 1 })).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["a longer line", "abcd", "⟨2Habcd"],
    ["a line of the same length", "abd", "⟨2Habd"],
    ["a shorter line", "ab", "⟨2Hab⟨K"],
    ["a full line", "abcdefghij", "⟨2Habcdefghij"],
    ["a line that is too long", "abcdefghijk", "⟨2Habcdefghi…"],
    ["no line", "", "⟨2H⟨K"],
    ["wide characters", "東京", "⟨2H東京"],
    ["a text of uncertain width", "😀", "⟨2H⟨K😀"],
  ])("writes only what changed: %s", (_, line, written) => {
    const { paint } = painting();
    paint(["a", "abc", "c"]);
    expect(paint(["a", line, "c"])).toEqual([written]);
  });

  test("erases a text of uncertain width before it writes over it", () => {
    const { paint } = painting();
    paint(["😀😀"]);
    expect(paint(["abcdef"])).toEqual(["⟨1H⟨Kabcdef"]);
  });

  test("erases lines that are gone, and leaves out those below the last row", () => {
    const { paint } = painting();
    paint(["a", "b", "c"]);
    expect(paint(["a"])).toEqual(["⟨2H⟨K⟨3H⟨K"]);
    expect(paint(["a", "", "", "d", "e"])).toEqual(["⟨4Hd"]);
  });

  test("keeps the cursor in its place", () => {
    const { paint } = painting();
    paint(["a"], { row: 0, column: 1 });
    expect(paint(["b"], { row: 0, column: 1 })).toEqual(["⟨1Hb⟨1;2H⟨?25h"]);
    expect(paint(["b"], { row: 9, column: 99 })).toEqual(["⟨4;10H⟨?25h"]);
    expect(paint(["b"])).toEqual(["⟨?25l"]);
    expect(paint(["c"])).toEqual(["⟨1Hc"]);
  });

  test("writes everything again after a change of the size, and when the screen is forgotten", () => {
    const { paint, forget } = painting();
    paint(["a"]);
    expect(paint(["a"], null, { columns: 11, rows: 4 })).toEqual(["⟨m⟨2J⟨1Ha⟨?25l"]);
    expect(paint(["a"], null, { columns: 11, rows: 5 })).toEqual(["⟨m⟨2J⟨1Ha⟨?25l"]);
    forget();
    expect(paint(["a"], null, { columns: 11, rows: 5 })).toEqual(["⟨m⟨2J⟨1Ha⟨?25l"]);
  });

  test("keeps blanks that can be seen", () => {
    const writes: string[] = [];
    const painter = openPainter((text) => writes.push(text), { isColoured: true });
    painter.paint({ lines: [[span("a  ", { isInverse: true }), span("  ")]], cursor: null }, size);
    expect(writes[0]).toContain("\x1b[7ma  \x1b[m\x1b[?25l");
  });
});
