import { expect, test } from "vitest";
import { fontSizeFor, screenText } from "./screen-text.js";

test("every row is placed, erased and written, and the cursor comes last", () => {
  const text = screenText({ columns: 4, rows: 2, lines: ["\x1b[31mab"], cursor: { column: 1, row: 0 } });
  expect(text).toBe(
    "\x1b[?7l\x1b[?25l\x1b[1;1H\x1b[0m\x1b[2K\x1b[31mab\x1b[2;1H\x1b[0m\x1b[2K\x1b[0m\x1b[1;2H\x1b[?25h",
  );
});

test("a hidden cursor stays hidden", () =>
  expect(screenText({ columns: 1, rows: 1, lines: ["a"], cursor: null })).not.toContain("\x1b[?25h"));

test.each([
  [{ columns: 80, rows: 24 }, { width: 480, height: 1000 }, 10],
  [{ columns: 80, rows: 50 }, { width: 2000, height: 600 }, 10],
  [{ columns: 20, rows: 5 }, { width: 2000, height: 2000 }, 16],
  [{ columns: 400, rows: 24 }, { width: 300, height: 600 }, 5],
])("a screen of %j in %j has letters of %d px", (screen, room, size) =>
  expect(fontSizeFor(screen, room, { widthPerSize: 0.6, heightPerSize: 1.2 })).toBe(size),
);
