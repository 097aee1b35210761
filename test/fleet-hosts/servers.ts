// Real NATS servers on 127.0.0.1: one node or a cluster, that a test can kill and start again, and proxies that cut or
// slow the connection to them.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket, connect as toNode } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { makeFleet } from "../../src/link/make-fleet.js";
import { inboxOf } from "../../src/link/subjects.js";
import type { Bus, BusAddress } from "../../src/nats/bus.js";
import { connectBus } from "../../src/nats/connect.js";
import { until } from "../home.js";

export interface NatsNode {
  url: string;
  port: number;
  /** Null after a kill. */
  pid: number | null;
}

export interface NatsServers {
  nodes: readonly NatsNode[];
  /** All nodes, as `HIVEMIND_FLEET` takes them. */
  url: string;
  /** SIGKILL, as a power failure. */
  kill(node: number): Promise<void>;
  /** With the same port and the same files. */
  start(node: number): Promise<void>;
  /** Removes the files of a node that does not run. */
  wipe(node: number): void;
  /** Replaces the text of `more` in every configuration, and lets the nodes read it again. */
  reload(more: string): void;
  /** Ends all nodes and removes their files. */
  stop(): Promise<void>;
}

export interface ServersWish {
  /** 1 or 3. */
  count?: number;
  /** The program; the system's own without it. */
  program?: string;
  /** More lines of configuration: accounts, users. */
  more?: string;
  /** How the harness itself connects to see that the server works. */
  login?: Pick<BusAddress, "user">;
}

/** Made for the running test and removed with it. */
export async function testServers(wish: ServersWish = {}): Promise<NatsServers> {
  const servers = await startServers(wish);
  onTestFinished(() => servers.stop());
  return servers;
}

/** For a suite that shares them: call `stop` in `afterAll`. They are ready: streams can be made. */
export async function startServers({
  count = 1,
  program = systemServer(),
  more = "",
  login = {},
}: ServersWish = {}): Promise<NatsServers> {
  const folder = mkdtempSync(join(tmpdir(), "hm-nats-"));
  const ports = await freePorts(count * 2);
  const nodes: NatsNode[] = [];
  const children: (ChildProcess | null)[] = [];
  const configure = (at: number, extra: string) => {
    const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`);
    // Hosts know the nodes by their proxies: an advertised address would lead past them.
    const cluster =
      count === 1
        ? ""
        : `cluster { name: hive, listen: "127.0.0.1:${ports[count + at]}", routes: ${JSON.stringify(routes)}, no_advertise: true }`;
    writeFileSync(
      join(folder, `${at}.conf`),
      [
        `server_name: n${at}`,
        `listen: "127.0.0.1:${ports[at]}"`,
        `jetstream { store_dir: ${JSON.stringify(join(folder, `${at}`))}, max_file_store: 16GB }`,
        ...[cluster, extra],
      ].join("\n"),
      { mode: 0o600 },
    );
  };
  const run = async (at: number) => {
    mkdirSync(join(folder, `${at}`), { recursive: true });
    const child = spawn(program, ["-c", join(folder, `${at}.conf`)], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (text) => (said = (said + text).slice(-20_000)));
    children[at] = child;
    nodes[at] = { url: `nats://127.0.0.1:${ports[at]}`, port: ports[at]!, pid: child.pid ?? null };
    child.on("exit", () => (nodes[at]!.pid = null));
    await until(`node ${at} of the NATS server listens`, () => {
      if (child.exitCode !== null) throw new Error(`nats-server: ${said}`);
      return said.includes("Server is ready");
    });
  };
  const kill = async (at: number, signal: NodeJS.Signals = "SIGKILL") => {
    const child = children[at];
    if (child == null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    await Promise.all(children.map((_, at) => kill(at)));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const servers = {
    nodes,
    get url() {
      return nodes.map(({ url }) => url).join(",");
    },
    ...{ kill: (at: number) => kill(at), start: run, stop },
    wipe: (at: number) => rmSync(join(folder, `${at}`), { recursive: true, force: true }),
    reload(extra: string) {
      for (const [at, child] of children.entries()) {
        configure(at, extra);
        child?.kill("SIGHUP");
      }
    },
  };
  try {
    for (let at = 0; at < count; at++) configure(at, more);
    await Promise.all(Array.from({ length: count }, (_, at) => run(at)));
    await until("the NATS server keeps streams", () => answers({ ...addressOf(servers.url), ...login }));
  } catch (error) {
    await stop();
    throw error;
  }
  return servers;
}

/** How a host without a login reaches these servers. */
export function addressOf(url: string, host = "tester"): BusAddress {
  return { servers: url.split(","), name: `hivemind ${host}`, inboxPrefix: inboxOf(host) };
}

/** A connection for the running test, with everything that a fleet needs on the server. */
export async function testBus(servers: Pick<NatsServers, "url">, host?: string): Promise<Bus> {
  const bus = await connectBus(addressOf(servers.url, host));
  onTestFinished(() => bus.close());
  // A cluster takes orders before all its nodes have met.
  await until("the server makes the streams", () =>
    makeFleet(bus).then(
      () => true,
      () => false,
    ),
  );
  return bus;
}

/** `up` is what the host sends, `down` what the server sends. */
export type Way = "up" | "down" | "both";

export interface Proxy {
  url: string;
  /** How many connections there were, and how many are open. */
  count(): { made: number; open: number };
  /** Ends what is open and accepts nothing until `heal`. */
  cut(): void;
  /** Keeps what is open, but passes nothing on in this direction: a network that swallows. */
  freeze(way?: Way): void;
  heal(): void;
  /** Every piece is passed on this much later. */
  slow(ms: number): void;
}

/** Stands between a host and one node, for the running test. */
export async function testProxy(port: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let frozen: Way | null = null;
  let lateMs = 0;
  let made = 0;
  const hold = ([near, far]: readonly [Socket, Socket]) => {
    if (frozen === "up" || frozen === "both") near.pause();
    if (frozen === "down" || frozen === "both") far.pause();
  };
  const pass = (from: Socket, to: Socket) => {
    // One piece after the other, also when the network becomes fast again.
    let last: Promise<void> | null = null;
    from.on("data", (bytes) => {
      if (lateMs === 0 && last === null) return void to.write(bytes);
      const due = performance.now() + lateMs;
      const next: Promise<void> = (last ?? Promise.resolve()).then(async () => {
        await rest(Math.max(0, due - performance.now()));
        if (to.writable) to.write(bytes);
        if (last === next) last = null;
      });
      last = next;
    });
    from.on("close", () => to.destroy());
    from.on("error", () => to.destroy());
  };
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = toNode(port, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    made++;
    near.on("close", () => pairs.delete(pair));
    pass(near, far);
    pass(far, near);
    hold(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    isCut = true;
    for (const [near, far] of pairs) for (const each of [near, far]) each.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: `nats://127.0.0.1:${(server.address() as { port: number }).port}`,
    count: () => ({ made, open: pairs.size }),
    cut,
    freeze(way = "both") {
      frozen = way;
      for (const pair of pairs) hold(pair);
    },
    heal() {
      isCut = false;
      frozen = null;
      lateMs = 0;
      for (const pair of pairs) for (const each of pair) each.resume();
    },
    slow(ms) {
      lateMs = ms;
    },
  };
}

/** Debian has it where only root looks. */
export function systemServer(): string {
  return existsSync("/usr/sbin/nats-server") ? "/usr/sbin/nats-server" : "nats-server";
}

async function answers(address: BusAddress): Promise<boolean> {
  try {
    const bus = await connectBus(address);
    try {
      await bus.make({});
      return true;
    } finally {
      await bus.close();
    }
  } catch {
    return false;
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
