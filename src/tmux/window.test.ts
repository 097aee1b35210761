import { expect, test } from "vitest";
import { isLayout } from "./window.js";

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
