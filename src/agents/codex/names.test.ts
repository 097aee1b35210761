import { expect, test } from "vitest";
import { namesIn, readNames } from "./names.js";

const a = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c";
const b = "01a1ed71-2888-76e2-afa2-9d6882c92b0a";
const named = (id: string, name: string) =>
  `${JSON.stringify({ id, thread_name: name, updated_at: "2026" })}\n`;

test.each<[string, string, [string, string][]]>([
  [
    "the last name counts",
    named(a, "one") + named(b, "two") + named(a, "three"),
    [
      [a, "three"],
      [b, "two"],
    ],
  ],
  ["a name that was removed", named(a, "one") + named(a, ""), []],
  ["half a line at the end", named(a, "one") + named(b, "two").slice(0, -2), [[a, "one"]]],
  ["lines that mean nothing", `x\n[]\n${named("7", "x")}`, []],
])("%s", (_, index, expected) => expect([...namesIn(index)]).toEqual(expected));

test("a missing index has no names", () => expect(readNames("/nowhere").size).toBe(0));
