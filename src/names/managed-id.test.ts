import { describe, expect, test } from "vitest";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { isManagedId, managedId, newManagedId, readManagedId } from "./managed-id.js";

describe("an id", () => {
  test.each(["session-1700000000000-0", "a", "_x", "A-b_9", "0", "x".repeat(limits.managedIdLength)])(
    "may be %s",
    (id) => {
      expect(managedId(id)).toBe(id);
      expect(readManagedId(id)).toBe(id);
    },
  );

  test.each([
    "",
    ".",
    "..",
    "../x",
    "a/b",
    "/etc/passwd",
    "a\\b",
    "a.b",
    "a.jsonl",
    "session-1-0.rot-5",
    ".hidden",
    "-rf",
    "a b",
    "a\nb",
    "a\u0000",
    "a\u001b[2J",
    "ä",
    "latest",
    "last",
    "recent",
    "x".repeat(limits.managedIdLength + 1),
  ])("is never %j", (value) => {
    expect(isManagedId(value)).toBe(false);
    expect(readManagedId(value)).toBeNull();
    expect(() => managedId(value)).toThrow(HiveError);
    expect(() => managedId(value)).toThrow(/letters, digits, _ and -/);
  });

  test("is read from foreign files only if valid", () => {
    for (const value of [null, undefined, 5, {}, ["a"]]) expect(readManagedId(value)).toBeNull();
  });
});

test("new ids have the documented form and always differ, even if the clock goes back", () => {
  const now = 1_800_000_000_000;
  const made = [now, now, now - 5_000, now + 1, now + 1, now].map(newManagedId);
  expect(new Set(made).size).toBe(6);
  for (const id of made) expect(id).toMatch(/^session-18000000000\d\d-\d+$/);
  expect(made.every(isManagedId)).toBe(true);
});
