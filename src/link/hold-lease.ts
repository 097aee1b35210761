// Holds the lease of this host: takes it, renews it on its own timer, and writes each renewal down for commands.

import { HiveError } from "../base/errors.js";
import type { BootClock } from "../base/system/boot-clock.js";
import type { Host } from "../names/gates.js";
import { type Bucket, NatsError } from "../nats/bus.js";
import type { Stores } from "../stores/stores.js";
import { beatOf, isAnew, isFresh, type LeaseState, nextBeatAtMs, stepFor } from "./lease.js";
import { type HostRow, readHostRow, textOf } from "./rows.js";
import { word } from "./subjects.js";

export interface LeaseParts {
  bucket: Bucket;
  isConnected(): boolean;
  host: Host;
  row: Omit<HostRow, "epoch">;
  clock: BootClock;
  file: Stores["lease"];
  /** After a failed beat: a server that was set up anew has no bucket. Not waited for. */
  repair(): void;
  /** After each beat that changed what the host may do. `why` is empty while it holds a fresh lease. */
  onChange(state: LeaseState, isFresh: boolean, why: string): void;
}

export interface HeldLease {
  state(): LeaseState;
  isFresh(): boolean;
  /** Renews now: the connection is back. */
  beat(): void;
  /** Gives the lease back. */
  stop(): Promise<void>;
}

export function holdLease(parts: LeaseParts): HeldLease {
  const { host, clock, file, isConnected, onChange, repair } = parts;
  const server = openOnServer(parts);
  let state: LeaseState = { kind: "unknown", sentAtMs: null };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let said = "";
  let lastEpoch: number | null = null;
  const isFreshNow = () => isFresh(state, clock.nowMs());

  async function beatOnce(): Promise<void> {
    const sentAtMs = clock.nowMs();
    let why = "";
    try {
      if (!isConnected()) throw new NatsError("the connection is lost");
      state = await server.attempt(state, sentAtMs);
    } catch (error) {
      // A disk that is full is no reason to give up.
      if (!(error instanceof HiveError)) throw error;
      why = error.message;
      state = unknownAfter(state);
      if (isConnected()) repair();
    }
    // One that came with a copied config folder may be fresh.
    if (state.kind === "taken") removeQuietly(file);
    report(why);
    if (isStopped) return;
    const waitMs = Math.max(0, nextBeatAtMs(state, sentAtMs) - clock.nowMs());
    timer = setTimeout(begin, waitMs).unref();
  }

  function report(why: string): void {
    const text =
      state.kind === "taken"
        ? `another config folder or machine (${state.by}) is ${host} in this fleet`
        : isFreshNow()
          ? ""
          : why || "no lease yet";
    const changed = `${state.kind === "taken"} ${text === ""}`;
    const isNew = isAnew(lastEpoch, state);
    if (state.kind === "held") lastEpoch = state.epoch;
    if (changed === said && !isNew) return;
    said = changed;
    onChange(state, isFreshNow(), text);
  }

  function begin(): void {
    clearTimeout(timer);
    if (isStopped || running !== null) return;
    running = beatOnce().finally(() => {
      running = null;
    });
  }

  begin();
  return {
    state: () => state,
    isFresh: isFreshNow,
    beat: begin,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      removeQuietly(file);
      if (isConnected()) await server.giveBack(state).catch(() => {});
    },
  };
}

/** The lease on the server and in the file. */
function openOnServer({ bucket, host, clock, file, row }: LeaseParts) {
  const key = word(host);
  /** The server's clock at a moment of ours. */
  let server: { atMs: number; serverMs: number } | null = null;
  const valueFor = (epoch: number | null) => textOf({ ...row, epoch } satisfies HostRow);

  async function renewed(step: { revision: number; epoch: number }, sentAtMs: number) {
    const revision = await bucket.update(key, valueFor(step.epoch), step.revision);
    return revision === null ? null : { kind: "held" as const, revision, epoch: step.epoch, sentAtMs };
  }

  async function next(state: LeaseState, sentAtMs: number): Promise<LeaseState> {
    const first = beatOf(state);
    const held = first.do === "renew" ? await renewed(first, sentAtMs) : null;
    if (held !== null) return held;
    const entry = await bucket.get(key);
    const found = entry && { row: readHostRow(entry.value), revision: entry.revision };
    const step = stepFor(found, row.instance);
    if (step.do === "refuse") return { kind: "taken", by: step.by };
    if (step.do === "renew") return (await renewed(step, sentAtMs)) ?? unknownAfter(state);
    const revision = await bucket.create(key, valueFor(null));
    return revision === null ? unknownAfter(state) : { kind: "held", revision, epoch: revision, sentAtMs };
  }

  async function writeDown({ epoch, sentAtMs }: Extract<LeaseState, { kind: "held" }>): Promise<void> {
    if (server === null) {
      const entry = await bucket.get(key);
      if (entry === null) throw new NatsError("the lease vanished");
      server = { atMs: sentAtMs, serverMs: Math.round(entry.writtenAtMs) };
    }
    const serverMs = server.serverMs + sentAtMs - server.atMs;
    file.write({ boot: clock.boot, renewedAtMs: sentAtMs, serverMs, epoch, host });
  }

  return {
    async attempt(state: LeaseState, sentAtMs: number): Promise<LeaseState> {
      try {
        const found = await next(state, sentAtMs);
        if (found.kind === "held") await writeDown(found);
        return found;
      } catch (error) {
        // The next answer may come from another node.
        server = null;
        throw error;
      }
    },
    async giveBack(state: LeaseState): Promise<void> {
      if (state.kind === "held") await bucket.remove(key, state.revision);
    },
  };
}

/** A lease that cannot be removed becomes old by itself. */
function removeQuietly(file: LeaseParts["file"]): void {
  try {
    file.remove();
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
  }
}

function unknownAfter(state: LeaseState): LeaseState {
  return { kind: "unknown", sentAtMs: state.kind === "taken" ? null : state.sentAtMs };
}
