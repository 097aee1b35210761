// The files of the client's live registry as they lie there, believed or not.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { liveSession } from "../agents/claude/registry.js";
import { FileRefused, readBytes } from "../base/atomic-file.js";
import { errorCode } from "../base/errors.js";
import { namesIn } from "../base/names-in.js";
import { ownIdentity } from "../base/process-identity.js";
import { limits } from "../limits.js";
import type { ProcessReader } from "../processes/process.js";

export interface RegistryFile {
  path: string;
  pid: number;
  modifiedAtMs: number;
  /** Null when it is no JSON object. */
  fields: Readonly<Record<string, unknown>> | null;
}

/** Only `<pid>.json` is opened: what else lies there are secrets. */
export function registryFiles(folder: string): RegistryFile[] {
  const sessions = join(folder, "sessions");
  return namesIn(sessions).flatMap((name) => {
    const pid = /^([1-9]\d*)\.json$/.exec(name)?.[1];
    return pid === undefined ? [] : (registryFile(folder, Number(pid)) ?? []);
  });
}

/** Null when there is none. */
export function registryFile(folder: string, pid: number): RegistryFile | null {
  const path = join(folder, "sessions", `${pid}.json`);
  try {
    const { mtimeMs } = statSync(path);
    return { path, pid, modifiedAtMs: mtimeMs, fields: objectIn(contentOf(path)) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Nothing of what is no plain small file: a pipe would wait for its writer. */
function contentOf(path: string): string {
  try {
    return readBytes(path, limits.registryBytes)?.toString("utf8") ?? "";
  } catch (error) {
    if (error instanceof FileRefused) return "";
    throw error;
  }
}

/** `gone`: no such process. `another`: the pid is somebody else's now. `elsewhere`: of another boot or container. */
export type Fate = "live" | "gone" | "another" | "elsewhere" | "unreadable";

export function fateOfFile(folder: string, { pid, fields }: RegistryFile, processes: ProcessReader): Fate {
  if (fields === null) return "unreadable";
  if (isElsewhere(fields.pidDomain)) return "elsewhere";
  const process = processes.findProcess(pid);
  if (process === null) return "gone";
  return liveSession(folder, process) === null ? "another" : "live";
}

/** The client names the machine, or its boot, and the pid namespace: `linux:<machine-id>:pid:[4026531836]`. */
function isElsewhere(domain: unknown): boolean {
  if (typeof domain !== "string") return false;
  const { boot, namespace } = ownIdentity();
  const named = /pid:\[\d+\]/.exec(domain)?.[0];
  if (named !== undefined && namespace !== "" && named !== namespace) return true;
  const machine = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(domain)?.[0];
  const own = [boot, machineId()];
  return machine !== undefined && !own.includes("") && !own.includes(machine);
}

function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
