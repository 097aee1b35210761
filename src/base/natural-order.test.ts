import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naturalOrder } from "./natural-order.js";

describe("names in the order people count in", () => {
  test.each([
    ["[NO1] by what digits count", ["t:0.10", "t:0.9", "t:0.1"], ["t:0.1", "t:0.9", "t:0.10"]],
    ["[NO1] without regard to case", ["b", "C", "a", "B1"], ["a", "b", "B1", "C"]],
    ["[NO1] a beginning first", ["web2", "web", "web10"], ["web", "web2", "web10"]],
    ["[NO2] and names that differ only in case or zeros apart", ["a01", "a1", "A1"], ["a01", "A1", "a1"]],
  ])("%s", (_, names, sorted) => expect(names.toSorted(naturalOrder)).toEqual(sorted));

  test("[NO2] it is one order, whatever the names are", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "B", "b", "1", "2", "0", ":", "é") });
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) || 0);
        expect(naturalOrder(a, b) === 0).toBe(a === b);
        if (naturalOrder(a, b) < 0 && naturalOrder(b, c) < 0) expect(naturalOrder(a, c)).toBeLessThan(0);
      }),
    );
  });
});
