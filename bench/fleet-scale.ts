// A fleet of many hosts, simulated: publishers on loopback over a few connections to one real nats-server. What it costs
// the server, how soon a far reader sees a change, and how much one node can take.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { makeFleet } from "../src/link/make-fleet.js";
import { readFleet } from "../src/link/read-fleet.js";
import { textOf } from "../src/link/rows.js";
import { buckets, word } from "../src/link/subjects.js";
import type { Bucket, Bus } from "../src/nats/bus.js";
import { connectBus } from "../src/nats/connect.js";
import { type Bar, barOf, megas, whole } from "./bar.js";
import { type BenchServer, startBenchServer } from "./nats-server.js";

export interface FleetRun {
  hosts: number;
  agentsPerHost: number;
  /** The length of each phase. */
  seconds: number;
  /** Agents that change what they do, per second, over the whole fleet. */
  changesPerSecond: number;
}

export const usualFleetRun: FleetRun = { hosts: 1000, agentsPerHost: 20, seconds: 15, changesPerSecond: 200 };

const connections = 8;
const renewEveryMs = 5_000;

export async function fleetBars(run: FleetRun): Promise<Bar[]> {
  const server = await startBenchServer();
  const buses = await Promise.all(Array.from({ length: connections }, () => connectBus(server.address)));
  try {
    await makeFleet(buses[0]!);
    const world = await openWorld(buses, run);
    const loaded = await timed(() => fill(world, run));
    const sizeBytes = folderBytes(server.folder);
    const idle = await steady(server, world, { ...run, changesPerSecond: 0 });
    const reader = await connectBus(server.address);
    const far = await openFarReader(reader);
    const lively = await steady(server, world, run);
    const reached = await readTime(reader, run);
    await far.stop();
    await reader.close();
    const most = await saturate(server, world, run);
    return barsOf(run, { loaded, sizeBytes, idle, lively, lags: far.lags, reached, most, server });
  } finally {
    await Promise.all(buses.map((bus) => bus.close()));
    await server.stop();
  }
}

interface Node {
  hosts: Bucket;
  agents: Bucket;
  claims: Bucket;
}

interface World {
  nodes: Node[];
  /** The revision of each host's lease. */
  leases: number[];
}

async function openWorld(buses: readonly Bus[], { hosts }: FleetRun): Promise<World> {
  const nodes = await Promise.all(
    buses.map(async (bus) => ({
      hosts: await bus.bucket(buckets.hosts),
      agents: await bus.bucket(buckets.agents),
      claims: await bus.bucket(buckets.claims),
    })),
  );
  return { nodes, leases: Array(hosts).fill(0) };
}

const nameOf = (host: number) => `host-${host}`;
const agentOf = (agent: number) => `agent${String.fromCharCode(97 + agent)}aaaa`;
const sessionOf = (host: number, agent: number) =>
  `00000000-0000-4000-8000-${String(host * 100 + agent).padStart(12, "0")}`;

/** As long as a real one. */
function agentRow(host: number, agent: number, activity: string, at: number): Uint8Array {
  return textOf({
    ...{ agent: agentOf(agent), team: "web4team", role: `role${agent}`, kind: "claude", activity },
    ...{ session: sessionOf(host, agent), pane: `web4team:0.${agent}`, standing: "present" },
    ...{ since: "2026-04-22T08:52:40Z", until: null, asks: 0, queued: 0, model: "claude-opus-4" },
    ...{ context: { used: 123_456, window: 200_000 }, folder: "web4", at },
  });
}

const leaseRow = (host: number) =>
  textOf({ instance: String(host).padStart(32, "0"), epoch: 1, machine: nameOf(host), version: "0.2.0" });

async function fill({ nodes, leases }: World, { hosts, agentsPerHost }: FleetRun): Promise<void> {
  await atOnce(hosts, 32, async (host) => {
    const node = nodes[host % nodes.length]!;
    leases[host] = await node.hosts.put(word(nameOf(host)), leaseRow(host));
    for (let agent = 0; agent < agentsPerHost; agent++) {
      const session = sessionOf(host, agent);
      await node.claims.put(
        word(session),
        textOf({ host: nameOf(host), instance: "i", epoch: 1, role: "po", team: "web" }),
      );
      await node.agents.put(`${word(nameOf(host))}.${agentOf(agent)}`, agentRow(host, agent, "idle", 0));
    }
  });
}

interface Steady {
  cpuShare: number;
  memoryBytes: number;
  writesPerSecond: number;
  /** Renewals that came later than their time. */
  lateRenewals: number;
}

/** Every host renews its lease every five seconds, and agents change what they do. */
async function steady(server: BenchServer, world: World, run: FleetRun): Promise<Steady> {
  const { nodes, leases } = world;
  let [writes, late] = [0, 0];
  const before = server.cpuMs();
  const begun = performance.now();
  const ends = begun + run.seconds * 1000;
  const renewals = Array.from({ length: run.hosts }, async (_, host) => {
    const node = nodes[host % nodes.length]!;
    let due = begun + (host / run.hosts) * renewEveryMs;
    for (; due < ends; due += renewEveryMs) {
      await rest(Math.max(0, due - performance.now()));
      const revision = leases[host]!;
      // A phase in between may have let it expire.
      leases[host] =
        (await node.hosts.update(word(nameOf(host)), leaseRow(host), revision)) ??
        (await node.hosts.put(word(nameOf(host)), leaseRow(host)));
      writes++;
      if (performance.now() - due > renewEveryMs) late++;
    }
  });
  const changes = (async () => {
    for (let count = 0; run.changesPerSecond > 0 && performance.now() < ends; count++) {
      const due = begun + (count * 1000) / run.changesPerSecond;
      await rest(Math.max(0, due - performance.now()));
      const [host, agent] = [(count * 7) % run.hosts, count % run.agentsPerHost];
      const key = `${word(nameOf(host))}.${agentOf(agent)}`;
      void nodes[host % nodes.length]!.agents.put(key, agentRow(host, agent, "busy", performance.now()));
      writes++;
    }
  })();
  await Promise.all([...renewals, changes]);
  const tookMs = performance.now() - begun;
  return {
    cpuShare: (server.cpuMs() - before) / tookMs,
    memoryBytes: server.memoryBytes(),
    writesPerSecond: (writes * 1000) / tookMs,
    lateRenewals: late,
  };
}

/** A far `top`: it watches all rows, and notes how old each change is when it comes. */
async function openFarReader(bus: Bus) {
  const agents = await bus.bucket(buckets.agents);
  const lags: number[] = [];
  const watch = await agents.watch(">", ({ entry }) => {
    if (entry === null) return;
    const { at } = JSON.parse(Buffer.from(entry.value).toString());
    if (at > 0) lags.push(performance.now() - at);
  });
  return { lags, stop: () => watch.stop() };
}

async function readTime(bus: Bus, { hosts, agentsPerHost }: FleetRun): Promise<number> {
  const begun = performance.now();
  const read = await readFleet(bus, null);
  if (read.agents.length !== hosts * agentsPerHost) throw new Error(`read ${read.agents.length} agents`);
  return performance.now() - begun;
}

/** As many writes as the server answers, with more and more under way. */
async function saturate(server: BenchServer, { nodes }: World, run: FleetRun) {
  let best = { perSecond: 0, underWay: 0, cpuShare: 0 };
  for (const underWay of [16, 64, 256]) {
    const ends = performance.now() + (run.seconds * 1000) / 3;
    const [before, begun] = [server.cpuMs(), performance.now()];
    let writes = 0;
    await Promise.all(
      Array.from({ length: underWay }, async (_, lane) => {
        const node = nodes[lane % nodes.length]!;
        const key = word(`load-${lane}`);
        let revision = await node.hosts.put(key, leaseRow(lane));
        for (; performance.now() < ends; writes++)
          revision =
            (await node.hosts.update(key, leaseRow(lane), revision)) ??
            (await node.hosts.put(key, leaseRow(lane)));
      }),
    );
    const tookMs = performance.now() - begun;
    const perSecond = (writes * 1000) / tookMs;
    if (perSecond > best.perSecond)
      best = { perSecond, underWay, cpuShare: (server.cpuMs() - before) / tookMs };
  }
  return best;
}

interface Figures {
  loaded: number;
  sizeBytes: number;
  idle: Steady;
  lively: Steady;
  lags: number[];
  reached: number;
  most: Awaited<ReturnType<typeof saturate>>;
  server: BenchServer;
}

function barsOf(
  run: FleetRun,
  { loaded, sizeBytes, idle, lively, lags, reached, most, server }: Figures,
): Bar[] {
  const { hosts, agentsPerHost, changesPerSecond } = run;
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const agents = hosts * agentsPerHost;
  const isEnoughFor = (most.perSecond / 2) * (renewEveryMs / 1000);
  const needed = hosts / (renewEveryMs / 1000) + changesPerSecond;
  const core = (share: number) => `${(share * 100).toFixed(0)} % of a core`;
  const cost = (each: Steady) =>
    `${core(each.cpuShare)}, ${megas(each.memoryBytes)} MB, ${whole(each.writesPerSecond)} writes/s, ${each.lateRenewals} late renewals`;
  return [
    barOf(`${hosts} hosts that only renew: processor time of one node`, idle.cpuShare / 0.5, cost(idle)),
    barOf(`the same with ${changesPerSecond} changes a second`, lively.cpuShare, cost(lively)),
    barOf("memory of one node, limit 512 MB", lively.memoryBytes / 512e6, `${megas(lively.memoryBytes)} MB`),
    barOf(
      "a change reaches a far reader, 99 of 100, limit 1 s",
      at(0.99) / 1000,
      `${whole(at(0.5))} ms in the middle, ${whole(at(0.99))} ms, ${lags.length} changes`,
    ),
    barOf(`one read of all ${agents} agents, limit 5 s`, reached / 5000, `${whole(reached)} ms`),
    barOf(
      "the buckets on disk, limit 100 MB",
      sizeBytes / 100e6,
      `${megas(sizeBytes)} MB for ${agents} rows and claims; written in ${whole(loaded / 1000)} s`,
    ),
    {
      ...{ name: "writes that one node answers, times those of this fleet", ratio: most.perSecond / needed },
      ...{ bar: 2, atLeast: true },
      detail: `${whole(most.perSecond)} writes/s with ${most.underWay} under way (${core(most.cpuShare)}, nats-server ${server.version}); half of it renews ${whole(isEnoughFor)} hosts`,
    },
  ];
}

async function atOnce(count: number, width: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let at = next++; at < count; at = next++) await work(at);
    }),
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? folderBytes(path) : statSync(path).blocks * 512);
  }, 0);
}
