// The connection that the questions of a page share.

import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { keepBus } from "../../src/cli/fleet/keep-bus.js";
import type { Bus } from "../../src/nats/bus.js";
import { until } from "../home.js";
import { farAgent, farHost, farWatch } from "./far-hosts.js";
import { commandFor, shortLeases } from "./leases.js";
import { addressOf, type NatsServers, startServers, testBus, testProxy } from "./servers.js";

shortLeases();
let servers: NatsServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

const same = async (bus: Bus) => bus;

test("[KB1] questions share one connection, which ends when nobody asks, and the worker's comes first", async () => {
  const proxy = await testProxy(servers.nodes[0]!.port);
  const address = addressOf(proxy.url);
  const kept = keepBus(200);
  onTestFinished(() => kept.close());
  const [first, second, third] = await kept.use(address, async (bus) => [
    bus,
    ...(await Promise.all([kept.use(address, same), kept.use(address, same)])),
  ]);
  for (const other of [second, third]) expect(other).toBe(first);
  expect(proxy.count().made).toBe(1);
  await until("it is closed", () => proxy.count().open === 0);
  const later = await kept.use(address, same);
  expect(proxy.count().made).toBe(2);

  const worker = await testBus(servers);
  const lent = kept.lend(worker);
  expect(await kept.use(address, same)).toBe(worker);
  await until("the other one is closed", () => proxy.count().open === 0);
  expect(later.isConnected()).toBe(false);
  await lent.stop();
  expect(await kept.use(address, same)).not.toBe(worker);
  expect(worker.isConnected()).toBe(true);
});

test("a lost connection is opened anew, and a server that does not answer is said at once", async () => {
  const proxy = await testProxy(servers.nodes[0]!.port);
  const kept = keepBus(60_000);
  onTestFinished(() => kept.close());
  const first = await kept.use(addressOf(proxy.url), same);
  proxy.cut();
  await until("it is lost", () => !first.isConnected());
  await expect(kept.use(addressOf(proxy.url), same)).rejects.toThrow();
  proxy.heal();
  const again = await kept.use(addressOf(proxy.url), same);
  expect(again.isConnected()).toBe(true);
  expect(again).not.toBe(first);
});

/** Answers the page; resolves to a function that asks it. */
async function served(env: NodeJS.ProcessEnv, cwd: string, sign: RegExp) {
  const child = spawn(process.execPath, [commandFor(env), "serve", "--port", "0"], { env, cwd });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  await until("it serves", () => sign.test(printed));
  const link = new URL(/https?:\/\/\S+#secret=\S+/.exec(printed)![0]);
  const secret = link.hash.replace("#secret=", "");
  const login = await fetch(new URL("/api/v1/login", link), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secret }),
  });
  const { token } = (await login.json()) as { token: string };
  return async () => {
    const answer = await fetch(new URL("/api/v1/fleet", link), {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: answer.status, value: (await answer.json()) as { host: string; hosts: unknown[] } };
  };
}

test.each([
  { who: "the worker's own", isWorker: true, connections: 1 },
  { who: "one besides that of a watcher", isWorker: false, connections: 2 },
])("the polls of a page use $who connection", async ({ isWorker, connections }) => {
  const proxy = await testProxy(servers.nodes[0]!.port);
  await testBus(servers);
  const host = farHost(proxy, `alpha${connections}`);
  await farAgent(host, "lead");
  if (!isWorker) await farWatch(host);
  const ask = await served(host.env, host.work, isWorker ? /delivers messages/ : /the work of/);
  await until("it is in the fleet", async () => {
    const { value } = await ask();
    return (value.hosts as { host: string; isReached: boolean }[]).some(
      (each) => each.host === host.name && each.isReached,
    );
  });
  const before = proxy.count();
  for (let count = 0; count < 10; count++) expect((await ask()).status).toBe(200);
  expect(proxy.count().made).toBe(before.made);
  await until("nothing else is open", () => proxy.count().open <= connections, 60_000);
});
