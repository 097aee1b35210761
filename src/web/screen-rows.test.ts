import fc from "fast-check";
import { expect, test } from "vitest";
import { screenRows } from "./screen-rows.js";

const csi = "\x1b[";

test.each<[string, string, string[]]>([
  ["plain rows", "a\nb", ["a", "b"]],
  ["blanks at the end", "a   \n   ", ["a", ""]],
  ["a colour that ends in its row", `${csi}31mred${csi}39m x  `, [`${csi}31mred${csi}39m x`]],
  [
    "a colour that goes on",
    `${csi}31mred\nstill${csi}0m not`,
    [`${csi}31mred${csi}0m`, `${csi}31mstill${csi}0m not`],
  ],
  ["coloured blanks", `${csi}44m    `, [`${csi}44m    ${csi}0m`]],
  [
    "large colours and attributes",
    `${csi}1;38;5;208;48;2;1;2;3ma\nb${csi}22;49mc\nd`,
    [
      `${csi}1;38;5;208;48;2;1;2;3ma${csi}0m`,
      `${csi}1;38;5;208;48;2;1;2;3mb${csi}22;49mc${csi}0m`,
      `${csi}38;5;208md${csi}0m`,
    ],
  ],
  [
    "colours with colons",
    `${csi}38:2::1:2:3ma\nb`,
    [`${csi}38:2::1:2:3ma${csi}0m`, `${csi}38:2::1:2:3mb${csi}0m`],
  ],
  ["lines drawn with letters", "\x0elqk\x0fl", ["┌─┐l"]],
  ["a title", "\x1b]0;owned\x07a", ["a"]],
  ["a link", "\x1b]8;;http://evil\x1b\\a\x1b]8;;\x1b\\", ["a"]],
  ["cursor moves, modes and questions", `a${csi}2J${csi}?1049h${csi}6n${csi}>cb`, ["ab"]],
  ["a device control string", "\x1bP$qm\x1b\\a", ["a"]],
  ["a reset and a single shift", "\x1bca\x1bN", ["a"]],
  ["control characters", "a\x07\x08\x9b31mb\x7f", ["a31mb"]],
  ["an unfinished sequence", `a${csi}31`, ["a31"]],
])("%s", (_, captured, rows) => expect(screenRows(captured)).toEqual(rows));

test("[WR1] whatever a program shows, only colours are left of its sequences", () => {
  const bits = fc.constantFrom(
    "a",
    "é",
    " ",
    "\x1b",
    "[",
    "]",
    "31",
    ";",
    "m",
    "H",
    "P",
    "\\",
    "\x07",
    "\x9b",
    "\x0e",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 40 }), (made) => {
      for (const row of screenRows(made.join("")))
        expect(row.replace(/\x1b\[[\d;:]*m/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }),
  );
});

test("[WR2] a row ends without any colour", () => {
  for (const row of screenRows(`${csi}1;31;44ma\nb\n${csi}0mc`)) {
    const last = [...row.matchAll(/\x1b\[([\d;:]*)m/g)].at(-1)?.[1] ?? "0";
    expect(last).toBe("0");
  }
});
