// What happens to a fleet, one thing at a time or at random, and what must be true behind it.

import { randomUUID } from "node:crypto";
import { setTimeout as rest } from "node:timers/promises";
import { expect } from "vitest";
import { limits } from "../../../src/limits.js";
import { buckets, streams, word } from "../../../src/link/subjects.js";
import { until } from "../../home.js";
import type { Way } from "../servers.js";
import { type ChaosFleet, type ChaosHost, copyState, restoreState, spawnDemo } from "./fleet.js";
import { openPost, type Post } from "./mail.js";
import { type Observer, observe } from "./observer.js";

export interface Run {
  fleet: ChaosFleet;
  post: Post;
  observer: Observer;
  /** One message from each host to each other one, and one typed on each. */
  talk(): void;
  /** Undoes what was done, waits for the end of all messages, and checks everything. */
  settle(): Promise<void>;
}

export function openRun(fleet: ChaosFleet): Run {
  const { hosts } = fleet;
  const post = openPost();
  const observer = observe(hosts);
  return {
    ...{ fleet, post, observer },
    talk() {
      for (const from of hosts) for (const to of hosts) if (from !== to) post.send(from, to);
      for (const host of hosts) post.say(host);
    },
    async settle() {
      await fleet.heal();
      for (const host of hosts)
        await until(`${host.name} has its lease`, () => observer.ageMs(host) < limits.leaseFreshMs, 90_000);
      await post.settle();
      expect(observer.doubles()).toEqual([]);
      expect(observer.stale()).toEqual([]);
      await claimsAreTrue(fleet);
    },
  };
}

/** Each host has the conversation of its agent, and nobody else. */
async function claimsAreTrue({ hosts, bus }: ChaosFleet): Promise<void> {
  const claims = await bus.bucket(buckets.claims);
  for (const { name, session } of hosts) {
    const entry = await until(`the claim of ${name}`, () => claims.get(word(session)).catch(() => null));
    expect(Buffer.from(entry.value).toString()).toContain(`"host":"${name}"`);
  }
}

/** All hosts start one conversation in the same moment. The host that has it; null if none could. */
export async function contend({ fleet: { hosts } }: Run): Promise<ChaosHost | null> {
  const session = randomUUID();
  const role = `r${session.slice(0, 6)}`;
  const ran = await Promise.all(hosts.map((host) => spawnDemo(host, role, session)));
  const won = hosts.filter((_, at) => ran[at]!.code === 0);
  expect(won.length, JSON.stringify(ran)).toBeLessThanOrEqual(1);
  const [winner = null] = won;
  for (const { code, stderr } of ran)
    if (code !== 0) expect(stderr).toMatch(/is open on|lease|server|reached/);
  if (winner !== null) {
    for (const { stderr } of ran.filter(({ code }) => code !== 0))
      if (stderr.includes("is open on")) expect(stderr).toContain(`is open on ${winner.name} as ${role}`);
    expect(await winner.run("agent", "kill", role, "--yes")).toMatchObject({ code: 0 });
  }
  return winner;
}

/** The node that leads the mail is killed while mail is posted and taken. */
export async function killMailLeader(run: Run): Promise<number> {
  const { fleet, post } = run;
  const node = await fleet.leaderOf(streams.mail);
  const before = post.arrived();
  run.talk();
  await until("the first of it has arrived", () => post.arrived() > before, 60_000);
  await fleet.servers.kill(node);
  run.talk();
  return node;
}

export function partition(host: ChaosHost, how: Way | "cut"): void {
  if (how === "cut") host.network.cut();
  else host.network.freeze(how);
}

/** Stands still until its lease is gone on the server, and goes on. */
export async function standStill({ observer }: Run, host: ChaosHost): Promise<void> {
  host.worker.stand();
  await until(`the lease of ${host.name} is gone`, () => observer.ageMs(host) > limits.leaseGoneMs, 60_000);
  host.worker.goOn();
}

/** Comes back with everything as it was some messages ago. */
export async function oldState(run: Run, host: ChaosHost): Promise<void> {
  const copy = await copyState(host);
  const { post, fleet } = run;
  const others = fleet.hosts.filter((each) => each !== host);
  const before = post.arrived();
  for (const other of others) post.send(other, host);
  await until("its mail arrives", () => post.arrived() >= before + others.length, 60_000);
  await post.settle();
  await host.worker.kill();
  await restoreState(host, copy);
  host.worker.start();
}

/** A sequence that depends on the seed alone. */
export function chances(seed: number): { below(count: number): number; oneOf<T>(all: readonly T[]): T } {
  let state = seed >>> 0;
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
  return { below, oneOf: (all) => all[below(all.length)]! };
}

/** So many deeds of the family, each with mail under way. What was done, in words. */
export async function atRandom(run: Run, seed: number, deeds: number): Promise<string[]> {
  const { fleet, post } = run;
  const { hosts, servers } = fleet;
  const { below, oneOf } = chances(seed);
  const done: string[] = [];
  const family: Record<string, (host: ChaosHost) => unknown> = {
    killNode: () => servers.kill(below(3)),
    startNodes: () => startNodes(run),
    killWorker: async (host) => {
      await host.worker.kill();
      host.worker.start();
    },
    cut: ({ network }) => network.cut(),
    up: ({ network }) => network.freeze("up"),
    down: ({ network }) => network.freeze("down"),
    both: ({ network }) => network.freeze("both"),
    slow: ({ network }) => network.slow(200 + below(2_000)),
    heal: ({ network }) => network.heal(),
    stand: ({ worker }) => worker.stand(),
    goOn: ({ worker }) => worker.goOn(),
    contend: () => contend(run),
  };
  for (let deed = 0; deed < deeds; deed++) {
    const [what, host] = [oneOf(Object.keys(family)), oneOf(hosts)];
    done.push(`${what} ${host.name}`);
    for (let count = 0; count < 4; count++) {
      const from = oneOf(hosts);
      post.send(from, oneOf(hosts.filter((each) => each !== from)));
    }
    post.say(oneOf(hosts));
    await family[what]!(host);
    // How long this state of the fleet lasts.
    await rest(below(6_000));
  }
  return done;
}

async function startNodes({ fleet: { servers } }: Run): Promise<void> {
  for (const [at, { pid }] of servers.nodes.entries()) if (pid === null) await servers.start(at);
}
