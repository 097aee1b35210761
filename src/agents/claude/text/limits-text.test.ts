import { expect, it } from "vitest";
import { readLimit } from "./limits-text.js";

/** A Sunday afternoon in winter. */
const now = "2026-11-15T13:30:00Z";

function limitIn(text: string, at = now): string | null {
  const found = readLimit(text, Date.parse(at));
  if (found === null) return null;
  return `${found.about}, ${found.untilMs === null ? "?" : new Date(found.untilMs).toISOString().slice(0, 16)}`;
}

it.each([
  ["You've hit your session limit · resets 3:15pm (UTC)", "session limit, 2026-11-15T15:15"],
  ["You've hit your 5-hour limit · resets 3pm (UTC) /upgrade to increase", "5-hour limit, 2026-11-15T15:00"],
  ["You've hit your weekly limit · resets Nov 18, 1:15pm (UTC)", "weekly limit, 2026-11-18T13:15"],
  ["You've hit your weekly limit · resets Jan 2 at 9am (UTC)", "weekly limit, 2027-01-02T09:00"],
  ["You've reached your Opus limit · resets 12am (UTC)", "opus limit, 2026-11-16T00:00"],
  ["Claude usage limit reached. Your limit will reset at 3pm (UTC).", "usage limit, 2026-11-15T15:00"],
  ["5-hour limit reached ∙ resets 3pm (UTC)", "5-hour limit, 2026-11-15T15:00"],
  ["You're out of usage credits. /model to switch models.", "usage credits, ?"],
  ["You've hit your monthly spend limit.", "monthly spend limit, ?"],
])("%s", (text, expected) => expect(limitIn(text)).toBe(expected));

it.each([
  ["a limit that is near", "You've used 93% of your session limit · resets 3:16pm (UTC)"],
  ["text about a limit", "They say you've hit your session limit · resets 3pm (UTC)"],
  ["another notice", "Automatic continue cancelled · /rate-limit-options to re-arm"],
])("%s is not a limit", (_, text) => expect(limitIn(text)).toBe(null));

it.each([
  ["in winter", "2026-11-15T13:30:00Z", "2026-11-15T16:00"],
  ["in summer", "2026-07-15T13:30:00Z", "2026-07-15T15:00"],
  ["on the night of the change", "2026-10-25T00:30:00Z", "2026-10-25T04:00"],
])("a time is read in the zone it names, %s", (name, at, expected) => {
  const text = `You've hit your session limit · resets ${name.includes("night") ? "5am" : "5pm"} (Europe/Berlin)`;
  expect(limitIn(text, at)).toBe(`session limit, ${expected}`);
});

it("without a zone it is the local time", () => {
  const local = new Date(Date.parse(now) + 3_600_000);
  const hour = local.getHours();
  const minute = String(local.getMinutes()).padStart(2, "0");
  const typed = `${hour % 12 || 12}:${minute}${hour < 12 ? "am" : "pm"}`;
  const limit = readLimit(`You've hit your session limit · resets ${typed}`, Date.parse(now));
  expect(limit?.untilMs).toBe(Date.parse(now) + 3_600_000);
});

it.each([
  ["ahead", "You've hit your session limit · resets 6pm (UTC)", "session limit, 2026-11-15T18:00"],
  ["passed", "You've hit your session limit · resets 1pm (UTC)", "session limit, 2026-11-15T13:00"],
  ["yesterday's", "You've hit your session limit · resets 11pm (UTC)", "session limit, 2026-11-14T23:00"],
  ["tomorrow's", "You've hit your weekly limit · resets 1am (UTC)", "weekly limit, 2026-11-16T01:00"],
])("a clock time is the nearest possible one: %s", (_, text, expected) =>
  expect(limitIn(text)).toBe(expected),
);

it.each(["soon", "25 o'clock", "Foo 3, 1pm (UTC)", "3pm (Nowhere/Land)"])(
  "a limit that resets %s has no time",
  (when) => expect(limitIn(`You've hit your session limit · resets ${when}`)).toBe("session limit, ?"),
);
