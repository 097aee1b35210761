// A file that a hook's handler wrote: a line of JSON by the handler, then the client's own JSON.
//
// Setting the clock does not move a file in time: if the handler noted the uptime, that gives its age. A process's start
// is also counted from boot, so the two stay comparable. Without an uptime of this boot, the file's time counts, unless
// it is in the future.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../base/files/atomic-file.js";
import { bootClock } from "../../base/system/boot-clock.js";
import { jsonObject } from "../../base/text/json-object.js";
import { isPaneId, type PaneId } from "../../names/gates.js";
import { guard, StoreError } from "../file/error.js";

export interface HookReport {
  /** The file's name. */
  name: string;
  /** When the handler wrote it, by today's clock. */
  atMs: number;
  /** The same by the clock at that time, comparable with what other programs wrote then. */
  clockAtMs: number;
  event: string;
  /** The process that ran the hook: the client. */
  pid: number;
  /** The pid namespace of `pid`. Null if the handler is older than this field, or the system has none. */
  namespace: string | null;
  /** `$TMUX` of that process: socket, server pid, tmux session. */
  tmux: string | null;
  pane: PaneId | null;
  /** The JSON that the client gave its hook. */
  input: Readonly<Record<string, unknown>> | null;
}

export interface HookFile {
  report: HookReport;
  /** The handler's own line, with what only some handlers write. */
  about: Readonly<Record<string, unknown>>;
  bytes: Buffer;
}

/** Null if another process removed it meanwhile; a string is the problem. */
export function readHookFile(folder: string, name: string, mostBytes: number): HookFile | string | null {
  const path = join(folder, name);
  return orWhy(() => {
    // The time first: so a newer report of the same name counts as older than it is, never as newer.
    const clockAtMs = guard(path, () => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs);
    const bytes = guard(path, () => readBytes(path, mostBytes));
    if (bytes === null || clockAtMs === undefined) return null;
    const text = bytes.toString("utf8");
    const end = text.indexOf("\n");
    const about = jsonObject(end < 0 ? text : text.slice(0, end));
    if (about === null || typeof about.event !== "string" || !Number.isSafeInteger(about.pid)) {
      return "not a hook's report";
    }
    const { event, pid, ns, tmux, pane, boot, up } = about;
    const atMs = reportTime(clockAtMs, { boot: textOf(boot), up: textOf(up) }, machineTime());
    if (atMs === null) return "its time is in the future: ignored";
    const report = {
      name,
      atMs,
      clockAtMs,
      event,
      pid: pid as number,
      namespace: textOf(ns) || null,
      tmux: textOf(tmux) || null,
      pane: typeof pane === "string" && isPaneId(pane) ? pane : null,
      input: end < 0 ? null : jsonObject(text.slice(end + 1)),
    };
    return { report, about, bytes };
  });
}

/** Returns the message of a store error instead of throwing it. */
export function orWhy<T>(look: () => T): T | string {
  try {
    return look();
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface MachineTime {
  clockMs: number;
  upMs: number;
  /** Read only for a report with a boot id: except on Linux it costs two programs. */
  boot(): string;
}

export function machineTime(): MachineTime {
  return { clockMs: Date.now(), upMs: bootClock.nowMs(), boot: () => bootClock.boot };
}

/** Null for a future time. `up` is in seconds since `boot`; both are empty if the handler could not read them. */
export function reportTime(
  fileAtMs: number,
  { boot, up }: { boot: string; up: string },
  now: MachineTime,
): number | null {
  const isOfThisBoot = boot !== "" && /^\d+(\.\d+)?$/.test(up) && boot === now.boot();
  const byUptimeMs = now.clockMs - now.upMs + Number(up) * 1000;
  const isMoved = isOfThisBoot && Math.abs(byUptimeMs - fileAtMs) > slackMs;
  const atMs = isMoved ? byUptimeMs : fileAtMs;
  return isAhead(atMs, now.clockMs) ? null : atMs;
}

export function isAhead(atMs: number, nowMs: number): boolean {
  return atMs > nowMs + slackMs;
}

/** The handler notes the uptime a moment before it creates the file. */
const slackMs = 2_000;
