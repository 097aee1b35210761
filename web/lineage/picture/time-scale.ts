// Where a moment is on the time axis. Pure.
//
// Work comes in bursts: a true scale would be weeks of nothing with everything in a few pixels. So the axis gives each
// stretch between two moments the root of its length: order is kept, long pauses shrink, and short turns stay visible.

export interface TimeScale {
  /** From 0 (the oldest moment) to `width` (the newest). */
  placeOf(ms: number): number;
  timeAt(place: number): number;
}

export interface Tick {
  place: number;
  label: string;
  /** A new day or month, which the picture draws stronger. */
  isMajor: boolean;
}

const sharpness = 0.42;

export function timeScale(moments: readonly number[], width: number): TimeScale {
  const times = [...new Set(moments)].sort((a, b) => a - b);
  const lengths = times.slice(1).map((ms, at) => (ms - times[at]!) ** sharpness);
  const total = lengths.reduce((sum, length) => sum + length, 0) || 1;
  const places = [0];
  for (const length of lengths) places.push(places.at(-1)! + (length / total) * width);
  return {
    placeOf: (ms) => between(times, places, ms),
    timeAt: (place) => between(places, times, place),
  };
}

/** The ticks that fit on this part of the axis, at least `apart` from each other. Days win over hours. */
export function ticksOf(scale: TimeScale, from: number, to: number, apart: number): Tick[] {
  const [fromMs, toMs] = [scale.timeAt(from), scale.timeAt(to)];
  const found: Tick[] = [];
  const isFree = (place: number) => found.every((tick) => Math.abs(tick.place - place) >= apart);
  for (const { steps, label, isMajor } of levels) {
    if ((toMs - fromMs) / steps.lengthMs > mostSteps) continue;
    for (let at = steps.first(fromMs); at <= toMs; at = steps.next(at)) {
      const place = scale.placeOf(at);
      if (place >= from && isFree(place)) found.push({ place, label: label(at), isMajor });
    }
  }
  return found.sort((a, b) => a.place - b.place);
}

/** A level with more steps than this would only be clutter. */
const mostSteps = 800;

interface Steps {
  lengthMs: number;
  first(fromMs: number): number;
  next(ms: number): number;
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat("en-GB", options);
  return (ms: number) => formatter.format(ms);
};
const clock = format({ hour: "2-digit", minute: "2-digit" });
const day = format({ day: "numeric", month: "short" });

const levels: readonly { steps: Steps; label: (ms: number) => string; isMajor: boolean }[] = [
  { steps: monthSteps(), label: format({ month: "long", year: "numeric" }), isMajor: true },
  { steps: daySteps(), label: day, isMajor: true },
  ...[6 * 60, 60, 10, 1].map((minutes) => ({ steps: evenSteps(minutes), label: clock, isMajor: false })),
];

function monthSteps(): Steps {
  const month = (ms: number, more: number) => {
    const date = new Date(ms);
    return new Date(date.getFullYear(), date.getMonth() + more).getTime();
  };
  return { lengthMs: 30 * 86_400_000, first: (ms) => month(ms, 1), next: (ms) => month(ms, 1) };
}

function daySteps(): Steps {
  const next = (ms: number) => {
    const date = new Date(ms);
    return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
  };
  return { lengthMs: 86_400_000, first: next, next };
}

function evenSteps(minutes: number): Steps {
  const lengthMs = minutes * 60_000;
  return { lengthMs, first: (ms) => Math.ceil(ms / lengthMs) * lengthMs, next: (ms) => ms + lengthMs };
}

/** The value of `x` on the line through the points (`xs`, `ys`); `xs` rise. Outside it is the nearest end. */
function between(xs: readonly number[], ys: readonly number[], x: number): number {
  let [low, high] = [0, xs.length - 1];
  if (high < 0) return 0;
  if (x <= xs[0]!) return ys[0]!;
  if (x >= xs[high]!) return ys[high]!;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle]! <= x) low = middle;
    else high = middle;
  }
  const share = (x - xs[low]!) / (xs[high]! - xs[low]! || 1);
  return ys[low]! + share * (ys[high]! - ys[low]!);
}
