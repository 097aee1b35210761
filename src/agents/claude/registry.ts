// The client's live registry: `<folder>/sessions/<pid>.json`, one file for each running interactive process.
//
// [LR1] A file is believed only for the very process it names: the pid lives and its start time is the one written.
// [LR2] A file from another pid namespace is not ours, whatever its pid says, unless the process is one of that namespace.
// [LR3] Every field but the session id is optional; a file that is torn, foreign or unknown is no evidence, never an error.
// [LR4] Only `<pid>.json` is opened: the `.key` files beside it are secrets.
// [LR5] A name that the client derived is none, and one that it had to change says so.

import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../base/atomic-file.js";
import { errorCode } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { type PaneId, readSessionId, type SessionId } from "../../names/gates.js";
import type { ProcessInfo } from "../../processes/process.js";
import type { EndedProcess, JobId, LiveSession, ReportedActivity } from "../agent.js";
import { readJobs } from "./jobs.js";

export function liveSession(folder: string, process: ProcessInfo): LiveSession | null {
  const file = readRegistryFile(join(registryFolder(folder), `${process.pid}.json`));
  return file !== null && isOf(file, process) ? sessionOf(file) : null;
}

/** A process that is killed leaves its file behind. Nobody else can have had its number while it ran. */
export function leftSession(folder: string, { pid, pane, endedAtMs }: EndedProcess): SessionId | null {
  const file = readRegistryFile(join(registryFolder(folder), `${pid}.json`));
  if (file === null || file.pid !== pid || isForeignDomain(file.pidDomain, null)) return null;
  const startPane = paneIn(file.tmux);
  const updatedAt = number(file.updatedAt) ?? number(file.startedAt);
  const isOwn = updatedAt !== null && updatedAt <= endedAtMs && (startPane ?? pane) === pane;
  const left = isOwn ? sessionOf(file) : null;
  if (left?.parkedJob === undefined) return left?.sessionId ?? null;
  // The conversation went on in a job; the file of its process still names where it was before.
  return readJobs(folder).find(({ id }) => id === left.parkedJob)?.session ?? null;
}

export function registryFolder(folder: string): string {
  return join(folder, "sessions");
}

/** By their names alone: whether one lives, and what it says, `liveSession` tells. */
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

type Fields = Record<string, unknown>;

function readRegistryFile(path: string): Fields | null {
  try {
    const value: unknown = JSON.parse(readBytes(path, limits.registryBytes)?.toString("utf8") ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** How far the client's own clock reading may lie behind the process's start. */
const startSlackMs = 60_000;

function isOf(file: Fields, process: ProcessInfo): boolean {
  if (file.pid !== process.pid || isForeignDomain(file.pidDomain, process.namespace ?? null)) return false;
  if (typeof file.procStart === "string" && process.startTicks !== null) {
    return file.procStart === process.startTicks;
  }
  const startedAt = number(file.startedAt);
  if (startedAt === null) return false;
  return startedAt >= process.startedAtMs - 2_000 && startedAt <= process.startedAtMs + startSlackMs;
}

/** `linux:<machine id>:pid:[4026531836]`: the namespace is what we can compare, written as the kernel writes it. */
function isForeignDomain(domain: unknown, namespace: string | null): boolean {
  const named = typeof domain === "string" ? /pid:\[\d+\]/.exec(domain)?.[0] : undefined;
  const own = namespace ?? readNamespace();
  return named !== undefined && own !== null && named !== own;
}

function readNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

/** `shell` is an idle prompt while a command runs in the background: the agent is not done with its work. */
const activities: ReadonlyMap<unknown, ReportedActivity> = new Map([
  ["idle", "idle"],
  ["busy", "busy"],
  ["waiting", "waiting"],
  ["shell", "busy"],
]);

function sessionOf(file: Fields): LiveSession | null {
  const id = readSessionId(file.sessionId);
  if (id === null) return null;
  const activity = activities.get(file.status) ?? null;
  const startedAtMs = number(file.startedAt);
  return {
    sessionId: id,
    name: file.nameSource === "derived" ? null : text(file.name),
    isNameSuffixed: file.nameSource === "collision",
    cwd: text(file.cwd),
    version: text(file.version),
    activity,
    ...(file.status === "shell" ? { isInBackground: true } : {}),
    waitingFor: activity === "waiting" ? text(file.waitingFor) : null,
    updatedAtMs: number(file.updatedAt),
    ...(startedAtMs === null ? {} : { startedAtMs }),
    ...given("job", jobId(file.jobId)),
    ...(file.spare === true ? { isSpare: true } : {}),
    ...(typeof file.entrypoint === "string" && file.entrypoint.startsWith("sdk") ? { isTool: true } : {}),
    ...given("parkedJob", jobId(file.parkedJobId)),
    ...given("startPane", paneIn(file.tmux)),
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

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
