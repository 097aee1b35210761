// The client's live registry: `<folder>/sessions/<pid>.json`, one file per running interactive process.
//
// - A file counts only for the process it names: the pid lives, and its start time is the one in the file.
// - A file of another pid namespace does not count, unless the process is in that namespace.
// - Clients of two pid namespaces that share the folder can have the same pid, and so the same file. The client that
//   started last writes it whole. After that each of them, at each change, puts its own session id, status and name into
//   it, and leaves the rest; the one that ends first removes it (2.1.197 and 2.1.325). So outside the machine's first
//   pid namespace, what a client changes later may be another client's: the session needs a second witness
//   (fleet/identity/witness.ts), and status and name do not count.
// - Every field except the session id is optional. A torn, foreign or unknown file is no evidence, never an error.
// - Only `<pid>.json` is opened: the `.key` files beside it are secrets.
// - A name that the client derived does not count; one that it had to suffix is marked.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { isFirstNamespace, pidNamespace } from "../../base/system/pid-namespace.js";
import type { ProcessInfo } from "../../base/system/process.js";
import { limits } from "../../limits.js";
import { type PaneId, readSessionId, type SessionId } from "../../names/gates.js";
import type { EndedProcess, InboxPlace, JobId, LiveSession, ReportedActivity } from "../agent.js";
import { type Json, readRecordFile, wordsOrNull } from "../record.js";
import { readJobs } from "./jobs.js";

export function liveSession(folder: string, process: ProcessInfo): LiveSession | null {
  const file = readWholeFile(folder, process.pid);
  if (file === null) return null;
  if (isFirstNamespace(process.namespace ?? pidNamespace()))
    return isOf(file, process) ? sessionOf(file) : null;
  const live = file.pid === process.pid ? sessionOf(file) : null;
  if (live === null) return null;
  return isOf(file, process) ? shared(live, process.namespace !== undefined) : others(live);
}

/** The client that started last wrote the file. This one may still have written its session into it. */
function others({ sessionId }: LiveSession): LiveSession {
  return { ...nothing, sessionId, cwd: null, version: null, shared: { activity: null, isOthers: true } };
}

const nothing = {
  name: null,
  isNameSuffixed: false,
  activity: null,
  waitingFor: null,
  updatedAtMs: null,
} as const;

/** What only this client wrote, and its session, which another one may have written. */
function shared(
  { sessionId, cwd, version, startedAtMs, startPane, inbox, activity, parkedJob, ...live }: LiveSession,
  isInside: boolean,
): LiveSession {
  return {
    ...nothing,
    sessionId,
    cwd,
    version,
    ...given("startedAtMs", startedAtMs ?? null),
    ...given("startPane", startPane ?? null),
    ...given("job", live.job ?? null),
    ...(live.isSpare === true ? { isSpare: true } : {}),
    ...(live.isTool === true ? { isTool: true } : {}),
    // From outside the container its path and its pid mean something else.
    ...(isInside ? {} : given("inbox", inbox ?? null)),
    ...(parkedJob === undefined ? {} : { isLeft: true }),
    shared: { activity },
  };
}

/**
 * A killed process leaves its file behind. In the machine's first pid namespace, no other process can have had its pid
 * while it ran.
 */
export function leftSession(
  folder: string,
  { pid, pane, endedAtMs }: EndedProcess,
  namespace = pidNamespace(),
): SessionId | null {
  const file = isFirstNamespace(namespace) ? readRegistryFile(folder, pid) : null;
  if (file === null || file.pid !== pid || isForeignDomain(file.pidDomain, null)) return null;
  const startPane = paneIn(file.tmux);
  const updatedAt = number(file.updatedAt) ?? number(file.startedAt);
  const isOwn = updatedAt !== null && updatedAt <= endedAtMs && (startPane ?? pane) === pane;
  const left = isOwn ? sessionOf(file) : null;
  if (left?.parkedJob === undefined) return left?.sessionId ?? null;
  // The conversation continued in a job; this file still names the session before that.
  return readJobs(folder).find(({ id }) => id === left.parkedJob)?.session ?? null;
}

export function registryFolder(folder: string): string {
  return join(folder, "sessions");
}

export function registryFile(folder: string, pid: number): string {
  return join(registryFolder(folder), `${pid}.json`);
}

/** From the file names alone: `liveSession` says whether the process lives and what the file says. */
export function registeredPids(folder: string): number[] {
  try {
    return readdirSync(registryFolder(folder)).flatMap((name) => {
      const pid = /^([1-9]\d{0,9})\.json$/.exec(name)?.[1];
      return pid === undefined ? [] : [Number(pid)];
    });
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}

function readRegistryFile(folder: string, pid: number): Json | null {
  return readRecordFile(registryFile(folder, pid), limits.registryBytes);
}

/** A running client rewrites its file in place: a read in that moment finds half of it, so it is read again. */
function readWholeFile(folder: string, pid: number): Json | null {
  const file = readRegistryFile(folder, pid);
  const path = registryFile(folder, pid);
  if (file !== null || !isTorn(path)) return file;
  for (let again = 0; again < limits.registryAgain; again++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.registryAgainMs);
    const whole = readRegistryFile(folder, pid);
    if (whole !== null) return whole;
  }
  return null;
}

function isTorn(path: string): boolean {
  try {
    const { size } = lstatSync(path);
    return size <= limits.registryBytes;
  } catch {
    return false;
  }
}

/** How far the start time that the client wrote may lie behind the process's start. */
const startSlackMs = 60_000;

function isOf(file: Json, process: ProcessInfo): boolean {
  if (file.pid !== process.pid || isForeignDomain(file.pidDomain, process.namespace ?? null)) return false;
  if (typeof file.procStart === "string" && process.startTicks !== null) {
    return file.procStart === process.startTicks;
  }
  const startedAt = number(file.startedAt);
  if (startedAt === null) return false;
  return startedAt >= process.startedAtMs - 2_000 && startedAt <= process.startedAtMs + startSlackMs;
}

/** `linux:<machine id>:pid:[4026531836]`: only the namespace can be compared, in the kernel's notation. */
function isForeignDomain(domain: unknown, namespace: string | null): boolean {
  const named = typeof domain === "string" ? /pid:\[\d+\]/.exec(domain)?.[0] : undefined;
  if (namespace !== null) return named !== namespace;
  const own = pidNamespace();
  return named !== undefined && own !== null && named !== own;
}

/** `shell` is an idle prompt while a background command runs: the agent has not finished its work. */
const activities: ReadonlyMap<unknown, ReportedActivity> = new Map([
  ["idle", "idle"],
  ["busy", "busy"],
  ["waiting", "waiting"],
  ["shell", "busy"],
]);

function sessionOf(file: Json): LiveSession | null {
  const id = readSessionId(file.sessionId);
  if (id === null) return null;
  const activity = activities.get(file.status) ?? null;
  const startedAtMs = number(file.startedAt);
  return {
    sessionId: id,
    name: file.nameSource === "derived" ? null : wordsOrNull(file.name),
    isNameSuffixed: file.nameSource === "collision",
    cwd: wordsOrNull(file.cwd),
    version: wordsOrNull(file.version),
    activity,
    ...(file.status === "shell" ? { isInBackground: true } : {}),
    waitingFor: activity === "waiting" ? wordsOrNull(file.waitingFor) : null,
    updatedAtMs: number(file.updatedAt),
    ...given("activitySinceMs", number(file.statusUpdatedAt)),
    ...(startedAtMs === null ? {} : { startedAtMs }),
    ...given("job", jobId(file.jobId)),
    ...(file.spare === true ? { isSpare: true } : {}),
    ...(typeof file.entrypoint === "string" && file.entrypoint.startsWith("sdk") ? { isTool: true } : {}),
    ...given("parkedJob", jobId(file.parkedJobId)),
    ...given("startPane", paneIn(file.tmux)),
    ...given("inbox", inboxIn(file)),
  };
}

function given<K extends string, T>(name: K, value: T | null): Partial<Record<K, T>> {
  return value === null ? {} : ({ [name]: value } as Record<K, T>);
}

function jobId(value: unknown): JobId | null {
  return typeof value === "string" && /^[0-9a-f]{8}$/.test(value) ? value : null;
}

/** `team:@0.%1`: tmux session, window, pane. */
function paneIn(value: unknown): PaneId | null {
  const named = typeof value === "string" ? /\.(%\d{1,9})$/.exec(value)?.[1] : undefined;
  return named === undefined ? null : (named as PaneId);
}

/** The longest path of a unix socket has 107 bytes. */
function inboxIn({ pid, messagingSocketPath: path }: Json): InboxPlace | null {
  const isPath = typeof path === "string" && /^\/[^\u0000-\u001f\u007f]{1,106}$/.test(path);
  return isPath && typeof pid === "number" ? { path, pid } : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
