// Who a process is, beyond a pid that will be given to another one day.
//
// [ID1] A process of this boot and this pid namespace is alive exactly if its pid runs and started when it did.
// [ID2] A process of an earlier boot of this host is dead.
// [ID3] A process of another host or pid namespace is unknown, as is one of which something could not be asked.
// [ID4] The text of an identity is one line without "/" or NUL, and reads back as the same identity.

import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "./errors.js";
import { readProcStat } from "./proc-stat.js";

export interface ProcessIdentity {
  pid: number;
  /** When it started, in whatever unit the system counts: compared, never calculated with. */
  start: string;
  boot: string;
  /** Empty where the system has no pid namespaces. */
  namespace: string;
  host: string;
}

export type Fate = "alive" | "dead" | "unknown";

/** Of this process; read once, because none of it changes while it runs. */
export function ownIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    start: startOf(look(process.pid)),
    boot: bootId(),
    namespace: pidNamespace(),
    host: hostname(),
  };
  return own;
}

export function identityText(identity: ProcessIdentity): string {
  const { pid, start, boot, namespace, host } = identity;
  return [String(pid), start, boot, namespace, host].map(encodeURIComponent).join(",");
}

export function parseIdentity(text: string): ProcessIdentity | null {
  const parts = text.split(",");
  if (parts.length !== 5) return null;
  try {
    const [pid, start, boot, namespace, host] = parts.map(decodeURIComponent) as [
      string,
      string,
      string,
      string,
      string,
    ];
    return /^[1-9]\d{0,9}$/.test(pid) ? { pid: Number(pid), start, boot, namespace, host } : null;
  } catch {
    return null;
  }
}

/** The host's name may change while it runs, so within one boot and namespace it is not asked for. */
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

/** A process that runs, one that is not there or only waits to be collected, or one that we may not look at. */
type Seen = { start: string } | "ended" | "unseen";

function look(pid: number): Seen {
  if (process.platform === "linux") {
    const stat = readProcStat(pid);
    if (stat !== null) return stat.state === "Z" || stat.state === "X" ? "ended" : { start: stat.startTicks };
  } else {
    const [state = "", ...start] = ask("ps", ["-o", "stat=,lstart=", "-p", String(pid)]).split(/\s+/);
    if (state !== "") return state.startsWith("Z") ? "ended" : { start: start.join(" ") };
  }
  return answersSignal(pid) ? "unseen" : "ended";
}

function startOf(seen: Seen): string {
  return typeof seen === "object" ? seen.start : "";
}

/** Also true for a process that is hidden from us (hidepid), or belongs to another user. */
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

function pidNamespace(): string {
  return process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "";
}

function ask(program: string, args: string[]): string {
  try {
    const env = { ...process.env, LC_ALL: "C" };
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env }).trim();
  } catch {
    return "";
  }
}
