import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLines, type RowFormat, rewriteLines } from "./row-lines.js";

interface Pair {
  key: string;
  value: string;
}

const format: RowFormat<Pair> = {
  rule: "a row is key|value",
  parse(line) {
    const [key = "", value = "", ...more] = line.split("|");
    return /^[a-z:.0-9]+$/.test(key) && /^\w*$/.test(value) && line.includes("|") && more.length === 0
      ? { key, value }
      : this.rule;
  },
  format: ({ key, value }) => `${key}|${value}`,
  key: ({ key }) => key,
};

const parse = (text: string | Buffer) => parseLines("/x", Buffer.from(text), format);
const rewrite = (text: string, rows: readonly Pair[]) =>
  rewriteLines(parse(text), rows, format)?.toString() ?? null;
const pair = (text: string): Pair => {
  const [key = "", value = ""] = text.split("|");
  return { key, value };
};

describe("lines", () => {
  test.each([
    ["", []],
    ["a|1\n", ["a|1"]],
    ["a|1", ["a|1"]],
    ["a|1\r\nb|2\r\n", ["a|1", "b|2"]],
    ["# c\n\n  \n  # d\na|1\n", ["a|1"]],
    ["a|1\nb|2\na|3\n", ["b|2", "a|3"]],
  ])("%j are read as %j", (text, rows) => {
    expect(parse(text).rows.map(format.format)).toEqual(rows);
    expect(parse(text).problems).toEqual([]);
  });

  test.each<[string, Buffer, RegExp]>([
    ["a NUL", Buffer.from("a|1\nb\0|2\n"), /^a row is key\|value: "b␀\|2"$/],
    ["too many fields", Buffer.from("a|1\nb|2|3|4\n"), /^a row is key\|value/],
    ["bytes that are not UTF-8", Buffer.from("a|1\nb|\xff\xfe\n", "latin1"), /^not UTF-8: "b\|ÿþ"$/],
    ["10 MB", Buffer.from(`a|1\nb|${"x".repeat(1e7)}\n`), /^a line of 10000003 bytes/],
    ["an escape sequence", Buffer.from("a|1\n\u001b[2Jx\n"), /"␛\[2Jx"$/],
  ])("[RL1] a line with %s is a problem with its number and an escaped text", (_, bytes, why) => {
    const { rows, problems } = parse(bytes);
    expect(rows.map(format.format)).toEqual(["a|1"]);
    expect(problems).toEqual([{ path: "/x", line: 2, why: expect.stringMatching(why) }]);
    expect(problems[0]!.why.length).toBeLessThan(120);
  });

  test("[RL1] that are not rows survive random changes, byte for byte and in order", () => {
    const foreign = fc
      .oneof(
        fc.uint8Array({ maxLength: 30 }),
        fc.constantFrom("# note", "", "b|2|3", "a|é").map((s) => Buffer.from(s)),
      )
      .map((bytes) => Buffer.from(bytes).filter((byte) => byte !== 0x0a))
      .map((bytes) => Buffer.concat([bytes, Buffer.from("\n")]))
      .filter((bytes) => parse(bytes).rows.length === 0);
    const key = fc.constantFrom("a", "b", "c", "a:0.1", "a:001");
    const row = fc.tuple(key, fc.stringMatching(/^\w{0,3}$/)).map(([k, v]) => Buffer.from(`${k}|${v}\n`));
    const wanted = fc.uniqueArray(fc.record({ key, value: fc.stringMatching(/^\w{0,3}$/) }), {
      selector: (each) => each.key,
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(foreign, row)), wanted, (lines, rows) => {
        const before = parse(Buffer.concat(lines));
        const bytes = rewriteLines(before, rows, format) ?? Buffer.concat(lines);
        const after = parse(bytes);
        const others = (of: typeof before) =>
          of.lines.filter((line) => line.row === null).map((line) => line.bytes);
        expect(Buffer.concat(others(after))).toEqual(Buffer.concat(others(before)));
        const sorted = (of: readonly Pair[]) => of.map(format.format).sort();
        expect(sorted(after.rows)).toEqual(sorted(rows));
      }),
    );
  });

  test.each([
    ["the same rows", "a|1\r\nb|2", ["a|1", "b|2"], null],
    ["a changed row", "# c\r\na|1\r\n\nb|2\r\n", ["a|1", "b|3"], "# c\r\na|1\r\n\nb|3\n"],
    ["a removed row", "a|1\n# c\nb|2\n", ["b|2"], "# c\nb|2\n"],
    ["a new row", "a|1", ["a|1", "b|2"], "a|1\nb|2\n"],
    ["another order", "a|1\nb|2\n", ["b|2", "a|1"], null],
    ["no rows", "# c\na|1\n", [], "# c\n"],
  ])("[RL2] with %s", (_, text, rows, expected) => expect(rewrite(text, rows.map(pair))).toBe(expected));

  test("[RL3] are found by their literal key (incident 7)", () => {
    expect(rewrite("a:0.1|x\na:0x1|y\n", [pair("a:0x1|y")])).toBe("a:0x1|y\n");
  });

  test.each([
    ["changed", "a|1\nb|2\na|3\n", ["a|4", "b|2"], "b|2\na|4\n"],
    ["removed", "a|1\nb|2\na|3\n", ["b|2"], "b|2\n"],
    ["left alone", "a|1\nb|2\na|3\n", ["a|3", "b|5"], "a|1\nb|5\na|3\n"],
  ])("[RL3] with one key, if the key is %s", (_, text, rows, expected) =>
    expect(rewrite(text, rows.map(pair))).toBe(expected),
  );

  test.each(["a|b|c", "#|x", "A|x", "a|x\nb|y", "a|x\r", " ", `a|${"x".repeat(70_000)}`])(
    "[RL4] are refused if they would not read back: %j",
    (text) => {
      const [key = "", ...value] = text.split("|");
      expect(() => rewrite("", [{ key, value: value.join("|") }])).toThrow(/^refused "/);
    },
  );

  test("of 100,000 rows are rewritten in one pass", () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ key: `k${at}`, value: "x" }));
    const text = rows.map((row) => `${format.format(row)}\n`).join("");
    const changed = rows.map((row, at) => (at % 2 === 0 ? row : { ...row, value: "y" }));
    expect(parse(rewrite(text, changed)!).rows).toEqual(changed);
  });
});
