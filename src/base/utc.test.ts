import { describe, expect, test } from "vitest";
import { parseUtc, utcCompact, utcSeconds } from "./utc.js";

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
});
