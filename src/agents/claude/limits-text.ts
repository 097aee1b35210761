// What Claude Code says of a limit it has hit: which one, and when it ends. Pure.
//
// [LX1] A time is read in the zone it names, else in the local one.
// [LX2] A clock time without a date is the nearest of that name that the limit can mean: one that lies further ahead
//       than the limit reaches has passed.
// [LX3] A time that cannot be read is null: the limit itself still counts.

export interface LimitText {
  /** `session limit`, `weekly limit`. */
  about: string;
  untilMs: number | null;
}

/** Null when the text, as the client begins it, tells of no limit that was hit: one that is near is none. */
export function readLimit(text: string, nowMs: number): LimitText | null {
  const limit = limitForms.map((form) => form.exec(text)).find((match) => match !== null)?.[1];
  if (limit === undefined) return null;
  const resets = /(?:resets?|automatically) (?:at )?(.+)/.exec(text)?.[1] ?? "";
  return { about: limit.toLowerCase(), untilMs: resetTime(resets, reachOf(limit), nowMs) };
}

/** As older and newer clients begin it. */
const limitForms = [
  /^You've (?:hit|reached) your ([\w' -]*?limit)\b/,
  /^You're out of (usage credits|extra usage)\b/,
  /^(?:⚠ )?(?:Claude )?([\w -]*?limit) reached\b/i,
];

const hourMs = 3_600_000;

/** How far ahead of the moment it was hit a limit can end, if only a clock time is told. */
function reachOf(limit: string): number {
  return /session|5-hour/.test(limit) ? 5 * hourMs : 12 * hourMs;
}

const timeForm = /^(?:([A-Z][a-z]{2}) (\d{1,2}),? (?:at )?)?(\d{1,2})(?::(\d\d))? ?([ap])m(?: \(([^)]+)\))?/;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function resetTime(text: string, reachMs: number, nowMs: number): number | null {
  const match = timeForm.exec(text);
  if (match === null || (match[1] !== undefined && !months.includes(match[1]))) return null;
  const [, month, day, hour, minute = "0", half, zone] = match;
  const clock = { hour: (Number(hour) % 12) + (half === "p" ? 12 : 0), minute: Number(minute) };
  try {
    const today = wallClock(nowMs, zone);
    const dates =
      month === undefined
        ? [1, 0, -1].map((days) => ({ ...today, day: today.day + days }))
        : [1, 0, -1].map((years) => ({
            year: today.year + years,
            month: months.indexOf(month),
            day: Number(day),
          }));
    const times = dates.map((date) => momentOf({ ...date, ...clock }, zone));
    return month === undefined
      ? (times.find((ms) => ms <= nowMs + reachMs) ?? null)
      : times.reduce((a, b) => (Math.abs(a - nowMs) <= Math.abs(b - nowMs) ? a : b));
  } catch {
    // A zone nobody knows.
    return null;
  }
}

interface WallClock {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

function wallClock(ms: number, zone: string | undefined): WallClock {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" },
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return {
    year: part("year"),
    month: part("month") - 1,
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
  };
}

/** The offset of a zone is asked for at about the moment that it is needed for, so that summer time is right. */
function momentOf(wall: WallClock, zone: string | undefined): number {
  const asUtc = ({ year, month, day, hour, minute }: WallClock) => Date.UTC(year, month, day, hour, minute);
  const guess = asUtc(wall) - (asUtc(wallClock(asUtc(wall), zone)) - asUtc(wall));
  return guess + (asUtc(wall) - asUtc(wallClock(guess, zone)));
}
