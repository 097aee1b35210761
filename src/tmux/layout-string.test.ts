import { expect, test } from "vitest";
import { isLayout, layoutOfAllVersions } from "./layout-string.js";

test.each(["tiled", "even-vertical", "b25d,80x24,0,0,0", "c195,80x24,0,0[80x12,0,0,0,80x11,0,13,1]"])(
  "%s is a layout",
  (layout) => {
    expect(isLayout(layout)).toBe(true);
  },
);

test.each([
  "",
  "nonsense",
  "zzzz,80x24,0,0,0",
  "ffff,80x24,0,0,0",
  "c195,80x24,0,0[80x12,0,0,0,80x11,0,13,2]",
  "c4c8,garbage",
  "b25d,80x24,0,0,0\n",
])("%j is not a layout", (layout) => {
  expect(isLayout(layout)).toBe(false);
});

const json = (cell: object) => JSON.stringify({ V: 2, L: cell });
const pane = (w: number, h: number, x: number, y: number, id: number, more = {}) => ({
  ...{ t: "p", w, h, x, y, i: id, I: `%${id}` },
  ...more,
});
const twoBeside = [pane(100, 50, 0, 0, 0, { l: 1 }), pane(99, 50, 101, 0, 1, { a: true })];
const floating = pane(100, 12, 4, 2, 9, { z: 0 });

test.each([
  ["a string of all versions", "b25d,80x24,0,0,0", "b25d,80x24,0,0,0"],
  ["one pane", json(pane(80, 24, 0, 0, 0)), "b25d,80x24,0,0,0"],
  [
    "rows in a column",
    json({
      ...{ t: "h", w: 200, h: 50, x: 0, y: 0 },
      c: [
        pane(100, 50, 0, 0, 0),
        { t: "v", w: 99, h: 50, x: 101, y: 0, c: [pane(99, 25, 101, 0, 1), pane(99, 24, 101, 26, 2)] },
      ],
    }),
    "21be,200x50,0,0{100x50,0,0,0,99x50,101,0[99x25,101,0,1,99x24,101,26,2]}",
  ],
  [
    "a floating pane",
    json({ t: "h", w: 200, h: 50, x: 0, y: 0, c: [...twoBeside, floating] }),
    layoutOfAllVersions(json({ t: "h", w: 200, h: 50, x: 0, y: 0, c: twoBeside })),
  ],
  [
    "a floating pane over one pane",
    json({ t: "h", w: 80, h: 24, x: 0, y: 0, c: [pane(80, 24, 0, 0, 0), floating] }),
    "b25d,80x24,0,0,0",
  ],
])("%s is written in the form of all versions", (_, written, expected) => {
  expect(layoutOfAllVersions(written)).toBe(expected);
  expect(isLayout(expected)).toBe(true);
});

test.each(["{", "{}", json({ t: "q", w: 1 }), json({ t: "h", w: 1, h: 1, x: 0, y: 0, c: [] })])(
  "%j is not understood, and no layout",
  (written) => {
    expect(layoutOfAllVersions(written)).toBe(written);
    expect(isLayout(written)).toBe(false);
  },
);
