// Which pid namespace a process is in: a container has its own, and pids mean something else there.
//
// - The machine's first pid namespace has a number that the kernel fixes. A system without namespaces has only a first.
// - /proc shows the pids of the namespace in which it was mounted. If that is not ours, every pid in it names another
//   process than we mean.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { exitCodes, HiveError } from "../errors.js";

/** `pid:[4026531836]`, the kernel's own notation. Null if the system has none, or does not say. */
export function pidNamespace(pid: number | "self" = "self"): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

/** PROC_PID_INIT_INO of the kernel. */
const firstNamespace = "pid:[4026531836]";

export function isFirstNamespace(namespace: string | null): boolean {
  return namespace === null || namespace === firstNamespace;
}

/** Refuses to look at processes where /proc does not show those of our own pid namespace. */
export function needOwnProc(proc = "/proc", ownPid = process.pid): void {
  const shown = pidShown(proc);
  if (shown === ownPid) return;
  const cannot = { exitCode: exitCodes.couldNotLook };
  if (shown === null && !hasProcesses(proc))
    throw new HiveError(`cannot read ${proc}: it is not mounted`, {
      ...cannot,
      hint: `mount -t proc proc ${proc}`,
    });
  throw new HiveError(
    `cannot look at processes: ${proc} shows those of another pid namespace, where pid ${ownPid} is another process`,
    { ...cannot, hint: "start a shell with a /proc of its own: unshare --mount-proc sh" },
  );
}

/** The pid that this process has in the namespace of /proc; null if it has none there. */
function pidShown(proc: string): number | null {
  try {
    const pid = Number(readlinkSync(`${proc}/self`));
    // From the namespace of /proc down to ours: by accident, the pid can be the same number in both.
    const pids = /^NSpid:\s+(.+)$/m.exec(readFileSync(`${proc}/self/status`, "utf8"))?.[1]?.split(/\s+/);
    return pids === undefined || pids.length === 1 ? pid : null;
  } catch {
    return null;
  }
}

function hasProcesses(proc: string): boolean {
  try {
    return readdirSync(proc).some((name) => /^\d+$/.test(name));
  } catch {
    return false;
  }
}
