import { expect, test } from "vitest";
import { topOf } from "./top-of.js";

class CountingMap extends Map<number, number> {
  asked = 0;
  override get(key: number): number | undefined {
    this.asked += 1;
    return super.get(key);
  }
}

const count = 20_000;
const line = Array.from({ length: count - 1 }, (_, at) => at + 1);

test.each([
  ["from its end", line.toReversed()],
  ["from its top", line],
  ["always from the lowest", line.map(() => count - 1)],
])("[TA1] a long line that is asked %s costs little for each", (_, order) => {
  const above = new CountingMap(line.map((at) => [at, at - 1]));
  for (const one of order) expect(topOf(above, one)).toBe(0);
  expect(above.asked).toBeLessThan(count * 2 * Math.log2(count));
});
