import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { identityText, ownIdentity } from "../../base/system/process-identity.js";
import { appendFile, beginning } from "./append-file.js";
import type { RowFormat } from "./row-lines.js";

interface Word {
  word: string;
}

const format: RowFormat<Word> = {
  rule: "a row is one word",
  parse(line) {
    return /^\w+$/.test(line) ? { word: line } : this.rule;
  },
  format: ({ word }) => word,
  key: ({ word }) => word,
};

const place = () => join(testHome().config, "words.log");
const words = (...all: string[]) => all.map((word) => ({ word }));
const text = (path: string) => readFileSync(path, "utf8");

describe("a file that grows", () => {
  test("[AP1] gets its rows at the end, after its header and existing content", async () => {
    const file = appendFile(place(), format, { header: ["# h"] });
    await file.append(words("a", "b"));
    const before = statSync(file.path).ino;
    await file.append(words("a"));
    await file.append([]);
    expect(text(file.path)).toBe("# h\na\nb\na\n");
    expect(statSync(file.path).ino).toBe(before);
    expect(file.read()).toEqual({ rows: words("a", "b", "a"), problems: [] });
  });

  test("[AP1] loses nothing to writers that overlap", async () => {
    const file = appendFile(place(), format);
    const all = Array.from({ length: 30 }, (_, at) => `w${at}`);
    await Promise.all(all.map((word) => file.append(words(word))));
    expect(
      file
        .read()
        .rows.map(({ word }) => word)
        .sort(),
    ).toEqual(all.sort());
  });

  test("[AP2] does not count an incomplete line", () => {
    const file = appendFile(place(), format);
    mkdirSync(dirname(file.path));
    writeFileSync(file.path, "a\nb");
    expect(file.read().rows).toEqual(words("a"));
  });

  test("[AP2] never counts a dead writer's incomplete line", async () => {
    const file = appendFile(place(), format);
    mkdirSync(dirname(file.path));
    writeFileSync(file.path, "a\nhal");
    symlinkSync(`${identityText({ ...ownIdentity(), start: "1" })},abc`, `${file.path}.lock`);
    await file.append(words("b"));
    expect(text(file.path)).toBe("a\nhal\u0018\nb\n");
    expect(file.read()).toMatchObject({ rows: words("a", "b"), problems: [{ line: 2 }] });
  });

  test("keeps a last line without a line end", async () => {
    const file = appendFile(place(), format);
    mkdirSync(dirname(file.path));
    writeFileSync(file.path, "a\nb");
    await file.append(words("c"));
    expect(file.read().rows).toEqual(words("a", "b", "c"));
  });

  test("[AP3] refuses a row that would not read back, and all rows of the same call", async () => {
    const file = appendFile(place(), format);
    await expect(file.append(words("a", "two words"))).rejects.toThrow(/refused "two words"/);
    await expect(file.append(words("a\nb"))).rejects.toThrow(/refused/);
    expect(file.read().rows).toEqual([]);
  });

  test("[AP4] is rotated when it is large enough, and the rotated file is read first", async () => {
    const file = appendFile(place(), format, { header: ["#"], rotateBytes: 8 });
    for (const word of ["aaa", "bbb", "ccc", "ddd", "eee"]) await file.append(words(word));
    expect([text(`${file.path}.1`), text(file.path)]).toEqual(["#\nccc\nddd\n", "#\neee\n"]);
    expect(file.read().rows).toEqual(words("ccc", "ddd", "eee"));
  });

  test("[AP5] keeps the picked rows over any number of rotations", async () => {
    const carried = (older: readonly Word[]) => older.filter(({ word }) => word === "aaa");
    const file = appendFile(place(), format, { rotateBytes: 8, carried });
    for (const word of ["aaa", "bbb", "ccc", "ddd", "eee", "fff", "ggg"]) await file.append(words(word));
    expect(file.read().rows).toEqual(words("eee", "fff", "aaa", "ggg"));
  });

  test("can be followed, also over a rotation", async () => {
    const file = appendFile(place(), format, { rotateBytes: 8 });
    expect(file.readFrom(file.end()).rows).toEqual([]);
    await file.append(words("aaa"));
    let seen = file.readFrom(beginning);
    expect(seen.rows).toEqual(words("aaa"));
    for (const word of ["bbb", "ccc", "ddd"]) {
      await file.append(words(word));
      seen = file.readFrom(seen.next);
      expect(seen.rows).toEqual(words(word));
    }
    expect(file.readFrom(seen.next)).toMatchObject({ rows: [], next: seen.next });
    expect(file.end()).toEqual(seen.next);
  });
});
