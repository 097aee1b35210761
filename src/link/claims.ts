// The claims of a joined host, for commands that start agents. Loaded only on a host that is in a fleet.
//
// [CG1] A host starts nothing without a fresh lease, and nothing that another host has open.
// [CG2] A host that only reads has no lease and claims nothing. It starts nothing that another host has open either.

import { HiveError } from "../base/errors.js";
import { bootClock } from "../base/system/boot-clock.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { connectBus } from "../nats/connect.js";
import { leaseNow } from "../stores/link/lease-file.js";
import type { Stores } from "../stores/stores.js";
import type { ClaimGate } from "../teams/world.js";
import { ownInstance } from "./instance.js";
import { type Join, joinOf } from "./join.js";
import { buckets } from "./subjects.js";
import {
  type ClaimBuckets,
  needUnclaimed,
  type Owner,
  releaseClaim,
  type TakenClaim,
  takeClaim,
} from "./take-claim.js";

/** Null if this host is in no fleet. */
export function claimGate(env: NodeJS.ProcessEnv, stores: Stores): ClaimGate | null {
  const join = joinOf(env, stores);
  if (join === null) return null;
  if (join.isReader) return readingGate(join, ownInstance(stores.paths.folder));
  const owner = (): Owner => ({
    ...{ host: join.host, instance: ownInstance(stores.paths.folder), epoch: leaseNow(stores).epoch },
  });
  const taken = new Map<SessionId, TakenClaim & { atMs: number }>();
  const undo = async ({ claims }: ClaimBuckets, session: SessionId) => {
    const own = taken.get(session);
    taken.delete(session);
    // The program of a claim that was ours before may run: the worker gives it back when it has ended.
    if (own !== undefined && !own.wasOurs) await releaseClaim(claims, owner(), session, own.revision);
  };
  const check = async (session?: SessionId) => {
    if (!leaseNow(stores).isFresh) throw withoutLease(join);
    const atMs = session === undefined ? undefined : taken.get(session)?.atMs;
    if (atMs !== undefined && bootClock.nowMs() - atMs > limits.claimStartMs) throw stoodStill(session!);
  };
  return {
    check,
    async take(session, who) {
      await check();
      await stores.claimed.begin(session);
      await connected(join, async (open) => {
        const atMs = bootClock.nowMs();
        taken.set(session, { ...(await takeClaim(open, owner(), session, who)), atMs });
        // The connection may have taken longer than the lease lasts.
        if (leaseNow(stores).isFresh) return;
        await undo(open, session);
        throw withoutLease(join);
      });
    },
    release: (session) => connected(join, (open) => undo(open, session)),
    giveBack: (session) => connected(join, ({ claims }) => releaseClaim(claims, owner(), session)),
  };
}

/** The worker gives back what was claimed and never seen. */
function stoodStill(session: SessionId): HiveError {
  return new HiveError(
    `this command stood still after it had claimed session ${session}: it starts nothing`,
    {
      hint: "type it again",
    },
  );
}

function readingGate(join: Join, instance: string): ClaimGate {
  const owner: Owner = { host: join.host, instance, epoch: null };
  return {
    check: async () => {},
    take: (session) => connected(join, (open) => needUnclaimed(open, owner, session)),
    release: async () => {},
    giveBack: async () => {},
  };
}

function withoutLease({ host }: Join): HiveError {
  return new HiveError(
    `${host} is in a fleet and has no lease now: it starts nothing until it has it again`,
    {
      hint: "its watcher holds the lease: hivemind watch --background; what is wrong: hivemind fleet doctor",
    },
  );
}

async function connected<T>({ address }: Join, work: (open: ClaimBuckets) => Promise<T>): Promise<T> {
  const bus = await connectBus(address);
  try {
    return await work({ claims: await bus.bucket(buckets.claims), hosts: await bus.bucket(buckets.hosts) });
  } finally {
    await bus.close();
  }
}
