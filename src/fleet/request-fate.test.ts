import { expect, test } from "vitest";
import type { RequestFate } from "../agents/asked.js";
import { isOver, stillOpen } from "./request-fate.js";

type Fates = Record<string, RequestFate>;
const map = (fates: Fates) => new Map(Object.entries(fates));

test.each<[Fates, boolean]>([
  [{}, false],
  [{ t1: "open" }, false],
  [{ t1: "allowed" }, true],
  [{ t1: "ended" }, true],
  // The same command a second time, while the first one runs.
  [{ t1: "allowed", t2: "open" }, false],
])("with the uses %j the request is over: %s", (fates, expected) =>
  expect(isOver(map(fates))).toBe(expected),
);

test.each<[string, [string, Fates][], number[]]>([
  [
    "two that nothing is known of",
    [
      ["x", {}],
      ["x", {}],
    ],
    [0, 1],
  ],
  [
    "two different ones",
    [
      ["x", { t1: "open" }],
      ["y", { t2: "open" }],
    ],
    [0, 1],
  ],
  [
    "one of them answered",
    [
      ["x", { t1: "ended" }],
      ["y", { t2: "open" }],
    ],
    [1],
  ],
  [
    "two equal ones",
    [
      ["x", { t1: "open", t2: "open" }],
      ["x", { t1: "open", t2: "open" }],
    ],
    [0, 1],
  ],
  [
    "one of two equal ones answered",
    [
      ["x", { t1: "ended", t2: "open" }],
      ["x", { t1: "ended", t2: "open" }],
    ],
    [1],
  ],
  [
    "an answered one before an equal one",
    [
      ["x", { t1: "ended", t2: "open" }],
      ["x", { t2: "open" }],
    ],
    [1],
  ],
])("%s", (_, requests, kept) => {
  const given = requests.map(([key, fates], at) => ({ at, key, fates: map(fates) }));
  expect(stillOpen(given).map(({ at }) => at)).toEqual(kept);
});
