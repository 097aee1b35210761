import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCommand, isObeyed } from "./command-text.js";
import { recordedWords } from "./compare.js";
import { shapeText } from "./shape.js";

const roomy = { columns: 200, rows: 50 };
const shaped = (text: string, size = roomy) => {
  const shape = shapeText(text, size);
  return "refused" in shape ? `refused: ${shape.refused}` : shape.text;
};

test.each([
  "run the tests",
  "one\ntwo\n\nthree",
  "/etc/passwd is odd",
  "-rf is odd",
  "#1 is odd",
  "what is this?",
  "(see above)",
  "日本語",
  "می‌خواهم",
  "क्‍ष",
  "👨‍👩‍👧 🏳️‍🌈 ok",
])("%j is not changed", (text) => expect(shaped(text)).toBe(text));

test.each([
  ["exit", "> exit"],
  ["  :wq \n", "> :wq "],
  ["ex\u200bit", "> exit"],
  ["exit\ufeff", "> exit"],
  ["/clear\nand more", "> /clear\nand more"],
  ["/rename\tx", "> /rename\tx"],
  [" /clear", "> /clear "],
  ["/", "> / "],
  ["!", "> ! "],
  ["!a\nb", "> !a\nb"],
])("%j is sent as prose: %j", (text, is) => {
  expect(shaped(text)).toBe(is);
  expect(shapeText(text, roomy)).toMatchObject({ isCommand: false });
});

test.each([
  ["/clear", "/clear"],
  ["/clear\n", "/clear"],
  ["/rename lead", "/rename lead"],
  ["/review @src/x.ts", "/review @src/x.ts "],
  ["!ls src/", "!ls src/ "],
  ["!echo hi", "!echo hi"],
])("%j stays a command", (text, is) => {
  expect(shaped(text)).toBe(is);
  expect(shapeText(text, roomy)).toMatchObject({ isCommand: true });
});

test.each([
  "read @package.json",
  "read @pack.",
  'read @"my pack',
  "first\nread @pack",
  "ask @agent",
  "say it :smi",
  "please do /cle",
  "see C:\\",
  "see src/",
  "in #gen",
])("%j gets a blank at its end", (text) => expect(shaped(text)).toBe(`${text} `));

test.each([
  ["a\u200bb\u00adc\u2060d\ufeff", "abcd"],
  ["\u202eabc\u202c \u2066x\u2069 \u200fy", "abc x y"],
  ["exi\u200dts", "exits"],
  ["a \ufe0f b", "a  b"],
  ["tag \u{e0041}\u{e0042} end", "tag  end"],
  ["👍🏽 👩🏽‍💻 ok", "👍 👩‍💻 ok"],
  ["a\u2028b\u2029c", "a\nb\nc"],
])("%j is pasted as %j", (text, is) => expect(shaped(text)).toBe(is));

test.each([
  ["/tmp/a.png", "/tmp/a.png. "],
  ["see /tmp/a.PNG ", "see /tmp/a.PNG. "],
  ["see:\n/tmp/my shot.jpeg\nthen go", "see:\n/tmp/my shot.jpeg.\nthen go"],
  ["compare /tmp/a.png /tmp/b.webp please", "compare /tmp/a.png, /tmp/b.webp please"],
  ["'/tmp/a.gif'", "'/tmp/a.gif'. "],
  ["/tmp/a.png is odd", "/tmp/a.png is odd"],
  ["a.png", "a.png "],
  ["https://x.example/a.png", "https://x.example/a.png "],
])("%j is pasted as %j", (text, is) => expect(shaped(text)).toBe(is));

describe("a text too long for the box", () => {
  const words = "word ".repeat(60).trim();
  test.each([
    [{ columns: 100, rows: 30 }, words, words],
    [{ columns: 60, rows: 20 }, words, `${words}\n\n\n`],
    [{ columns: 40, rows: 14 }, `${words}\nmore`, `${words}\nmore\n\n`],
    [{ columns: 22, rows: 11 }, "short", "short"],
    [
      { columns: 22, rows: 11 },
      "a line that takes three rows of it",
      "a line that takes three rows of it\n\n\n",
    ],
    [{ columns: 22, rows: 11 }, "a\nb\nc\nd", "a\nb\nc\nd"],
  ])("in a pane of %j", (size, text, is) => expect(shaped(text, size)).toBe(is));
});

test.each([
  ["\u200b\u200b", /no visible character/],
  ["\u0301\u0308", /no visible character/],
  ["\u2060 \u00ad\n", /no visible character/],
  [`/rename ${"long ".repeat(40)}`, /does not fit in a pane of 22x11$/],
  ["!ls /tmp/a.png", /image/],
  ["/review /tmp/a.png", /image/],
])("%j is refused", (text, why) => expect(shaped(text, { columns: 22, rows: 11 })).toMatch(why));

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({
    unit: fc.constantFrom(
      "/",
      "!",
      "exit",
      ":q",
      " ",
      "\n",
      "\t",
      "@a",
      "\\",
      "x",
      "\u200b",
      "\u2028",
      ".png",
    ),
  }),
);

test("any text shaped as prose is not a command, and keeps all its words", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shape = shapeText(text, roomy);
      if ("refused" in shape) return;
      expect(shape.isCommand || !isObeyed(shape.text)).toBe(true);
      expect(shape.isCommand).toBe(isCommand(shape.text.trimEnd()));
      const wordsOf = (each: string) => recordedWords(each).replace(/[>.,]|\p{Emoji_Modifier}/gu, "");
      expect(wordsOf(shape.text)).toBe(wordsOf(text));
    }),
    { numRuns: 2000 },
  );
});

test("no text ends in a backslash", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shape = shapeText(text, roomy);
      expect("text" in shape && shape.text.endsWith("\\")).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test("shaping a shaped text changes nothing", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shape = shapeText(text, roomy);
      if ("text" in shape) expect(shapeText(shape.text, roomy)).toEqual(shape);
    }),
    { numRuns: 2000 },
  );
});
