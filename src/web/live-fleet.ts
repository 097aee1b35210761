// The fleet as all open pages see it. It is followed only while somebody looks.

import { hostname } from "node:os";
import { HiveError } from "../base/errors.js";
import type { Attention, Overview } from "../hive/attention.js";
import type { Hive } from "../hive/hive.js";
import type { FleetView } from "../hive/view-fleet.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import type { LoggedEvent } from "../stores/event-log.js";
import { beginning, type Place } from "../stores/file/append-file.js";
import { FleetFollower, type FleetListener } from "../watch/follow/follow-fleet.js";
import { type Patches, patchedAttention, patchedFleet } from "../watch/follow/patch-view.js";
import { watcherOf } from "../watch/process/watcher.js";
import type { LoggedFact, LookState, StreamEvent, Worker } from "./contract.js";
import { fleetDelta } from "./fleet-delta.js";
import { openStreamHub, type Sink } from "./stream-hub.js";

interface Seen {
  fleet: FleetView;
  attention: readonly Attention[];
  look: LookState;
}

interface Run {
  end: AbortController;
  follower: FleetFollower;
  done: Promise<void>;
}

export class LiveFleet implements FleetListener {
  private seen: Seen | null = null;
  private running: Run | null = null;
  private lingering: NodeJS.Timeout | undefined;
  private readonly hub = openStreamHub(() => this.linger());
  private place: Place = beginning;

  /** `onBug` gets errors that nobody can fix but us. */
  constructor(
    private readonly hive: Hive,
    private readonly onBug: (error: unknown) => void,
  ) {}

  /** Returns what removes the reader. */
  watch(sink: Sink): () => void {
    const remove = this.hub.add(sink, this.seen === null ? [] : eventsOf(this.seen));
    this.start();
    return remove;
  }

  /** Whether the agent of a pane works, by the last look; false if it is unknown. */
  isBusy(pane: PaneId): boolean {
    const teams = this.seen?.fleet.teams ?? [];
    return teams.some(({ agents }) =>
      agents.some(({ paneId, activity }) => paneId === pane && activity === "busy"),
    );
  }

  /** Somebody changed something. */
  lookAtOnce(): void {
    this.running?.follower.lookAtOnce();
  }

  async close(): Promise<void> {
    const done = this.running?.done;
    this.hub.close();
    this.stop();
    await done;
  }

  private start(): void {
    clearTimeout(this.lingering);
    if (this.running !== null) return;
    const end = new AbortController();
    const follower = new FleetFollower(this.hive, this);
    this.place = this.logEnd();
    const done = follower.run(end.signal).catch((error: unknown) => {
      this.onBug(error);
      if (this.running?.end === end) this.running = null;
    });
    this.running = { end, follower, done };
  }

  /** A page that reloads comes back at once. */
  private linger(): void {
    this.lingering = setTimeout(() => this.stop(), limits.streamLingerMs);
    this.lingering.unref();
  }

  private stop(): void {
    clearTimeout(this.lingering);
    this.running?.end.abort();
    this.running = null;
    // What nobody followed is old: the next reader waits for a look.
    this.seen = null;
  }

  private send(event: StreamEvent): void {
    this.hub.send(event);
  }

  private show(next: Seen): void {
    const before = this.seen;
    this.seen = next;
    if (before === null) {
      for (const event of eventsOf(next)) this.send(event);
      return;
    }
    const delta = fleetDelta(before.fleet, next.fleet);
    if (delta !== null) this.send({ event: "delta", data: delta });
    const isSame = before.attention === next.attention;
    if (!isSame && JSON.stringify(before.attention) !== JSON.stringify(next.attention))
      this.send({ event: "inbox", data: { items: next.attention } });
    if (before.look !== next.look) this.send({ event: "look", data: next.look });
  }

  /** A log that cannot be read has no news: the commands that read it say why. */
  private tellFacts(): void {
    try {
      const { rows, next } = this.hive.stores.events.readFrom(this.place);
      this.place = next;
      const facts = rows.slice(-limits.streamFacts).map(factOf);
      if (facts.length > 0) this.send({ event: "facts", data: { facts } });
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
    }
  }

  private logEnd(): Place {
    try {
      return this.hive.stores.events.end();
    } catch (error) {
      if (error instanceof HiveError) return beginning;
      throw error;
    }
  }

  // What the follower tells.

  looked({ fleet, attention }: Overview): void {
    const lookedAt = new Date().toISOString();
    this.show({ fleet, attention, look: { lookedAt, problem: null, worker: workerOf(this.hive) } });
    this.tellFacts();
  }

  patched(patches: Patches): void {
    if (this.seen === null) return;
    const { fleet, attention, look } = this.seen;
    this.show({
      fleet: patchedFleet(fleet, patches),
      attention: patchedAttention(attention, patches),
      look,
    });
  }

  failed(error: unknown): void {
    const isBug = !(error instanceof HiveError);
    if (isBug) this.onBug(error);
    const problem = isBug ? "this is a bug; the server's terminal says more" : error.message;
    const lookedAt = this.seen?.look.lookedAt ?? new Date(0).toISOString();
    const look = { lookedAt, problem, worker: workerOf(this.hive) };
    if (this.seen !== null) this.seen = { ...this.seen, look };
    this.send({ event: "look", data: look });
  }

  glanced(): void {
    this.tellFacts();
  }

  stored(path: string | null): void {
    if (path === null || path === this.hive.stores.events.path) this.tellFacts();
  }

  shown(): null {
    return null;
  }

  showed(): void {}
}

function eventsOf({ fleet, attention, look }: Seen): StreamEvent[] {
  return [
    { event: "fleet", data: fleet },
    { event: "inbox", data: { items: attention } },
    { event: "look", data: look },
  ];
}

function factOf({ at, event: { name, ...args } }: LoggedEvent): LoggedFact {
  return { at, event: name, args };
}

function workerOf({ paths }: Pick<Hive, "paths">): Worker {
  const watcher = watcherOf(paths);
  if (watcher === null) return null;
  return watcher.pid === process.pid && watcher.host === hostname() ? "this server" : "another process";
}
