import { expect, test } from "vitest";
import type { RequestFate } from "../../agents/asked.js";
import { newFate } from "./decide.js";

type Fates = Record<string, RequestFate>;
const map = (fates: Fates) => new Map(Object.entries(fates));

test.each<[Fates, Fates, RequestFate]>([
  [{}, {}, "open"],
  [{}, { t1: "allowed" }, "allowed"],
  [{ t1: "open" }, { t1: "denied" }, "denied"],
  [{ t1: "open" }, { t1: "ended" }, "ended"],
  [{ t1: "allowed", t2: "open" }, { t1: "ended", t2: "open" }, "open"],
  [{ t1: "allowed", t2: "open" }, { t1: "allowed", t2: "denied" }, "denied"],
  // The first one was allowed in its dialog, and ends in the same moment.
  [{ t1: "open", t2: "open" }, { t1: "ended", t2: "open" }, "open"],
  [{ t1: "open", t2: "open" }, { t1: "ended", t2: "allowed" }, "allowed"],
])("from %j to %j the answer was: %s", (before, now, expected) =>
  expect(newFate(map(before), map(now))).toBe(expected),
);
