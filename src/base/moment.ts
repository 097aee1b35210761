// A moment as a person types it: `2026-04-22T08:52Z`, `10m`, `2h`, `3d` ago, `08:52` today.
//
// [MM1] What is none of these, is no real date, or lies in the future is null: nothing is guessed.
// [MM2] Without a zone a time is the local one.

/** In milliseconds; null for anything else. */
export function parseMoment(text: string, nowMs: number): number | null {
  const ms = agoForm.test(text) ? ago(text, nowMs) : clockForm.test(text) ? today(text, nowMs) : iso(text);
  return ms === null || ms > nowMs ? null : ms;
}

export const momentRule =
  "a time is 2026-04-22T08:52:40Z (without Z: local time), 30s, 10m, 2h, 3d ago, or 08:52 today; not in the future";

const agoForm = /^\d{1,6}[smhd]$/;
const clockForm = /^\d\d:\d\d$/;
const isoForm = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function ago(text: string, nowMs: number): number {
  return nowMs - Number(text.slice(0, -1)) * unitMs[text.slice(-1)]!;
}

function today(text: string, nowMs: number): number | null {
  const [hours, minutes] = text.split(":").map(Number) as [number, number];
  return hours > 23 || minutes > 59 ? null : new Date(nowMs).setHours(hours, minutes, 0, 0);
}

function iso(text: string): number | null {
  const [, year, month, day, hour = "00", minute = "00", second = "00", zone = ""] = isoForm.exec(text) ?? [];
  if (year === undefined) return null;
  // `Date` takes the 31st of February for the 3rd of March.
  const spelt = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const utc = Date.parse(`${spelt}Z`);
  if (Number.isNaN(utc) || !new Date(utc).toISOString().startsWith(spelt)) return null;
  const ms = Date.parse(`${spelt}${zone}`);
  return Number.isNaN(ms) ? null : ms;
}
