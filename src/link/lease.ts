// The lease of a host, as decisions: whether to take it, go on with it, or keep away from it. Pure.
//
// [LE1] A lease belongs to one instance: one config folder on one machine. Another instance under the same name is
//       refused, and says so in words.
// [LE2] A worker that starts again goes on with the lease of its instance, and with its epoch.
// [LE3] A renewal without an answer may have been carried out: the lease is looked at before the next one.

import { createHash } from "node:crypto";
import { limits } from "../limits.js";
import type { HostRow } from "./rows.js";

/** What the worker knows about its lease. */
export type LeaseState =
  /** Not asked yet, or without an answer since. `sentAtMs` is the last renewal that succeeded. */
  | { kind: "unknown"; sentAtMs: number | null }
  | { kind: "held"; revision: number; epoch: number; sentAtMs: number }
  /** Another instance has it. */
  | { kind: "taken"; by: string };

export type LeaseStep =
  | { do: "look" }
  | { do: "create" }
  | { do: "renew"; revision: number; epoch: number }
  | { do: "refuse"; by: string };

/** The first thing to do at a beat. */
export function beatOf(state: LeaseState): LeaseStep {
  return state.kind === "held"
    ? { do: "renew", revision: state.revision, epoch: state.epoch }
    : { do: "look" };
}

/** What to do with the lease that a look found. */
export function stepFor(
  found: { row: Pick<HostRow, "instance" | "epoch" | "machine"> | null; revision: number } | null,
  instance: string,
): LeaseStep {
  if (found === null) return { do: "create" };
  const { row, revision } = found;
  if (row === null) return { do: "refuse", by: "a program that writes something else there" };
  if (row.instance !== instance) return { do: "refuse", by: row.machine };
  // Its first write could not name its own revision.
  return { do: "renew", revision, epoch: row.epoch ?? revision };
}

/** When the next beat is due, by the clock of `sentAtMs`. */
export function nextBeatAtMs(state: LeaseState, triedAtMs: number): number {
  if (state.kind === "held" && state.sentAtMs === triedAtMs) return triedAtMs + limits.leaseRenewMs;
  return triedAtMs + (state.kind === "taken" ? limits.leaseTakenMs : limits.leaseAgainMs);
}

export function isFresh(state: LeaseState, nowMs: number): boolean {
  const sentAtMs = state.kind === "taken" ? null : state.sentAtMs;
  return sentAtMs !== null && nowMs - sentAtMs < limits.leaseFreshMs;
}

/**
 * Whether this lease has begun since the last one that was held: others may have seen the host go. A server that was set
 * up anew counts from the beginning, so an epoch may come twice.
 */
export function isAnew(lastEpoch: number | null, state: LeaseState): boolean {
  if (state.kind !== "held" || lastEpoch === null) return false;
  return state.epoch !== lastEpoch || state.revision === state.epoch;
}

/** One config folder on one machine. A copied folder on another machine is another instance. */
export function instanceOf(machine: string, configFolder: string): string {
  return createHash("sha256").update(`${machine}\0${configFolder}`).digest("hex").slice(0, 32);
}
