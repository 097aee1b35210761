import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { cutLines, textTable, textWidth } from "./table.js";

const [red, plain] = ["\u001b[31m", "\u001b[39m"];

test.each([
  ["it fits", 7, "it fits"],
  ["it does not", 7, "it doe…"],
  ["漢字 is wide", 6, "漢字 …"],
  ["a漢字", 4, "a漢…"],
  ["ab漢字", 4, "ab…"],
  [`x ${red}crashed${plain} y`, 5, `x ${red}cr…${plain}`],
  [`x ${red}crashed${plain} y`, 11, `x ${red}crashed${plain} y`],
])("%j in %d columns is %j", (line, columns, expected) => {
  expect(cutLines([line], columns)).toEqual([expected]);
  expect(textWidth(cutLines([line], columns)[0]!)).toBeLessThanOrEqual(columns);
});

test("columns are as wide as their widest cell on a terminal, without blanks at the end", () => {
  const rows = [
    ["A", "N", "T"],
    ["漢", "10", ""],
    [`${red}abc${plain}`, "2", "t"],
  ];
  expect(textTable(rows, ["left", "right"])).toEqual(["A     N  T", "漢   10", `${red}abc${plain}   2  t`]);
});

test("every character has the width that the library measures, asked once or again", () => {
  for (let code = 0x20; code < 0x3000; code++) {
    const text = `a${String.fromCharCode(code)}`;
    expect([textWidth(text), textWidth(text)], code.toString(16)).toEqual([
      stringWidth(text),
      stringWidth(text),
    ]);
  }
});
