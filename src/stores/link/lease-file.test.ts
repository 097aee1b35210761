import { expect, test } from "vitest";
import { formatLease, type LeaseMark, leaseAt, parseLease } from "./lease-file.js";

const mark: LeaseMark = { boot: "b-1", renewedAtMs: 50_000, serverMs: 1_000_000, epoch: 7, host: "web.1" };

test.each<[string, LeaseMark | null, string, number, boolean, number | null]>([
  ["renewed now", mark, "b-1", 50_000, true, 1_000_000],
  ["one renewal missed", mark, "b-1", 59_999, true, 1_009_999],
  ["two renewals missed", mark, "b-1", 60_000, false, 1_010_000],
  ["asleep for an hour", mark, "b-1", 3_650_000, false, 4_600_000],
  ["another boot, whose clock is younger", mark, "b-2", 51_000, false, null],
  ["a clock that runs behind the file", mark, "b-1", 49_000, false, null],
  ["a system that does not name its boots", { ...mark, boot: "" }, "", 50_000, false, null],
  ["no lease", null, "b-1", 50_000, false, null],
])("[LF1] %s: freshness comes from the boot clock alone", (_, found, boot, nowMs, isFresh, serverNowMs) => {
  const now = leaseAt(found, boot, nowMs);
  expect(now.isFresh).toBe(isFresh);
  expect(now.serverNowMs).toBe(serverNowMs);
});

test("a lease reads back as itself", () => {
  expect(parseLease(formatLease(mark))).toEqual(mark);
  expect(parseLease(`${formatLease(mark)}\n`)).toEqual(mark);
});

test.each(["", "b-1|1|2|3", "b-1|1|2|3|web|x", "b-1|-1|2|3|web", "b-1|1|2|3|web\nmore", "b-1|1|2|1e3|web"])(
  "%j is no lease",
  (text) => expect(parseLease(text)).toBeNull(),
);
