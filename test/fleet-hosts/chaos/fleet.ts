// Four hosts on three nodes: each host has its own home, tmux server, agent and worker, and a network of its own that a
// test can cut, swallow in one direction or slow down. Two of the hosts have clocks of the day that are wrong.

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect } from "vitest";
import { openHive } from "../../../src/hive/hive.js";
import type { Bus } from "../../../src/nats/bus.js";
import type { Stores } from "../../../src/stores/stores.js";
import type { Ran } from "../../command.js";
import { until } from "../../home.js";
import { type FleetHost, shiftedClock, startWatch, testHost, type Watcher } from "../hosts.js";
import { type NatsServers, testBus, testProxy, testServers, type Way } from "../servers.js";

export interface ChaosHost extends FleetHost {
  /** What its clock of the day shows too much, in milliseconds. */
  shiftMs: number;
  /** The conversation of its agent `tester`. */
  session: string;
  network: Network;
  worker: Worker;
  stores: Stores;
  /** A connection through the network of this host, for mail in its name. */
  bus: Bus;
}

export interface Network {
  url: string;
  cut(): void;
  freeze(way: Way): void;
  slow(ms: number): void;
  heal(): void;
}

export interface Worker {
  /** Waits for nothing. */
  start(): void;
  kill(): Promise<void>;
  /** SIGSTOP: its event loop stands still. */
  stand(): void;
  goOn(): void;
  said(): string;
}

export interface ChaosFleet {
  servers: NatsServers;
  hosts: readonly ChaosHost[];
  /** Past all networks. */
  bus: Bus;
  /** The node that leads this stream. */
  leaderOf(stream: string): Promise<number>;
  /** Undoes everything that was done to nodes, networks and workers. */
  heal(): Promise<void>;
}

const hourMs = 3_600_000;
const shifts = { alpha: hourMs, beta: -hourMs, gamma: 0, delta: 0 } as const;

export async function chaosFleet(program: string): Promise<ChaosFleet> {
  const servers = await testServers({ count: 3, program });
  const bus = await testBus(servers, "checker");
  const hosts = await Promise.all(
    Object.entries(shifts).map(([name, shiftMs]) => chaosHost(servers, name, shiftMs)),
  );
  return {
    ...{ servers, hosts, bus },
    leaderOf: (stream) => leaderOf(servers, stream),
    async heal() {
      for (const { network, worker } of hosts) {
        network.heal();
        worker.goOn();
        worker.start();
      }
      for (const [at, { pid }] of servers.nodes.entries()) if (pid === null) await servers.start(at);
    },
  };
}

async function chaosHost(servers: NatsServers, name: string, shiftMs: number): Promise<ChaosHost> {
  const network = await networkTo(servers);
  const host = testHost(name, network.url, { panes: 0 });
  const { home } = host;
  if (shiftMs !== 0) Object.assign(home.env, shiftedClock(home, shiftMs));
  home.tmux("new-session", "-d", "-x", "200", "-y", "50", "-s", "web", "cat");
  const worker = workerOf(host);
  worker.start();
  await until(`${name} is in the fleet`, () => worker.said().includes("in the fleet as"), 60_000);
  const session = randomUUID();
  expect(await spawnDemo(host, "tester", session)).toMatchObject({ code: 0 });
  const bus = await testBus({ url: network.url }, name);
  const { stores } = openHive({ env: home.env });
  return { ...host, shiftMs, session, network, worker, stores, bus };
}

export function spawnDemo(host: FleetHost, role: string, session: string): Promise<Ran> {
  return host.run("agent", "spawn", role, "--team", "web", "--kind", "demo", "--session", session);
}

/** A proxy to each node. */
async function networkTo({ nodes }: NatsServers): Promise<Network> {
  const proxies = await Promise.all(nodes.map(({ port }) => testProxy(port)));
  const all = (act: (proxy: (typeof proxies)[number]) => void) => proxies.forEach(act);
  return {
    url: proxies.map(({ url }) => url).join(","),
    cut: () => all((proxy) => proxy.cut()),
    freeze: (way) => all((proxy) => proxy.freeze(way)),
    slow: (ms) => all((proxy) => proxy.slow(ms)),
    heal: () => all((proxy) => proxy.heal()),
  };
}

function workerOf({ home }: FleetHost): Worker {
  let running: Watcher | null = null;
  let said = "";
  const signal = (name: NodeJS.Signals) => {
    if (running !== null) process.kill(running.pid, name);
  };
  return {
    start() {
      running ??= startWatch(home);
    },
    async kill() {
      if (running === null) return;
      said += running.said();
      await running.end();
      running = null;
    },
    stand: () => signal("SIGSTOP"),
    goOn: () => signal("SIGCONT"),
    said: () => said + (running?.said() ?? ""),
  };
}

async function leaderOf({ url }: NatsServers, stream: string): Promise<number> {
  const connection = await connect({ servers: url.split(",") });
  try {
    const manager = await jetstreamManager(connection);
    const leader = await until(`a leader of ${stream}`, () =>
      manager.streams.info(stream).then(
        ({ cluster }) => cluster?.leader ?? null,
        () => null,
      ),
    );
    return Number(leader.slice(1));
  } finally {
    await connection.close();
  }
}

const run = promisify(execFile);

/** A copy of everything that hivemind keeps on this host. */
export async function copyState({ home }: FleetHost): Promise<string> {
  const copy = join(home.root, "copy");
  rmSync(copy, { recursive: true, force: true });
  // Files come and go while it copies.
  await run("cp", ["-a", home.config, copy]).catch(() => {});
  return copy;
}

/** The worker must not run. */
export async function restoreState({ home }: FleetHost, copy: string): Promise<void> {
  rmSync(home.config, { recursive: true, force: true });
  await run("cp", ["-a", copy, home.config]);
}
