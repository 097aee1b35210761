import { describe, expect, test } from "vitest";
import { parseAsUtc, parseUtc, utcCompact, utcSeconds } from "./utc.js";

const at = Date.UTC(2026, 3, 22, 8, 52, 40, 999);

describe("times", () => {
  test("are written in UTC and whole seconds", () => {
    expect(utcSeconds(at)).toBe("2026-04-22T08:52:40Z");
    expect(utcCompact(at)).toBe("20260422T085240");
  });

  test.each([
    ["2026-04-22T08:52:40Z", Date.UTC(2026, 3, 22, 8, 52, 40)],
    ["2026-04-22T08:52:40.5Z", Date.UTC(2026, 3, 22, 8, 52, 40, 500)],
    ["2026-04-22T08:52:40", null],
    ["2026-13-22T08:52:40Z", null],
    ["2026-04-22", null],
    ["", null],
  ])("%j is read as %j", (text, expected) => expect(parseUtc(text)).toBe(expected));

  test.each([
    ["2026-05-25T19:30:00", Date.UTC(2026, 4, 25, 19, 30, 0)],
    ["2026-05-25T19:30:00Z", Date.UTC(2026, 4, 25, 19, 30, 0)],
    ["2026-05-25T19:30:00z", Date.UTC(2026, 4, 25, 19, 30, 0)],
    ["2026-05-25 19:30:00 UTC", Date.UTC(2026, 4, 25, 19, 30, 0)],
    ["2026-05-25T19:30:00.123456", Date.UTC(2026, 4, 25, 19, 30, 0, 123)],
    ["2026-05-25T19:30", Date.UTC(2026, 4, 25, 19, 30, 0)],
    ["2026-05-25T19:30:00+02:00", Date.UTC(2026, 4, 25, 17, 30, 0)],
    ["2026-05-25T19:30:00-0530", Date.UTC(2026, 4, 26, 1, 0, 0)],
    [" 2026-05-25T19:30:00\r", Date.UTC(2026, 4, 25, 19, 30, 0)],
    ["2026-02-31T19:30:00", null],
    ["2026-05-25T25:30:00", null],
    ["2026-05-25", null],
    ["yesterday", null],
    ["", null],
  ])("%j of another program is read as %j", (text, expected) => expect(parseAsUtc(text)).toBe(expected));
});
