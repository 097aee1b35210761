import fc from "fast-check";
import { expect, test } from "vitest";
import { packedTexts, unpackedTexts } from "./texts.js";

/** Also halves of surrogate pairs, quotes, and texts within others. */
const anyTexts = fc.uniqueArray(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("a", "b", "\\", "\ud800", "\udc00", "é", '"'), { maxLength: 4 })
      .map((each) => each.join("")),
  ),
);

test("every text comes out as it went in, and is found", () => {
  fc.assert(
    fc.property(anyTexts, (texts) => {
      const bytes = Buffer.concat([...packedTexts(texts, texts.length), ...packedTexts(["others"], 1)]);
      const { count, all, at, placeOf, sizeBytes } = unpackedTexts(bytes);
      expect(unpackedTexts(bytes.subarray(sizeBytes)).all()).toEqual(["others"]);
      expect([count, all()]).toEqual([texts.length, texts]);
      expect(texts.map((_, place) => at(place))).toEqual(texts);
      expect(texts.map(placeOf)).toEqual([...texts.keys()]);
    }),
    { numRuns: 1000 },
  );
});

test("a text that is not there has no place", () => {
  const { placeOf } = unpackedTexts(Buffer.concat(packedTexts(["aab", "b"], 2)));
  expect(["aa", "ab", "abb", "bb", "c"].map(placeOf)).toEqual([-1, -1, -1, -1, -1]);
});
