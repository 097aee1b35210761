import { expect, test } from "vitest";
import { ordinal } from "./ordinal.js";

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [13, "13th"],
  [21, "21st"],
  [102, "102nd"],
  [111, "111th"],
])("%i is the %s", (count, text) => expect(ordinal(count)).toBe(text));
