// The live-session registry: `sessions/<pid>.json`, one file per running interactive client.
//
// The file is written whole at the start and removed at a normal exit; a crash leaves it. A change puts the session, the
// name and the activity into the file that is there, whoever wrote it: the client of another container can have the same
// pid. If there is none, no change makes one. Names are unique among live sessions: a process that ended, or another one
// with its pid, holds none.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { machineId } from "../../src/base/system/machine-id.js";
import { pidNamespace } from "../../src/base/system/pid-namespace.js";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import type { SessionId } from "../../src/names/gates.js";

export type Status = "idle" | "busy" | "waiting";

/** The facts that stay the same while the process runs. */
export interface ProcessFacts {
  pid: number;
  cwd: string;
  startedAt: number;
  procStart?: string;
  version: string;
  peerProtocol: 1;
  kind: "interactive";
  entrypoint: "cli" | "sdk-cli";
  tmux?: string;
  pidDomain?: string;
  peerFeatures?: string[];
  messagingSocketPath?: string;
}

export interface Activity {
  status: Status;
  waitingFor?: string;
  statusUpdatedAt: number;
}

interface RegistryEntry extends ProcessFacts, Partial<Activity> {
  sessionId: SessionId;
  name?: string;
  nameSource?: NameSource;
  updatedAt: number;
}

export type NameSource = "user" | "collision" | "derived";

export function processFacts(cwd: string, version: string, isPeerAware: boolean): ProcessFacts {
  const { pid, env } = process;
  const procStart = readProcStat(pid)?.startTicks;
  const tmux = isPeerAware ? tmuxPlace(env) : null;
  const pidDomain = isPeerAware ? ownPidDomain() : null;
  return {
    pid,
    cwd,
    startedAt: Date.now(),
    ...(procStart === undefined ? {} : { procStart }),
    version,
    peerProtocol: 1,
    kind: "interactive",
    entrypoint: "cli",
    ...(tmux === null ? {} : { tmux }),
    ...(pidDomain === null ? {} : { pidDomain }),
    ...(isPeerAware ? { peerFeatures: [] } : {}),
  };
}

/** What changes while the process runs. */
export type Changes = Pick<RegistryEntry, "sessionId" | "name" | "nameSource" | "updatedAt"> &
  Partial<Activity>;

export function changeEntry(configDir: string, pid: number, changes: Changes): void {
  const path = entryPath(configDir, pid);
  const before = readEntry(path);
  if (before === null) return;
  const { waitingFor: _, nameSource: __, ...kept } = before;
  writeFileSync(path, JSON.stringify({ ...kept, ...changes }), { mode: 0o600 });
}

export function writeEntry(configDir: string, entry: RegistryEntry): void {
  mkdirSync(join(configDir, "sessions"), { recursive: true, mode: 0o700 });
  writeFileSync(entryPath(configDir, entry.pid), JSON.stringify(entry), { mode: 0o600 });
}

/** Newer versions keep a secret beside the entry. This one unlocks nothing; readers must not touch it. */
export function writeKey(configDir: string, pid: number): void {
  const hash = crypto.randomUUID().slice(0, 8);
  writeFileSync(join(configDir, "sessions", `${pid}.${hash}.key`), crypto.randomUUID(), { mode: 0o600 });
}

export function removeEntry(configDir: string, pid: number): void {
  for (const name of entryNames(configDir)) {
    if (name.startsWith(`${pid}.`)) rmSync(join(configDir, "sessions", name), { force: true });
  }
}

/** `name`, or `name` with two words after it if a live session already has it. */
export function uniqueName(
  configDir: string,
  ownPid: number,
  name: string,
): { name: string; source: NameSource } {
  const isTaken = entryNames(configDir)
    .filter((file) => file.endsWith(".json") && file !== `${ownPid}.json`)
    .some((file) => liveName(join(configDir, "sessions", file)) === name);
  return isTaken ? { name: withSuffix(name), source: "collision" } : { name, source: "user" };
}

export function withSuffix(name: string): string {
  return `${name}-${pick(["graceful", "gleaming", "quiet", "amber", "brisk", "mellow", "nimble", "sunny"])}-${pick(
    ["kettle", "milner", "harbor", "lantern", "meadow", "otter", "pebble", "willow"],
  )}`;
}

function entryPath(configDir: string, pid: number): string {
  return join(configDir, "sessions", `${pid}.json`);
}

function entryNames(configDir: string): string[] {
  try {
    return readdirSync(join(configDir, "sessions"));
  } catch {
    return [];
  }
}

function liveName(path: string): string | null {
  const entry = readEntry(path);
  const running = readProcStat(entry?.pid ?? 0);
  const isLive = running?.startTicks === entry?.procStart && running?.state !== "Z";
  return running !== null && isLive ? (entry?.name ?? null) : null;
}

/** Null also for one that is half written, or was removed by its owner since the listing. */
function readEntry(path: string): Partial<RegistryEntry> | null {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function pick(words: readonly string[]): string {
  return words[Math.floor(Math.random() * words.length)]!;
}

/** `team:@0.%1`, fixed at the start as in the real client. */
function tmuxPlace({ TMUX, TMUX_PANE, PATH }: NodeJS.ProcessEnv): string | null {
  if (!TMUX || !TMUX_PANE) return null;
  try {
    const format = "#{session_name}:#{window_id}.#{pane_id}";
    const args = ["-u", "display-message", "-p", "-t", TMUX_PANE, format];
    const env = { TMUX, PATH };
    return execFileSync("tmux", args, {
      env,
      encoding: "utf8",
      timeout: 2000,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}

function ownPidDomain(): string | null {
  const namespace = pidNamespace();
  return machineId() === "" || namespace === null ? null : `linux:${machineId()}:${namespace}`;
}
