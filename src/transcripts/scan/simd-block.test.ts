// The functions of simd/ against those of walk.ts and outline.ts, which they replace.

import fc from "fast-check";
import { expect, test } from "vitest";
import { markFinder, wordReader } from "./outline.js";
import { openSimd, simdOf } from "./simd-block.js";
import { openWalk } from "./walk.js";

const { block } = openSimd(new URL("../../../dist/scan.wasm", import.meta.url))!;
const bytes = block.subarray(0, 4096);

/** What a function answers for the same line in the block, and in a buffer elsewhere. */
function inBoth<T>({ line, before }: Placed, ask: (bytes: Buffer, from: number, to: number) => T): [T, T] {
  bytes.fill('"}],\\');
  const length = bytes.write(line, before, "latin1");
  const elsewhere = Buffer.from(bytes);
  expect([simdOf(bytes) === null, simdOf(elsewhere) === null]).toEqual([false, true]);
  return [ask(bytes, before, before + length), ask(elsewhere, before, before + length)];
}

interface Placed {
  line: string;
  before: number;
}

const key = fc.constantFrom("type", "uuid", "message", "content", "model", "isMeta", 'ty"pe', "\\", "");
const text = fc.oneof(
  fc.constantFrom("user", ',"type":"user"', '\\"', "\\", '{"type":"x"}', "]}", 'input_tokens"', "日本 ✳"),
  fc.string({ maxLength: 40 }),
  fc.string({ minLength: 14, maxLength: 70 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));
const members = fc.array(fc.tuple(key, value), { maxLength: 6 });
const whole = fc.tuple(members, fc.constantFrom("", " ", "\t")).map(([all, gap]) => {
  const one = ([name, each]: [string, unknown]) =>
    `${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(each)}`;
  return `${gap}{${gap}${all.map(one).join(`${gap},${gap}`)}${gap}}${gap}`;
});
/** Some bytes of a record are lost, or others are in their place. */
const broken = fc
  .tuple(whole, fc.nat(), fc.nat(20), fc.constantFrom("", '"', "\\", "{", "]", ',"type":', "}", "x", "\0"))
  .map(([line, at, lost, put]) => {
    const from = at % (line.length + 1);
    return line.slice(0, from) + put + line.slice(from + lost);
  });
const placed = fc
  .record({ line: fc.oneof(whole, broken), before: fc.nat(40) })
  .map(({ line, before }) => ({ line: Buffer.from(line).toString("latin1").slice(0, 4000), before }));

const wanted = { type: null, isMeta: null, message: { model: null, content: [{ type: null }] } } as const;

test.each<[string, string[]]>([
  ["to the end", []],
  ["until it has some members", ["type", "message"]],
])("a walk %s finds the same", (_, until) => {
  const { walk, starts, ends } = openWalk(wanted, until);
  const walked = (from: number) =>
    [...starts].map((start, place) => (start < 0 ? null : [start - from, ends[place]! - from]));
  const property = fc.property(placed, (line) => {
    const [inBlock, elsewhere] = inBoth(line, (all, from, to) => {
      const end = walk(all, from, to);
      return { end, places: end < 0 ? [] : walked(from) };
    });
    expect(inBlock).toEqual(elsewhere);
  });
  fc.assert(property, { numRuns: 3000 });
});

test("the word of a member is the same", () => {
  const read = wordReader("type", ["user", "x"]);
  const property = fc.property(placed, (line) => {
    const [inBlock, elsewhere] = inBoth(line, read);
    expect(inBlock).toBe(elsewhere);
  });
  fc.assert(property, { numRuns: 3000 });
});

test.each(['"', "ab", 'input_tokens"', "a mark that is longer than sixteen bytes"])(
  "the mark %s is found at the same position",
  (mark) => {
    const find = markFinder(Buffer.from(mark));
    const near = fc.tuple(fc.string(), fc.constantFrom("", mark, mark.slice(1)), fc.string());
    const property = fc.property(near, fc.nat(40), (parts, before) => {
      const line = Buffer.from(parts.join("")).toString("latin1");
      const [inBlock, elsewhere] = inBoth({ line, before }, find);
      expect(inBlock).toBe(elsewhere);
    });
    fc.assert(property, { numRuns: 1000 });
  },
);
