import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { shAssignment, shPieces } from "./sh-assignments.js";

const read = (text: string) => shPieces(text).map(({ assigned, why }) => assigned?.value ?? why);

test.each([
  ["X='a b'", "a b"],
  ['X="a b"', "a b"],
  [`X="it's"`, "it's"],
  [`X='say "hi"'`, 'say "hi"'],
  ["X='it'\\''s'", "it's"],
  ["X=plain", "plain"],
  ["X=", ""],
  ['X=""', ""],
  [`X=a"b c"'d e'f`, "ab cd ef"],
  [
    "X=b25d,80x24,0,0{40x24,0,0,0,39x24,41,0[39x12,41,0,1]}",
    "b25d,80x24,0,0{40x24,0,0,0,39x24,41,0[39x12,41,0,1]}",
  ],
  ["X=/a/*.ts?", "/a/*.ts?"],
  ["X=a#b", "a#b"],
  ["X=✳", "✳"],
  ['X="✳ ü"', "✳ ü"],
  ['X="a\nb"', "a\nb"],
  ["X='$HOME `id` \\ ~'", "$HOME `id` \\ ~"],
  ['X="~"', "~"],
  ["X=a~", "a~"],
  ["  X=indented", "indented"],
  ["X='a' # a remark", "a"],
  ['X="a"\t', "a"],
  ["X=a;", "a"],
  ["X=a ; # done", "a"],
  ["X='a'\r", "a"],
])("%j is the value %j", (text, expected) => {
  for (const end of ["", "\n"]) expect(read(`${text}${end}`)).toEqual([expected]);
});

test.each([
  ["X=$HOME", /^X: a shell would expand its \$/],
  ['X="$HOME/x"', /^X: a shell would expand its \$/],
  ['X="$1"', /^X: a shell would expand its \$/],
  ["X=$(touch y)", /^X: a shell would expand its \$/],
  ["X=$'a'", /^X: a shell would expand its \$/],
  ["X=`id`", /^X: a shell would expand its `/],
  ['X="`id`"', /^X: a shell would expand its `/],
  ["X=a\\ b", /^X: a shell would expand its \\/],
  ['X="a\\"b"', /^X: a shell would expand its \\/],
  ['X="C:\\dir"', /^X: a shell would expand its \\/],
  ["X=~/a", /^X: a shell would expand its ~/],
  ["X=/a:~/b", /^X: a shell would expand its ~/],
  ["X=a b", /^X: more than one word/],
  ["X=a Y=b", /^X: more than one word/],
  ["X=a; touch y", /^X: more than one word/],
  ["X=a;touch y", /^X: more than one word/],
  ["X=a|b", /^X: more than one word/],
  ["X=a&", /^X: more than one word/],
  ["X=a>b", /^X: more than one word/],
  ["X=(a b)", /^X: more than one word/],
  ["X='a", /^X: a quote is not closed/],
  ['X="a', /^X: a quote is not closed/],
  ["export X=a", /^not an assignment/],
  ["X =a", /^not an assignment/],
  ["1X=a", /^not an assignment/],
  ["X+=a", /^not an assignment/],
  [". /etc/profile", /^not an assignment/],
])("%j is refused by name, and the next line is read", (text, why) => {
  expect(read(`${text}\nY=b\n`)).toEqual([expect.stringMatching(why), "b"]);
});

test("a parsed value is the one that sh gives it", () => {
  const path = join(testHome().root, "x.env");
  const letters = [..."ab '\"\\$`~:;#*?[]{}()&|<>=!,./-\t\n✳"];
  const word = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });
  const accepted: [string, string][] = [];
  fc.assert(
    fc.property(word, (text) => {
      const [piece, ...more] = shPieces(`X=${text}\n`);
      if (piece!.assigned !== null && more.every(({ text }) => text.trim() === ""))
        accepted.push([`X=${text}\n`, piece!.assigned.value]);
    }),
    { numRuns: 3_000 },
  );
  expect(accepted.length).toBeGreaterThan(300);
  const marked = accepted.map(([text]) => `X=none\n${text}printf '%s\\0' "$X"\n`);
  writeFileSync(path, marked.join(""));
  const out = execFileSync("/bin/sh", [path], {
    encoding: "utf8",
    env: { HOME: "/home/of-nobody", PATH: "" },
  });
  expect(out.split("\0").slice(0, -1)).toEqual(accepted.map(([, value]) => value));
});

test("the pieces cover the whole text, each with its line", () => {
  const letters = [..."ab='\"\\$ #;\n\n\r"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...letters), maxLength: 60 }), (text) => {
      const pieces = shPieces(text);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      for (const [at, { line }] of pieces.entries()) {
        const before = pieces.slice(0, at).map((piece) => piece.text);
        expect(line).toBe(before.join("").split("\n").length);
      }
    }),
  );
});

test("a written value reads back unchanged", () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(shPieces(`${shAssignment("X", value)}\n`)).toMatchObject([{ assigned: { name: "X", value } }]);
    }),
  );
});
