import { describe, expect, test } from "vitest";
import { parseMoment } from "./moment.js";

const nowMs = new Date(2026, 3, 22, 12, 0, 30).getTime();
const utc = (text: string) => Date.parse(text);
const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime();

describe("a moment", () => {
  test.each([
    ["2026-04-20T08:52:40Z", utc("2026-04-20T08:52:40Z")],
    ["2026-04-20T08:52:40.123Z", utc("2026-04-20T08:52:40Z")],
    ["2026-04-20T08:52+02:00", utc("2026-04-20T06:52:00Z")],
    ["30s", nowMs - 30_000],
    ["10m", nowMs - 600_000],
    ["2h", nowMs - 7_200_000],
    ["3d", nowMs - 3 * 86_400_000],
  ])("%s is read", (text, ms) => expect(parseMoment(text, nowMs)).toBe(ms));

  test.each([
    ["11:05", local(2026, 3, 22, 11, 5)],
    ["2026-04-20 08:52", local(2026, 3, 20, 8, 52)],
    ["2026-04-20T08:52:40", local(2026, 3, 20, 8, 52, 40)],
    ["2026-04-20", local(2026, 3, 20)],
  ])("%s is local time", (text, ms) => expect(parseMoment(text, nowMs)).toBe(ms));

  test.each([
    ...["", " ", "now", "yesterday", "10", "m", "-5m", "1.5h", "10 m", "9:05", "11:05:00", "24:00", "11:60"],
    ...["2026-02-31", "2026-13-01", "2026-04-20T25:00Z", "2026-04-20T08Z", "20260420", "1776848000", "5w"],
    ...["2026-04-20T08:52:40+99:99", "12:01", "2026-04-22T23:59:59", "2999-01-01", "99999999d"],
  ])("%j is not one", (text) => expect(parseMoment(text, nowMs)).toBeNull());
});
