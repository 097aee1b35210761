// The link of a host to its fleet. It lives in the worker: it holds the lease, publishes what a look found, keeps the
// claims, and runs the parts that take mail and answer questions.
//
// - The parts run, and something is published, only while the lease belongs to this instance.
// - While nothing changes, the link writes one renewal every five seconds.

import { hostname } from "node:os";
import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { type BootClock, bootClock } from "../base/system/boot-clock.js";
import type { Hive } from "../hive/hive.js";
import type { FleetView } from "../hive/view-fleet.js";
import { limits } from "../limits.js";
import { type Host, readSessionId, type SessionId } from "../names/gates.js";
import { type Bus, NatsError, type Subscription } from "../nats/bus.js";
import { connectBus } from "../nats/connect.js";
import { type LeaseNow, leaseNow } from "../stores/link/lease-file.js";
import { type HeldLease, holdLease } from "./hold-lease.js";
import { ownInstance } from "./instance.js";
import type { Join } from "./join.js";
import { type ClaimKeeper, openClaimKeeper } from "./keep-claims.js";
import { makeFleet } from "./make-fleet.js";
import { openRowPublisher, publishEvents, type RowPublisher } from "./publish.js";
import { openSessions, rowsOf } from "./rows.js";
import { buckets, word } from "./subjects.js";

export interface Link {
  bus: Bus;
  join: Join;
  hive: Hive;
  env: NodeJS.ProcessEnv;
  leaseNow(): LeaseNow;
  say(line: string): void;
  interrupted: AbortSignal;
}

/** Work that goes on while the host is in its fleet: mail, questions. */
export type MemberPart = (link: Link) => Promise<Subscription>;

export interface LinkOptions {
  /** `isWell` is false for trouble. Each change is said once. */
  say(line: string, isWell: boolean): void;
  interrupted: AbortSignal;
  clock?: BootClock;
}

export interface KeptLink {
  /** Publishes what this look found. Never waits. */
  onLook(view: FleetView): void;
  stop(): Promise<void>;
}

export function keepLink(
  hive: Hive,
  join: Join,
  parts: readonly MemberPart[],
  { say, interrupted, clock = bootClock }: LinkOptions,
): KeptLink {
  const end = new AbortController();
  let open: OpenLink | null = null;
  let latest: FleetView | null = null;

  async function run(): Promise<void> {
    const bus = await connectForEver(join, say, end.signal);
    if (bus === null) return;
    if (join.isReader) {
      open = openReader(bus, join, say);
      return;
    }
    try {
      while (open === null) {
        await makeIfMissing(bus, join, say, end.signal);
        if (end.signal.aborted) return;
        const all = { hive, join, parts, bus, clock, say, interrupted, view: () => latest };
        open = await openLink(all).catch(async (error: unknown) => {
          if (!(error instanceof NatsError)) throw error;
          say(`the fleet: ${error.message}`, false);
          await rest(limits.natsReconnectMs, undefined, { signal: end.signal }).catch(() => {});
          return null;
        });
      }
    } finally {
      if (open === null) await bus.close();
    }
  }

  const stopping = () => end.abort();
  interrupted.addEventListener("abort", stopping);
  const running = run().catch((error: unknown) => {
    if (!(error instanceof NatsError)) throw error;
    say(`the fleet: ${error.message}`, false);
  });
  return {
    onLook(view) {
      latest = view;
      open?.follow();
    },
    async stop() {
      interrupted.removeEventListener("abort", stopping);
      end.abort();
      // A connection that is being tried is not waited for.
      await Promise.race([running, rest(limits.natsCloseMs, undefined, { ref: false })]);
      await open?.stop();
    },
  };
}

type Say = LinkOptions["say"];

/** Null if it was stopped. */
async function connectForEver(
  { address, isReader }: Join,
  say: Say,
  stopped: AbortSignal,
): Promise<Bus | null> {
  const nothing = isReader ? "nothing is started" : "nothing is typed or started";
  for (let isSaid = false; !stopped.aborted; ) {
    try {
      return await connectBus(address);
    } catch (error) {
      if (!(error instanceof NatsError)) throw error;
      if (!isSaid) say(`${error.message}; ${nothing} until it answers`, false);
      isSaid = true;
      await rest(limits.natsReconnectMs, undefined, { signal: stopped }).catch(() => {});
    }
  }
  return null;
}

/** A host that may not make them waits until somebody has. */
async function makeIfMissing(bus: Bus, { host }: Join, say: Say, stopped: AbortSignal): Promise<void> {
  for (let isSaid = false; !stopped.aborted; ) {
    try {
      await lookInto(bus, host).catch(() => makeFleet(bus));
      await lookInto(bus, host);
      return;
    } catch (error) {
      if (!(error instanceof NatsError)) throw error;
      if (!isSaid) say(`the fleet's server has no buckets yet: ${error.message}`, false);
      isSaid = true;
      await rest(limits.natsReconnectMs, undefined, { signal: stopped }).catch(() => {});
    }
  }
}

/** Makes everything that a server lacks which was set up anew. A server that cannot say lacks nothing. */
async function makeAgain(bus: Bus): Promise<void> {
  const facts = await bus.streamFacts(`KV_${buckets.hosts}`).catch(() => undefined);
  if (facts === null) await makeFleet(bus).catch(() => {});
}

/** A bucket that is missing is noticed only when somebody reads it. */
async function lookInto(bus: Bus, host: Host): Promise<void> {
  await (await bus.bucket(buckets.hosts)).get(word(host));
}

interface OpenLink {
  follow(): void;
  stop(): Promise<void>;
}

/** It only looks: no lease, no parts, and nothing is published. The connection tells whether starts can be checked. */
function openReader(bus: Bus, { host }: Join, say: Say): OpenLink {
  const well = `looks at the fleet as ${host}, read-only`;
  say(well, true);
  bus.onConnected((isConnected) =>
    isConnected
      ? say(well, true)
      : say("the connection to the fleet is lost; nothing is started meanwhile", false),
  );
  return { follow() {}, stop: () => bus.close() };
}

interface LinkParts {
  hive: Hive;
  join: Join;
  parts: readonly MemberPart[];
  bus: Bus;
  clock: BootClock;
  say: Say;
  interrupted: AbortSignal;
  /** The newest look. */
  view(): FleetView | null;
}

async function openLink(all: LinkParts): Promise<OpenLink> {
  const { hive, join, bus, clock, say } = all;
  const { host } = join;
  const [hosts, agents, claims] = await Promise.all([
    bus.bucket(buckets.hosts),
    bus.bucket(buckets.agents),
    bus.bucket(buckets.claims),
  ]);
  const instance = ownInstance(hive.paths.folder);
  const about = { machine: hostname(), version: HIVEMIND_VERSION };
  const rows = openRowPublisher(agents, host);
  const keeper = openClaimKeeper({ claims, hosts }, (line) => say(line, false));
  const running = openParts(all);
  let changes = 0;
  /** Whoever reads it may ask this host: the server has its subscriptions. */
  const sayWhenHeard = async (change: number, heard: Promise<void>) => {
    await heard;
    await bus.roundTrip().catch(() => {});
    if (change === changes) say(`in the fleet as ${host}`, true);
  };
  const repairer = openFollower(() => makeAgain(bus));
  const lease = holdLease({
    ...{ bucket: hosts, host, clock, file: hive.stores.lease, isConnected: bus.isConnected },
    row: { instance, ...about },
    repair: repairer.follow,
    onChange(state, isFresh, why) {
      changes++;
      const heard = running.follow(state.kind !== "taken");
      if (isFresh) void sayWhenHeard(changes, heard);
      else say(`${why}; nothing is typed or started meanwhile`, false);
      rows.forget();
      keeper.forget();
      if (!isFresh) return;
      // Before anything else: a host that is cut off a moment later is still in everybody's list.
      void sign(work, false);
      follower.follow();
    },
  });
  const work = { ...all, instance, about, rows, keeper, lease };
  const follower = openFollower(async () => {
    if (await afterLook(work)) return;
    setTimeout(() => follower.follow(), limits.natsAgainMs).unref();
  });
  bus.onConnected((isConnected) => {
    if (isConnected) lease.beat();
  });
  const signs = setInterval(() => void sign(work, false), limits.signMs).unref();
  return {
    follow: follower.follow,
    async stop() {
      clearInterval(signs);
      await Promise.all([follower.stop(), repairer.stop()]);
      await running.follow(false);
      if (lease.isFresh()) await sign(work, true);
      await lease.stop();
      await bus.close();
    },
  };
}

interface Work extends LinkParts {
  instance: string;
  about: { machine: string; version: string };
  rows: RowPublisher;
  keeper: ClaimKeeper;
  lease: HeldLease;
}

/** False if the server failed: it is tried again. Without a fresh lease nothing is published. */
async function afterLook(work: Work): Promise<boolean> {
  const { hive, join, bus, lease, rows, keeper, instance, clock } = work;
  const view = work.view();
  const state = lease.state();
  if (view === null || state.kind !== "held" || !lease.isFresh()) return true;
  try {
    const { serverNowMs } = leaseNow(hive.stores, clock);
    const owner = { host: join.host, instance, epoch: state.epoch };
    // The claims first: others ask them before they start something.
    const others = { known: knownIn(view), begun: hive.stores.claimed.recent() };
    await keeper.follow(openSessions(view), others, owner, serverNowMs ?? 0);
    if ((await rows.publish(rowsOf(view))) > 0) await sign(work, false);
    await publishEvents(bus, join.host, hive.stores);
    return true;
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return false;
  }
}

/** A sign that the server did not take is written again. */
async function sign(work: Work, isStopped: boolean): Promise<void> {
  const { rows, about, lease } = work;
  if (!lease.isFresh()) return;
  await rows.sign({ ...about, isStopped }).catch(() => {
    if (!isStopped) setTimeout(() => void sign(work, false), limits.natsAgainMs).unref();
  });
}

function knownIn({ teams }: FleetView): Set<SessionId> {
  return new Set(teams.flatMap(({ agents }) => agents.flatMap(({ uuid }) => readSessionId(uuid) ?? [])));
}

/** One run at a time; calls during a run are one more run. */
function openFollower(work: () => Promise<void>): { follow(): void; stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  let isWanted = false;
  let isStopped = false;
  const run = async () => {
    while (isWanted && !isStopped) {
      isWanted = false;
      await work();
    }
    running = null;
  };
  return {
    follow() {
      isWanted = true;
      running ??= run();
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Starts and stops the parts. A part that does not start is tried again. */
function openParts({ parts, bus, join, hive, clock, say, interrupted }: LinkParts) {
  const link: Link = {
    ...{ bus, join, hive, env: hive.env, interrupted },
    leaseNow: () => leaseNow(hive.stores, clock),
    say: (line) => say(line, false),
  };
  let end: AbortController | null = null;
  let done: Promise<void> = Promise.resolve();

  /** `heard` is called when the part was tried once. */
  async function keep(part: MemberPart, stopped: AbortSignal, heard: () => void): Promise<void> {
    for (let isSaid = false; !stopped.aborted; ) {
      try {
        const subscription = await part(link).finally(heard);
        await new Promise((resolve) => {
          if (stopped.aborted) resolve(null);
          stopped.addEventListener("abort", resolve);
        });
        await subscription.stop();
      } catch (error) {
        if (!(error instanceof HiveError)) throw error;
        if (!isSaid) say(error.message, false);
        isSaid = true;
        await rest(limits.natsAgainMs, undefined, { signal: stopped }).catch(() => {});
      }
    }
  }

  function begin({ signal }: AbortController): Promise<void> {
    const tried = parts.map((part) => {
      let heard = () => {};
      const isTried = new Promise<void>((resolve) => (heard = resolve));
      return { isTried, keep: () => keep(part, signal, heard) };
    });
    done = done.then(async () => void (await Promise.all(tried.map((each) => each.keep()))));
    return Promise.race([Promise.all(tried.map(({ isTried }) => isTried)), done]).then(() => {});
  }

  return {
    /** Resolves when each part was tried, or has ended. */
    async follow(isOurs: boolean): Promise<void> {
      if (isOurs && end === null) {
        end = new AbortController();
        await begin(end);
      } else if (!isOurs) {
        end?.abort();
        end = null;
        await done;
      }
    },
  };
}
