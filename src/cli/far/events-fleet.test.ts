import { expect, test } from "vitest";
import { subjects } from "../../link/subjects.js";
import { farEvent } from "./events-fleet.js";

const stored = (value: unknown, subject = subjects.event("lap.top", "team.created")) => ({
  ...{ subject, bytes: Buffer.from(JSON.stringify(value)) },
});
const event = { name: "team.created", team: "shop", description: "a shop" };
const at = "2026-04-22T08:52:40Z";

test("an event of another host is read, and its host is that of the subject", () => {
  expect(farEvent(stored({ v: 1, at, host: "forged", ...event }))).toMatchObject({
    host: "lap.top",
    at,
    event,
  });
});

test.each([
  null,
  [],
  { v: 1, ...event },
  { v: 1, at: "now", ...event },
  { v: 1, at, name: "constructor" },
  { v: 1, at, ...event, team: "a b" },
  { v: 1, at, ...event, description: "x\n|y" },
  { v: 1, at, ...event, description: "x".repeat(1_000_000) },
])("what is no event is left out: %j", (value) => expect(farEvent(stored(value))).toBeNull());
