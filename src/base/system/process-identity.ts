// The identity of a process, beyond its pid, which is reused one day.
//
// [ID1] A process of this boot and pid namespace is alive exactly if its pid runs with the same start time.
// [ID2] A process of an earlier boot of this host is dead.
// [ID3] A process of another host or pid namespace is unknown. So is one that could not be read fully.
// [ID4] The text of an identity is one line without "/" or NUL, and reads back as the same identity.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../errors.js";
import { needOwnProc, pidNamespace } from "./pid-namespace.js";
import { readProcStat } from "./proc-stat.js";
import { startByPs } from "./ps.js";

export interface ProcessIdentity {
  pid: number;
  /** Its start in the system's own unit: only compared, never calculated with. */
  start: string;
  boot: string;
  /** Empty if the system has no pid namespaces. */
  namespace: string;
  host: string;
}

export type Fate = "alive" | "dead" | "unknown";

/** Of this process. Read once, because it does not change while the process runs. */
export function ownIdentity(): ProcessIdentity {
  if (own !== undefined) return own;
  if (process.platform === "linux") needOwnProc();
  own = {
    pid: process.pid,
    start: startOf(look(process.pid)),
    boot: bootId(),
    namespace: pidNamespace() ?? "",
    host: hostname(),
  };
  return own;
}

/** Of another running process of this host; null if it has ended. */
export function identityOf(pid: number): ProcessIdentity | null {
  const seen = look(pid);
  return typeof seen === "object" ? { ...ownIdentity(), pid, start: seen.start } : null;
}

export function identityText(identity: ProcessIdentity): string {
  const { pid, start, boot, namespace, host } = identity;
  return [String(pid), start, boot, namespace, host].map(encodeURIComponent).join(",");
}

export function parseIdentity(text: string): ProcessIdentity | null {
  const parts = text.split(",");
  if (parts.length !== 5) return null;
  try {
    const [pid = "", start = "", boot = "", namespace = "", host = ""] = parts.map(decodeURIComponent);
    return /^[1-9]\d{0,9}$/.test(pid) ? { pid: Number(pid), start, boot, namespace, host } : null;
  } catch {
    return null;
  }
}

/** The host's name may change while it runs, so it is not compared within one boot and namespace. */
export function fateOf(identity: ProcessIdentity, self: ProcessIdentity = ownIdentity()): Fate {
  if (identity.boot === "" || self.boot === "") return "unknown";
  if (identity.boot !== self.boot) return identity.host === self.host ? "dead" : "unknown";
  if (identity.namespace !== self.namespace) return "unknown";
  const seen = look(identity.pid);
  if (seen === "ended") return "dead";
  if (seen === "unseen" || identity.start === "") return "unknown";
  return seen.start === identity.start ? "alive" : "dead";
}

let own: ProcessIdentity | undefined;

/** A running process; one that is gone or a zombie; or one that we may not read. */
type Seen = { start: string } | "ended" | "unseen";

function look(pid: number): Seen {
  if (process.platform === "linux") {
    const stat = readProcStat(pid);
    if (stat !== null) return stat.state === "Z" || stat.state === "X" ? "ended" : { start: stat.startTicks };
  } else {
    const seen = startByPs(pid);
    if (seen !== null) return seen;
  }
  return answersSignal(pid) ? "unseen" : "ended";
}

function startOf(seen: Seen): string {
  return typeof seen === "object" ? seen.start : "";
}

/** True also for a process that is hidden from us (hidepid) or belongs to another user. */
function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

function bootId(): string {
  if (process.platform === "linux") return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  // kern.boottime moves when the clock is set; this one is drawn once per boot.
  return ask("sysctl", ["-n", "kern.bootsessionuuid"]);
}

function ask(program: string, args: string[]): string {
  try {
    const env = { ...process.env, LC_ALL: "C" };
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env }).trim();
  } catch {
    return "";
  }
}
