// The lease of this host in its fleet, as its worker renewed it last: `boot|uptime|server time|epoch|host`, times in
// milliseconds. Commands read it instead of asking the fleet's server.
//
// [LF1] A lease is fresh only in the boot in which it was renewed, and only for `leaseFreshMs` of a clock that nobody
//       can set and that goes on while the machine sleeps.

import { existsSync } from "node:fs";
import { readBytes, removeFile, replaceDisposable } from "../../base/files/atomic-file.js";
import { type BootClock, bootClock } from "../../base/system/boot-clock.js";
import { limits } from "../../limits.js";
import { guard } from "../file/error.js";
import type { Environment, StorePaths } from "../file/folder.js";

export interface LeaseMark {
  boot: string;
  /** Of the boot clock, when the last renewal that succeeded was sent. */
  renewedAtMs: number;
  /** The server's clock at that moment. */
  serverMs: number;
  /** The revision at which the lease began: a fencing token. */
  epoch: number;
  host: string;
}

export interface LeaseNow {
  isFresh: boolean;
  epoch: number | null;
  ageMs: number | null;
  /** What the server's clock shows now; null if no worker of this boot has asked it. */
  serverNowMs: number | null;
}

export function openLeaseFile(path: string) {
  return {
    path,
    /** Null if there is none, or if it is torn. */
    read: (): LeaseMark | null =>
      parseLease(guard(path, () => readBytes(path, limits.rowBytes))?.toString("utf8") ?? ""),
    write: (mark: LeaseMark): void =>
      guard(path, () => replaceDisposable(path, Buffer.from(`${formatLease(mark)}\n`))),
    remove: (): void => guard(path, () => void removeFile(path)),
  };
}

/** False if this host is certainly in no fleet: one look for a file. */
export function mayBeJoined(env: Environment, { fleetJoin }: Pick<StorePaths, "fleetJoin">): boolean {
  return Boolean(env.HIVEMIND_FLEET) || existsSync(fleetJoin);
}

export function leaseNow(
  { lease }: { lease: Pick<ReturnType<typeof openLeaseFile>, "read"> },
  clock: BootClock = bootClock,
): LeaseNow {
  return leaseAt(lease.read(), clock.boot, clock.nowMs());
}

export function leaseAt(mark: LeaseMark | null, boot: string, nowMs: number): LeaseNow {
  const ageMs = mark === null || boot === "" || mark.boot !== boot ? -1 : nowMs - mark.renewedAtMs;
  if (mark === null || ageMs < 0) return { isFresh: false, epoch: null, ageMs: null, serverNowMs: null };
  return {
    isFresh: ageMs < limits.leaseFreshMs,
    epoch: mark.epoch,
    ageMs,
    serverNowMs: mark.serverMs + ageMs,
  };
}

export function formatLease({ boot, renewedAtMs, serverMs, epoch, host }: LeaseMark): string {
  return [boot, renewedAtMs, serverMs, epoch, host].join("|");
}

export function parseLease(text: string): LeaseMark | null {
  const match = /^([\w-]{1,64})\|(\d{1,15})\|(\d{1,15})\|(\d{1,15})\|([\w.-]{1,64})\n?$/.exec(text);
  if (match === null) return null;
  const [, boot, renewedAtMs, serverMs, epoch, host] = match;
  return {
    boot: boot!,
    renewedAtMs: Number(renewedAtMs),
    serverMs: Number(serverMs),
    epoch: Number(epoch),
    host: host!,
  };
}
