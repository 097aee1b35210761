import { expect, test } from "vitest";
import { geometryOf, sameGeometry } from "./geometry.js";

// As tmux 3.3a printed them.
const three = "a3e5,180x44,0,0{90x44,0,0,0,89x44,91,0[89x22,91,0,1,89x21,91,23,2]}";
const sameElsewhere = "67eb,180x44,0,0{90x44,0,0,4,89x44,91,0[89x22,91,0,6,89x21,91,23,5]}";
const single = "bc80,180x44,0,0,3";

test("layouts are compared by their cells, not by pane ids and checksum", () => {
  expect(sameGeometry(three, sameElsewhere)).toBe(true);
  expect(sameGeometry(three, single)).toBe(false);
  expect(
    sameGeometry(three, withChecksum("180x44,0,0{89x44,0,0,0,90x44,90,0[90x22,90,0,1,90x21,90,23,2]}")),
  ).toBe(false);
  expect(sameGeometry("tiled", "tiled")).toBe(false);
});

test("the cells of a valid layout are in the order of the panes", () => {
  expect(geometryOf(three)).toEqual({
    width: 180,
    height: 44,
    cells: [
      { width: 90, height: 44, left: 0, top: 0 },
      { width: 89, height: 22, left: 91, top: 0 },
      { width: 89, height: 21, left: 91, top: 23 },
    ],
  });
  expect(geometryOf(single)?.cells).toHaveLength(1);
});

test.each([
  ["a name of a tmux layout", "tiled"],
  ["nothing", ""],
  ["a wrong checksum", `0000${three.slice(4)}`],
  ["cells that leave a gap", withChecksum("180x44,0,0{80x44,0,0,0,89x44,91,0,1}")],
  ["cells that overlap", withChecksum("180x44,0,0{90x44,0,0,0,89x44,90,0,1}")],
  ["cells that are higher than their parent", withChecksum("180x44,0,0{90x44,0,0,0,89x45,91,0,1}")],
  ["a row of one cell", withChecksum("180x44,0,0{180x44,0,0,0}")],
  ["a missing end", withChecksum("180x44,0,0{90x44,0,0,0,89x44,91,0,1")],
  ["the wrong end", withChecksum("180x44,0,0{90x44,0,0,0,89x44,91,0,1]")],
  ["text after the end", withChecksum("180x44,0,0,1]")],
  ["a cell without columns", withChecksum("0x44,0,0,1")],
  ["a window larger than any screen", withChecksum("9999x9999,0,0,1")],
  ["brackets without end", withChecksum("1x1,0,0{".repeat(1900))],
  ["a string without end", withChecksum(`180x44,0,0{${"1x44,0,0,1,".repeat(5000)}`)],
])("%s is not a geometry", (_, layout) => expect(geometryOf(layout)).toBeNull());

function withChecksum(cells: string): string {
  let sum = 0;
  for (const byte of Buffer.from(cells)) sum = ((sum >> 1) + ((sum & 1) << 15) + byte) & 0xffff;
  return `${sum.toString(16).padStart(4, "0")},${cells}`;
}
