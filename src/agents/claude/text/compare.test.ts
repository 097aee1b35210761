import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holdsMore, recordedWords, shownAs } from "./compare.js";

const long = "a message that is so long that its beginning has left the box by now";

describe("equal to what the transcript recorded", () => {
  test.each([
    ["a tab, as four blanks", "a\tb", "a    b"],
    ["blanks at its ends", "  a b \n", "a b"],
    ["no-break and other blanks", "a\u00a0b\u202fc\u3000d", "a b c d"],
    ["invisible characters", "a\u200bb\u00ad\u2060c\ufeff", "abc"],
    ["writing directions", "\u202eabc\u202c \u2066x\u2069 \u200f", "abc x"],
    ["decomposed letters", "e\u0301 \u1112\u1161\u11ab", "é 한"],
    ["line separators", "a\u2028b\u2029c", "a\nb\nc"],
    ["a variation selector alone", "a \ufe0f b", "a b"],
  ])("%s", (_, sent, recorded) => {
    expect(recordedWords(sent)).toBe(recordedWords(recorded));
  });

  test("other words, letter case and signs are another message", () => {
    const texts = ["run it", "Run it", "run it!", "run its", "/run it", "rün it"];
    expect(new Set(texts.map(recordedWords)).size).toBe(texts.length);
  });
});

test.each([
  ["one two", "one two", "whole"],
  ["one\ntwo", "one two", "whole"],
  ["one\ntw\no", "one two", "whole"],
  ["tab    here", "tab\there", "whole"],
  ["[Pasted text #1 +12 lines]", "x\n".repeat(12), "part"],
  ["[Pasted text #1 +3\nlines]", "a\nb\nc\nd", "part"],
  ["[Pasted text #2]", "y".repeat(900), "part"],
  ["[Pasted text #1 +11 lines]", "x\n".repeat(12), null],
  ["[Pasted text #2]", "a\nb\nc\nd", null],
  ["[Pasted text #1 +3 lines]", "[Pasted text #1 +3 lines]", "whole"],
  [long.slice(-55), long, "part"],
  ["one", "one two", null],
  ["two", "one two", null],
  ["hello one two", "one two", null],
  ["one two and", "one two", null],
  [long.slice(0, 45), long, null],
  ["[Pasted text #1 +3 lines] and more", "a\nb\nc\nd", null],
  ["", "one", null],
])("a box with %j shows %j: %s", (draft, text, is) => {
  expect(shownAs(draft, text)).toBe(is);
});

test.each([
  ["a family emoji that tmux cuts", "👨‍👩‍👧‍ end", "👨‍👩‍👧‍👦 end"],
  ["an emoji without its skin tone", "👩 ok", "👩🏽‍💻 ok"],
  ["a flag without its end", "🏴󠁧󠁢 ok", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 ok"],
  ["lost vowel signs", "हिन्दमें लिखहै", "हिन्दी में लिखा है"],
  ["marks with blanks after them", "العَرَبِ   يَّ  ة", "العَرَبِيَّة"],
  ["directions as replacement signs", "\ufffdiso\ufffd x", "\u2066iso\u2069 x"],
  ["an undrawn soft hyphen", "ab soft", "a\u00adb soft"],
])("%s", (_, draft, text) => {
  expect(shownAs(draft, text)).toBe("whole");
  expect(shownAs(`${draft} and mine`, text)).toBeNull();
  expect(holdsMore(`${draft} and mine`, text)).toBe(true);
  expect(holdsMore(draft, text)).toBe(false);
});

test("a box shows the same text however its rows are wrapped, and never matches a text with more in it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 })),
      fc.nat(7),
      (cells, every) => {
        const text = cells.join("");
        const rows = cells.map((cell, at) => (at % (every + 2) === 0 ? `${cell}\n  ` : cell)).join("");
        const isVisible = shownAs(text, text) === "whole";
        expect(shownAs(rows, text)).toBe(isVisible ? "whole" : null);
        expect(shownAs(`${rows} mine`, text)).toBeNull();
      },
    ),
  );
});
