// The reports of the clients' hooks, one small file per report: a line of JSON by the handler, then the client's own
// JSON. Only the sh handler writes them. They are read here, and deleted once they are used up.
//
// - Hidden files are still being written and are skipped. A file without the handler's line is a problem.
// - Sweeping deletes reports of this folder and files left half-written or unreadable for a day, nothing else.
// - The client's part counts as a whole or not at all: if it is too long, or not a JSON object, it is null.
// - A report with a future time is a problem and is swept: it would later count as the newest.
// - A file that cannot be swept is a problem too, but not a failure.
// - Setting the clock does not move a report: if the handler noted the uptime, that gives its age. A process's start
//   is also counted from boot, so the two stay comparable. Without an uptime of this boot, the file's time counts,
//   unless it is in the future.

import { lstatSync } from "node:fs";
import { uptime } from "node:os";
import { basename, join } from "node:path";
import { readBytes, refuseLinkedFolder, removeFile, replaceFile } from "../base/files/atomic-file.js";
import { ownIdentity } from "../base/processes/process-identity.js";
import { jsonObject } from "../base/text/json-object.js";
import { limits } from "../limits.js";
import { isPaneId, type PaneId } from "../names/gates.js";
import { guard, type Problem, type Report, StoreError } from "./file/error.js";
import { namesInStore } from "./file/store-file.js";

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
  /** `$TMUX` of that process: socket, server pid, tmux session. */
  tmux: string | null;
  pane: PaneId | null;
  /** The JSON that the client gave its hook. */
  input: Readonly<Record<string, unknown>> | null;
}

/** An agent's sh program. */
export interface Handler {
  name: string;
  text: string;
}

export function openHookReports(folder: string, report?: Report) {
  const all = () => namesInStore(folder).sort();

  function read() {
    const reports: HookReport[] = [];
    const problems: Problem[] = [];
    for (const name of all().filter((each) => nameForm.test(each))) {
      const found = readReport(folder, name);
      if (typeof found === "string") problems.push({ path: join(folder, name), line: 1, why: found });
      else if (found !== null) reports.push(found);
    }
    return { reports, problems };
  }

  function handlerState({ name, text }: Handler): "current" | "outdated" | "missing" {
    const path = join(folder, name);
    guard(folder, () => refuseLinkedFolder(folder));
    const bytes = guard(path, () => readBytes(path, limits.hookReportBytes));
    if (bytes === null) return "missing";
    return bytes.toString("utf8") === text ? "current" : "outdated";
  }

  return {
    folder,
    read() {
      const found = read();
      for (const problem of found.problems) report?.(problem);
      return found;
    },
    sweep(names: Iterable<string>): void {
      const unreadable = read().problems.map(({ path }) => basename(path));
      const useless = [...all().filter((name) => temporaryForm.test(name)), ...unreadable];
      const left = useless.filter((name) => isOutOfDate(join(folder, name), Date.now()));
      const wanted = [...names].filter((name) => nameForm.test(name));
      for (const path of [...wanted, ...left].map((name) => join(folder, name))) {
        const why = orWhy(() => guard(path, () => removeFile(path)));
        if (typeof why === "string") report?.({ path, line: 1, why: `cannot delete it: ${why}` });
      }
    },
    handlerState,
    /** Returns false if the handler is already up to date. */
    placeHandler(handler: Handler): boolean {
      if (handlerState(handler) === "current") return false;
      guard(folder, () => replaceFile(join(folder, handler.name), handler.text));
      return true;
    },
  };
}

const nameForm = /^[A-Za-z0-9_%][A-Za-z0-9_.%-]*\.json$/;
const temporaryForm = /^\.\d+-\d+\.tmp$/;

/** Never a folder: we create none here. */
function isOutOfDate(path: string, nowMs: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return false;
  return isAhead(stat.mtimeMs, nowMs) || nowMs - stat.mtimeMs > limits.hookReportAgeMs;
}

/** Null if another process swept it meanwhile; a string is the problem. */
function readReport(folder: string, name: string): HookReport | string | null {
  const path = join(folder, name);
  return orWhy(() => {
    // The time first: so a newer report of the same name counts as older than it is, never as newer.
    const clockAtMs = guard(path, () => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs);
    const bytes = guard(path, () => readBytes(path, limits.hookReportBytes));
    if (bytes === null || clockAtMs === undefined) return null;
    const text = bytes.toString("utf8");
    const end = text.indexOf("\n");
    const about = jsonObject(end < 0 ? text : text.slice(0, end));
    if (about === null || typeof about.event !== "string" || !Number.isSafeInteger(about.pid)) {
      return "not a hook's report";
    }
    const { event, pid, tmux, pane, boot, up } = about;
    const atMs = reportTime(clockAtMs, { boot: textOf(boot), up: textOf(up) }, machineTime());
    if (atMs === null) return "its time is in the future: ignored";
    return {
      name,
      atMs,
      clockAtMs,
      event,
      pid: pid as number,
      tmux: textOf(tmux) || null,
      pane: typeof pane === "string" && isPaneId(pane) ? pane : null,
      input: end < 0 ? null : jsonObject(text.slice(end + 1)),
    };
  });
}

/** Returns the message of a store error instead of throwing it. */
function orWhy<T>(look: () => T): T | string {
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
  return { clockMs: Date.now(), upMs: uptime() * 1000, boot: () => ownIdentity().boot };
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

function isAhead(atMs: number, nowMs: number): boolean {
  return atMs > nowMs + slackMs;
}

/** The handler notes the uptime a moment before it creates the file. */
const slackMs = 2_000;
