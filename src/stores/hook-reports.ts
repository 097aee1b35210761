// What the clients' hooks reported: one small file a report, a line of JSON by the handler and below it the client's
// own JSON. Written by the sh handler alone; here they are read, and swept once they are used up.
//
// [HR1] Only whole reports are read: hidden files are being written, and what does not begin with the handler's line
//       is a problem.
// [HR2] Sweeping removes reports of this folder, and what was left half-written or unreadable a day ago, nothing else.
// [HR3] What the client said is taken whole or not at all: too much of it, or no JSON object, is null.
// [HR4] A report from a time that has not come is a problem, and swept: once that time came it would count as the newest.
// [HR5] What cannot be swept is a problem too, and nothing fails for it.

import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { readBytes, refuseLinkedFolder, removeFile, replaceFile } from "../base/atomic-file.js";
import { namesIn } from "../base/names-in.js";
import { limits } from "../limits.js";
import { isPaneId, type PaneId } from "../names/gates.js";
import { guard, type Problem, type Report, StoreError } from "./error.js";
import { isAhead, machineTime, reportTime } from "./report-time.js";

export interface HookReport {
  /** The file's name. */
  name: string;
  /** When the handler wrote it, by the clock as it is now. */
  atMs: number;
  /** The same by the clock as it was then, as what other programs wrote at the time. */
  clockAtMs: number;
  event: string;
  /** The process that ran the hook: the client. */
  pid: number;
  /** `$TMUX` of that process: socket, server pid, tmux session. */
  tmux: string | null;
  pane: PaneId | null;
  /** What the client told its hook. */
  input: Readonly<Record<string, unknown>> | null;
}

/** The sh program, by the agent it is for. */
export interface Handler {
  name: string;
  text: string;
}

export interface HookReports {
  readonly folder: string;
  read(): { reports: readonly HookReport[]; problems: readonly Problem[] };
  sweep(names: Iterable<string>): void;
  handlerState(handler: Handler): "current" | "outdated" | "missing";
  /** False when it lies there already. */
  placeHandler(handler: Handler): boolean;
}

export function openHookReports(folder: string, report?: Report): HookReports {
  const all = () => guard(folder, () => reportsIn(folder));

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

  function handlerState({ name, text }: Handler) {
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
    sweep(names) {
      const unreadable = read().problems.map(({ path }) => basename(path));
      const useless = [...all().filter((name) => temporaryForm.test(name)), ...unreadable];
      const left = useless.filter((name) => isOutOfDate(join(folder, name), Date.now()));
      const wanted = [...names].filter((name) => nameForm.test(name));
      for (const path of [...wanted, ...left].map((name) => join(folder, name))) {
        const why = orWhy(() => guard(path, () => removeFile(path)));
        if (typeof why === "string") report?.({ path, line: 1, why: `it cannot be swept: ${why}` });
      }
    },
    handlerState,
    placeHandler(handler) {
      if (handlerState(handler) === "current") return false;
      guard(folder, () => replaceFile(join(folder, handler.name), handler.text));
      return true;
    },
  };
}

const nameForm = /^[A-Za-z0-9_%][A-Za-z0-9_.%-]*\.json$/;
const temporaryForm = /^\.\d+-\d+\.tmp$/;

function reportsIn(folder: string): string[] {
  refuseLinkedFolder(folder);
  return namesIn(folder).sort();
}

/** Never a folder: nothing of ours is one. */
function isOutOfDate(path: string, nowMs: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return false;
  return isAhead(stat.mtimeMs, nowMs) || nowMs - stat.mtimeMs > limits.hookReportAgeMs;
}

/** Null when somebody swept it meanwhile; a string says what is wrong. */
function readReport(folder: string, name: string): HookReport | string | null {
  const path = join(folder, name);
  return orWhy(() => {
    // Its time first: a newer report of the same name then counts as older than it is, never as newer.
    const clockAtMs = guard(path, () => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs);
    const bytes = guard(path, () => readBytes(path, limits.hookReportBytes));
    if (bytes === null || clockAtMs === undefined) return null;
    const text = bytes.toString("utf8");
    const end = text.indexOf("\n");
    const about = parseObject(end < 0 ? text : text.slice(0, end));
    if (about === null || typeof about.event !== "string" || !Number.isSafeInteger(about.pid)) {
      return "not a hook's report";
    }
    const { event, pid, tmux, pane, boot, up } = about;
    const atMs = reportTime(clockAtMs, { boot: textOf(boot), up: textOf(up) }, machineTime());
    if (atMs === null) return "from a time that has not come: not believed";
    return {
      name,
      atMs,
      clockAtMs,
      event,
      pid: pid as number,
      tmux: textOf(tmux) || null,
      pane: typeof pane === "string" && isPaneId(pane) ? pane : null,
      input: end < 0 ? null : parseObject(text.slice(end + 1)),
    };
  });
}

/** What is wrong with the file, where that is what hinders. */
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

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
