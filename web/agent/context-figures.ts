// The figures of the context chart. Pure.

/** `GET /context/{name}/history` */
export interface ContextHistory {
  uuid: string;
  model: string | null;
  window: number | null;
  /** Oldest first. */
  points: readonly { at: string; used: number }[];
  compactions: readonly { at: string | null }[];
}

/** What the pointer is at. */
export interface Readout {
  time: string;
  used: string;
  share: string | null;
}

export function contextFigures({ window, points, compactions }: ContextHistory) {
  const now = points.at(-1)?.used ?? 0;
  const peak = points.reduce((most, { used }) => Math.max(most, used), 0);
  const percent = window === null ? null : Math.round((100 * now) / window);
  return { now, peak, percent, compactions: compactions.length };
}

/** `840`, `12.5k`, `610k`, `1M` */
export function tokenWords(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 99_950) return `${trimmed((tokens / 1000).toFixed(1))}k`;
  return tokens < 999_500 ? `${Math.round(tokens / 1000)}k` : `${trimmed((tokens / 1e6).toFixed(2))}M`;
}

/** Seconds and tokens, as the chart takes them. A compaction interrupts the line: it does not fall slowly. */
export function chartData({ points, compactions }: ContextHistory): [number[], (number | null)[]] {
  const breaks = compactions.flatMap(({ at }) => (at === null ? [] : [Date.parse(at) / 1000]));
  const [seconds, used]: [number[], (number | null)[]] = [[], []];
  for (const point of points) {
    const second = Date.parse(point.at) / 1000;
    const last = seconds.at(-1);
    const between = last === undefined ? undefined : breaks.find((at) => at > last && at <= second);
    if (between !== undefined) {
      seconds.push(Math.min(between, second - 0.001));
      used.push(null);
    }
    seconds.push(second);
    used.push(point.used);
  }
  return [seconds, used];
}

/** From 0 to above the window, or above the largest value if the window is unknown or far away. */
export function tokenRange({ window, points }: ContextHistory): [number, number] {
  const { peak } = contextFigures({ uuid: "", model: null, window, points, compactions: [] });
  const top = window !== null && peak > window * 0.25 ? Math.max(window, peak) : Math.max(peak * 1.3, 1000);
  return [0, top * 1.06];
}

function trimmed(digits: string): string {
  return digits.replace(/\.?0+$/, "");
}
