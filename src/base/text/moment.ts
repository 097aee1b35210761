// A time as users type it: `2026-04-22T08:52Z`, `10m`, `2h`, `3d` ago, `08:52` today.
//
// Anything else, an invalid date or a future time is null: nothing is guessed. A time without a zone is local.

import { parseSpelt } from "./utc.js";

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
  return year === undefined ? null : parseSpelt(`${year}-${month}-${day}T${hour}:${minute}:${second}`, zone);
}
