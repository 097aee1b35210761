import { expect, test } from "vitest";
import { sessionId } from "../../names/gates.js";
import { inheritsBranch } from "./own-branch.js";

const parent = sessionId("10000000-0000-4000-8000-000000000000");
const forkedFrom = { sessionId: parent, message: null };

test.each([
  ["written in the millisecond of its birth", 1_000.7, 1_000, false],
  ["written later", 1_000.7, 1_200, false],
  ["older than the file, so copied", 1_000.7, 999, true],
])("the record behind the copies is %s", (_, bornAtMs, behindCopiesAtMs, inherits) => {
  const facts = { forkedFrom, behindCopiesAtMs, lastAtMs: 5_000 };
  expect(inheritsBranch({ bornAtMs, facts })).toBe(inherits);
});
