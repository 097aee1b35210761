// Looks at all hosts all the time: who runs which conversation, and how old each host's lease is.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bootClock } from "../../../src/base/system/boot-clock.js";
import { readProcStat } from "../../../src/base/system/proc-stat.js";
import { limits } from "../../../src/limits.js";
import { letters, readTranscript } from "../../demo-agent/driver.js";
import type { ChaosHost } from "./fleet.js";

export interface Observer {
  /** Every conversation that two hosts ran in the same moment. */
  doubles(): string[];
  /** Every message that a host handed over, or that arrived there, without a fresh lease. */
  stale(): string[];
  /** Milliseconds since the last renewal that this host knows of. */
  ageMs(host: ChaosHost): number;
}

const everyMs = 100;
/** A receipt has whole seconds: it was written within the one that begins there. */
const receiptMs = 1_000;
/** From the look at the lease to the record of an agent on a busy machine. */
const recordMs = 6_000;

export function observe(hosts: readonly ChaosHost[]): Observer {
  const doubles = new Set<string>();
  /** The moments of renewal, by the clock of the boot. */
  const renewals = new Map(hosts.map(({ name }) => [name, [] as number[]]));
  const timer = setInterval(() => {
    for (const { name, stores } of hosts) {
      const at = stores.lease.read()?.renewedAtMs;
      const known = renewals.get(name)!;
      if (at !== undefined && known.at(-1) !== at) known.push(at);
    }
    for (const double of doublesNow(hosts)) doubles.add(double);
  }, everyMs);
  onTestFinished(() => clearInterval(timer));
  /** How long the lease was old at a moment; 0 while it was fresh. */
  const staleMs = ({ name }: ChaosHost, atMs: number) => {
    const last = renewals.get(name)!.findLast((each) => each <= atMs + everyMs) ?? 0;
    return Math.max(0, atMs - last - limits.leaseFreshMs);
  };
  return {
    doubles: () => [...doubles],
    stale: () =>
      hosts.flatMap((host) => [
        ...handed(host)
          .filter(({ atMs }) => staleMs(host, atMs) > 0 && staleMs(host, atMs + receiptMs) > 0)
          .map(({ what }) => what),
        ...recorded(host)
          .filter(({ atMs }) => staleMs(host, atMs) > recordMs)
          .map(({ what }) => what),
      ]),
    ageMs: ({ name }) => bootClock.nowMs() - (renewals.get(name)!.at(-1) ?? 0),
  };
}

/** A moment of the host's own clock of the day, by the clock of the boot. */
function bootMs({ shiftMs }: ChaosHost, at: string): number {
  return bootClock.nowMs() - (Date.now() - (Date.parse(at) - shiftMs));
}

/** What the host began to type or to post, and did not take back. */
function handed(host: ChaosHost): { what: string; atMs: number }[] {
  const { rows } = host.stores.receipts.read();
  return rows.flatMap(({ id, step, at }, index) => {
    if (step !== "typing" && step !== "posting") return [];
    const next = rows.slice(index + 1).find((row) => row.id === id);
    if (next?.step === "returned") return [];
    return [{ what: `${host.name} ${step} ${id} at ${at}`, atMs: bootMs(host, at) }];
  });
}

function recorded(host: ChaosHost): { what: string; atMs: number }[] {
  const records = readTranscript(host.home, host.home.work, host.session) ?? [];
  return records.flatMap((record) => {
    const [letter] = letters([record]);
    return letter === undefined || typeof record.timestamp !== "string"
      ? []
      : [{ what: `${host.name} got ${letter} at ${record.timestamp}`, atMs: bootMs(host, record.timestamp) }];
  });
}

function doublesNow(hosts: readonly ChaosHost[]): string[] {
  const holders = new Map<string, string[]>();
  for (const { name, home } of hosts)
    for (const session of runningIn(join(home.claude, "sessions")))
      holders.set(session, [...(holders.get(session) ?? []), name]);
  return [...holders].flatMap(([session, names]) =>
    new Set(names).size > 1 ? [`${session}: ${names.join()}`] : [],
  );
}

/** The conversations of the clients that run, by their registry files. */
function runningIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => {
    const state = readProcStat(Number.parseInt(file, 10))?.state ?? "Z";
    if (state === "Z" || state === "X") return [];
    try {
      const { sessionId } = JSON.parse(readFileSync(join(folder, file), "utf8"));
      return typeof sessionId === "string" ? [sessionId] : [];
    } catch {
      // It is being written.
      return [];
    }
  });
}
