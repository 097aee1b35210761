import { expect, it } from "vitest";
import { readGlyphs, textOf } from "./sgr.js";

/** Faint characters in parentheses, reversed ones in brackets. */
function drawn(lines: string[]): string[] {
  return readGlyphs(lines).map((line) =>
    line
      .map(({ char, isFaint, isReversed }) => (isFaint ? `(${char})` : isReversed ? `[${char}]` : char))
      .join(""),
  );
}

it("a style lasts until it is changed, also over line ends", () => {
  expect(drawn(["a\u001b[2mb", "c\u001b[22md"])).toEqual(["a(b)", "(c)d"]);
  expect(drawn(["\u001b[7ma\u001b[27mb", "\u001b[7mc\u001b[md"])).toEqual(["[a]b", "[c]d"]);
  expect(drawn(["\u001b[0;2ma\u001b[1;0mb"])).toEqual(["(a)b"]);
});

it.each([
  ["of 256", "\u001b[38;5;2ma\u001b[48;5;7mb"],
  ["of 16 million", "\u001b[38;2;2;7;2ma\u001b[48;2;7;7;7mb"],
  ["with colons", "\u001b[38:2::2:7:2ma\u001b[58:5:7mb"],
])("the numbers of a colour %s are not styles", (_, line) => {
  expect(drawn([line])).toEqual(["ab"]);
});

it("no escape sequence is text", () => {
  const link = "\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u0007";
  expect(readGlyphs([`\u001b[?25l${link}\u001b[K\u001b(🙂\u001b`]).map(textOf)).toEqual(["link🙂"]);
});

it("a colour is its codes, until it is the terminal's default again", () => {
  const colours = (line: string) => readGlyphs([line])[0]!.map(({ colour }) => colour);
  expect(colours("a\u001b[38;5;211mb\u001b[1;48;5;7mc\u001b[39md")).toEqual(["", "38;5;211", "38;5;211", ""]);
  expect(colours("\u001b[38;2;1;2;3;1ma\u001b[91mb\u001b[0mc\u001b[38:5:9md")).toEqual([
    "38;2;1;2;3",
    "91",
    "",
    "38:5:9",
  ]);
});
