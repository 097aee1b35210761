import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naturalOrder } from "./natural-order.js";

describe("names in natural order", () => {
  test.each([
    ["by the value of digits", ["t:0.10", "t:0.9", "t:0.1"], ["t:0.1", "t:0.9", "t:0.10"]],
    ["without regard to case", ["b", "C", "a", "B1"], ["a", "b", "B1", "C"]],
    ["a beginning first", ["web2", "web", "web10"], ["web", "web2", "web10"]],
    ["and names that differ only in case or zeros stay apart", ["a01", "a1", "A1"], ["a01", "A1", "a1"]],
  ])("%s", (_, names, sorted) => expect(names.toSorted(naturalOrder)).toEqual(sorted));

  test("the order is unique for any names", () => {
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
