// The limit in a message of Claude Code: which one, and when it ends. Pure.
//
// - A time is in the zone it names, or else in the local one.
// - A clock time without a date is the nearest possible one: if it lies further ahead than the limit lasts, it has
//   passed.
// - For an unreadable time the end is null; the limit still counts.

export interface LimitText {
  /** `session limit`, `weekly limit`. */
  about: string;
  untilMs: number | null;
}

/**
 * Null unless the text begins like the client's message that a limit was hit. A limit that is only near does not
 * count.
 */
export function readLimit(text: string, nowMs: number): LimitText | null {
  const limit = limitForms.map((form) => form.exec(text)).find((match) => match !== null)?.[1];
  if (limit === undefined) return null;
  const resets = /(?:resets?|automatically) (?:at )?(.+)/.exec(text)?.[1] ?? "";
  return { about: limit.toLowerCase(), untilMs: resetTime(resets, reachOf(limit), nowMs) };
}

/** The beginnings that older and newer clients use. */
const limitForms = [
  /^You've (?:hit|reached) your ([\w' -]*?limit)\b/,
  /^You're out of (usage credits|extra usage)\b/,
  /^(?:⚠ )?(?:Claude )?([\w -]*?limit) reached\b/i,
];

const hourMs = 3_600_000;

/** How far ahead a limit can end, if only a clock time is known. */
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
    // Unknown time zone.
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

/** Takes the offset of the zone at about the moment in question, so that summer time is right. */
function momentOf(wall: WallClock, zone: string | undefined): number {
  const asUtc = ({ year, month, day, hour, minute }: WallClock) => Date.UTC(year, month, day, hour, minute);
  const guess = asUtc(wall) - (asUtc(wallClock(asUtc(wall), zone)) - asUtc(wall));
  return guess + (asUtc(wall) - asUtc(wallClock(guess, zone)));
}
