// Follows the rows of all hosts for a face that shows them.
//
// - Agents come by a watch. Leases are read every few seconds: servers before 2.11 say nothing when a key expires.
// - A lost connection, or a read without an answer, begins everything anew: rows that were removed meanwhile are gone
//   then. The listener keeps what it has until the first new read.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { Bus, BusAddress, Entry } from "../nats/bus.js";
import { connectBus } from "../nats/connect.js";
import { type FleetRead, fleetOf } from "./read-fleet.js";
import { buckets } from "./subjects.js";

export interface HostsListener {
  read(read: FleetRead): void;
  /** Nothing can be read at the moment, and why. */
  lost(why: string): void;
  /** The server's clock as the worker of this host knows it; null without a worker. */
  serverNowMs(): number | null;
}

/** Until interrupted. Only a bug makes it throw. */
export async function followHosts(
  address: BusAddress,
  listener: HostsListener,
  interrupted: AbortSignal,
): Promise<void> {
  const clock = openServerClock();
  while (!interrupted.aborted) {
    try {
      await followOnce(await connectBus(address), listener, clock, interrupted);
    } catch (error) {
      if (interrupted.aborted) return;
      if (!(error instanceof HiveError)) throw error;
      listener.lost(error.message);
    }
    await rest(limits.natsReconnectMs, undefined, { signal: interrupted }).catch(() => {});
  }
}

/** On one connection; throws when it is lost. */
async function followOnce(
  bus: Bus,
  listener: HostsListener,
  clock: ServerClock,
  interrupted: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const end = AbortSignal.any([interrupted, ended.signal]);
  bus.onConnected((isConnected) => {
    if (!isConnected) ended.abort();
  });
  const rows = new Map<string, Entry>();
  let wake = () => {};
  try {
    const [hosts, agents] = await Promise.all([bus.bucket(buckets.hosts), bus.bucket(buckets.agents)]);
    for (const entry of await agents.all()) rows.set(entry.key, entry);
    const watch = await agents.watch(">", ({ key, entry }) => {
      if (entry === null) rows.delete(key);
      else rows.set(key, entry);
      wake();
    });
    let leases: Entry[] = [];
    let readAtMs = Number.NEGATIVE_INFINITY;
    while (!end.aborted) {
      if (performance.now() - readAtMs >= limits.farHostsReadMs) {
        leases = await hosts.all();
        readAtMs = performance.now();
      }
      const entries = [...rows.values()];
      const seenMs = clock.saw([leases, entries].flat());
      listener.read(fleetOf(leases, entries, listener.serverNowMs() ?? seenMs));
      // Changes that come together are shown once.
      await rest(limits.farGatherMs, undefined, { signal: end }).catch(() => {});
      const untilReadMs = Math.max(0, readAtMs + limits.farHostsReadMs - performance.now());
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, untilReadMs);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        wake = done;
        if (end.aborted) done();
        else end.addEventListener("abort", done, { once: true });
      });
    }
    await watch.stop();
  } finally {
    await bus.close();
  }
  if (!interrupted.aborted) throw new HiveError("the connection to its server is lost");
}

export interface ServerClock {
  /** The server's clock now, as far as these entries show it. */
  saw(entries: readonly Pick<Entry, "writtenAtMs">[]): number;
}

/** The newest entry is at least as old as its way here took; from then on this process counts. */
export function openServerClock(nowMs: () => number = () => performance.now()): ServerClock {
  let ahead = Number.NEGATIVE_INFINITY;
  return {
    saw(entries) {
      let newest = Number.NEGATIVE_INFINITY;
      for (const { writtenAtMs } of entries) newest = Math.max(newest, writtenAtMs);
      ahead = Math.max(ahead, newest - nowMs());
      return Number.isFinite(ahead) ? ahead + nowMs() : 0;
    },
  };
}
