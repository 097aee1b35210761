import { expect, test } from "vitest";
import type { SessionId } from "../names/gates.js";
import { cleanupFindings } from "./cleanup.js";

const nowMs = Date.UTC(2026, 3, 22);
const dayMs = 24 * 60 * 60 * 1000;
const aged = (...days: number[]) =>
  days.map((age, at) => ({
    id: `id-${at}` as SessionId,
    stamp: { modifiedAtMs: nowMs - age * dayMs } as never,
  }));

test.each([
  [30, [0, 10, 24.9], null],
  [30, [25, 1], /deletes 1 transcript within 5 days \(cleanupPeriodDays is 30\), the first \(id-0\) in 5$/],
  [30, [26, 29.5, 40], /deletes 3 transcripts .* the first \(id-2\) in 0$/],
  [365, [100, 359], null],
  [3, [0], /deletes 1 transcript/],
  [0, [], /keeps no transcripts/],
])("with %i days, transcripts of %j days", (days, ages, expected) => {
  const found = cleanupFindings("/c", days, aged(...ages), nowMs);
  if (expected === null) expect(found).toEqual([]);
  else
    expect(found).toEqual([
      {
        level: "warning",
        message: expect.stringMatching(expected),
        fix: 'set "cleanupPeriodDays": 365 in /c/settings.json',
      },
    ]);
});
