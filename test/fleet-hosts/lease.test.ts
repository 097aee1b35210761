// Hosts in a fleet on a real server: who may start and type, and what others see.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HostState } from "../../src/link/read-fleet.js";
import type { FarAgent } from "../../src/link/rows.js";
import { buckets, word } from "../../src/link/subjects.js";
import { until } from "../home.js";
import { type FleetHost, shiftedClock, startWatch, testHost } from "./hosts.js";
import { testBus, testProxy, testServers } from "./servers.js";

interface Read {
  hosts: HostState[];
  agents: (FarAgent & { ageMs: number })[];
}

const fleetOf = (host: FleetHost) => host.json<Read>("status", "--fleet");
const spawnDemo = (host: FleetHost, role: string, ...more: string[]) =>
  host.run("agent", "spawn", role, "--team", "web", "--kind", "demo", ...more);

test("every host sees the agents of all, and a host that is gone stays as a row that says so", async () => {
  const servers = await testServers();
  const [alpha, beta] = [testHost("alpha", servers.url), testHost("beta.1", servers.url)];
  const [watched] = await Promise.all([beta.watch(), alpha.watch()]);
  expect(await spawnDemo(alpha, "po")).toMatchObject({ code: 0 });
  expect(await spawnDemo(beta, "dev")).toMatchObject({ code: 0 });
  const seen = await until("both agents are published", async () => {
    const read = await fleetOf(alpha);
    return read.agents.filter(({ activity }) => activity === "idle").length === 2 ? read : null;
  });
  expect(seen.hosts.map(({ host, isReached }) => `${host} ${isReached}`)).toEqual([
    "alpha true",
    "beta.1 true",
  ]);
  expect(seen.agents.map(({ role, host }) => `${role}@${host}`).sort()).toEqual(["dev@beta.1", "po@alpha"]);

  await watched.end();
  const { hosts } = await until("beta is not reached", async () => {
    const read = await fleetOf(alpha);
    return read.hosts.some(({ isReached }) => !isReached) ? read : null;
  });
  expect(hosts).toMatchObject([
    { host: "alpha", isReached: true },
    { host: "beta.1", isReached: false, agents: 1 },
  ]);
  const shown = await alpha.run("status", "--fleet");
  expect(shown.stdout).toMatch(/beta\.1 +not reached; last sign \d+ s ago/);
  expect(shown.stdout).toMatch(/dev@beta\.1 +was idle/);
});

test("a host without agents leaves its sign as soon as it has its lease", async () => {
  const servers = await testServers();
  const rows = await (await testBus(servers)).bucket(buckets.agents);
  await testHost("alpha", servers.url).watch();
  const sign = await until("its sign", () => rows.get("alpha.host"));
  expect(Buffer.from(sign.value).toString()).toContain('"isStopped":false');
});

test("[CG1] a host without a lease starts nothing and types nothing; the message waits", async () => {
  const servers = await testServers();
  await testBus(servers);
  const alpha = testHost("alpha", servers.url);
  const refused = await spawnDemo(alpha, "po");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("alpha is in a fleet and has no lease now");
  expect(refused.stderr).toContain("hivemind watch --background");

  const watched = await alpha.watch();
  expect(await spawnDemo(alpha, "po")).toMatchObject({ code: 0 });
  await watched.end();
  const sent = await until("the lease is old", async () => {
    const ran = await alpha.run("send", "po", "hello", "--json");
    return ran.stdout.includes("has not reached its fleet") ? ran : null;
  });
  expect(sent.stdout).toContain('"queued"');
  expect((await alpha.run("queue", "list")).stdout).toContain("hello");
  await alpha.watch();
  await until("the message is delivered after all", async () =>
    (await alpha.run("queue", "list")).stdout.includes("Nothing is queued"),
  );
});

test("[TST7] a conversation that another host has open is refused, and one that does not come up is given back", async () => {
  const servers = await testServers();
  const bus = await testBus(servers);
  const claims = await bus.bucket(buckets.claims);
  const [alpha, beta] = [testHost("alpha", servers.url), testHost("beta", servers.url)];
  await Promise.all([alpha.watch(), beta.watch()]);
  const session = randomUUID();
  expect(await spawnDemo(alpha, "po", "--session", session)).toMatchObject({ code: 0 });
  const refused = await spawnDemo(beta, "po", "--session", session);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(`session ${session} is open on alpha as po`);
  expect(refused.stderr).toContain("hivemind send po@alpha");
  // Nothing of the refused start is left.
  expect((await beta.run("status", "--json")).stdout).not.toContain(session);

  const failing = randomUUID();
  const broken = testHost("gamma", servers.url);
  await broken.watch();
  broken.home.tmux("set-environment", "-g", "NODE_OPTIONS", "--no-such-option");
  expect(await spawnDemo(broken, "po", "--session", failing)).toMatchObject({ code: 1 });
  expect(await claims.get(word(failing))).toBeNull();

  // What ends before the worker has seen it keeps its claim for minutes: it may still be starting.
  await until("the worker has seen it", async () =>
    (await beta.run("status", "--fleet", "--json")).stdout.includes(session),
  );
  expect(await alpha.run("agent", "kill", "po", "--yes")).toMatchObject({ code: 0 });
  await until("alpha gives the conversation back", async () => (await claims.get(word(session))) === null);
  expect(await spawnDemo(beta, "po", "--session", session)).toMatchObject({ code: 0 });
});

test("[LE2] a restarted worker goes on with its lease; a namesake is refused in words", async () => {
  const servers = await testServers();
  const bus = await testBus(servers);
  const hosts = await bus.bucket(buckets.hosts);
  const epochNow = async () =>
    (await alpha.json<{ lease: { epoch: number } }>("fleet", "status")).lease.epoch;
  const alpha = testHost("alpha", servers.url);
  const first = await alpha.watch();
  const epoch = await epochNow();
  await first.end();
  await alpha.watch();
  expect(await epochNow()).toBe(epoch);

  const namesake = testHost("alpha", servers.url);
  const watcher = startWatch(namesake.home);
  await until("it says so", () => watcher.said().includes("is alpha in this fleet"));
  expect(existsSync(join(namesake.home.config, "hivemind.lease"))).toBe(false);
  await until("the first one renews its lease", async () => (await hosts.get("alpha"))!.revision > epoch);
});

test("clocks an hour apart change nothing: leases, ages and claims are the server's", async () => {
  const servers = await testServers();
  const [alpha, beta] = [testHost("alpha", servers.url), testHost("beta", servers.url)];
  Object.assign(alpha.home.env, shiftedClock(alpha.home, 3_600_000));
  Object.assign(beta.home.env, shiftedClock(beta.home, -3_600_000));
  await Promise.all([alpha.watch(), beta.watch()]);
  expect(await spawnDemo(alpha, "po")).toMatchObject({ code: 0 });
  for (const host of [alpha, beta]) {
    const { hosts, agents } = await until("alpha's agent is published", async () => {
      const read = await fleetOf(host);
      return read.agents.length === 1 ? read : null;
    });
    expect(hosts.every(({ isReached, ageMs }) => isReached && ageMs < 600_000)).toBe(true);
    expect(agents[0]!.ageMs).toBeLessThan(600_000);
  }
});

test("[PB1] while nothing happens a host writes its lease and nothing else", async () => {
  const servers = await testServers();
  const bus = await testBus(servers);
  const [hosts, agents, claims] = await Promise.all(
    [buckets.hosts, buckets.agents, buckets.claims].map((name) => bus.bucket(name)),
  );
  const alpha = testHost("alpha", servers.url);
  await alpha.watch();
  expect(await spawnDemo(alpha, "po")).toMatchObject({ code: 0 });
  await until("its agent is published as idle", async () =>
    (await fleetOf(alpha)).agents.some(({ activity }) => activity === "idle"),
  );
  const leaseAt = async () => (await hosts!.get("alpha"))?.revision ?? 0;
  const renewed = async (times: number) => {
    const from = await leaseAt();
    await until(`${times} renewals`, async () => (await leaseAt()) >= from + times);
  };
  // The revision of a bucket counts every write to it.
  await renewed(1);
  const before = [
    await agents!.put("probe.a", Buffer.from("1")),
    await claims!.put("probe", Buffer.from("1")),
  ];
  await renewed(2);
  const after = [
    await agents!.put("probe.a", Buffer.from("2")),
    await claims!.put("probe", Buffer.from("2")),
  ];
  expect(after).toEqual(before.map((revision) => revision + 1));
});

test("a reader that does not read holds up nobody, and sees the end when it reads again", async () => {
  const servers = await testServers();
  const writer = await (await testBus(servers, "alpha")).bucket(buckets.agents);
  const proxy = await testProxy(servers.nodes[0]!.port);
  const slow = await testBus({ url: proxy.url }, "beta");
  const seen = new Map<string, string>();
  await (await slow.bucket(buckets.agents)).watch("alpha.*", ({ key, entry }) => {
    seen.set(key, Buffer.from(entry?.value ?? []).toString());
  });
  await writer.put("alpha.first", Buffer.from("1"));
  await until("the reader reads", () => seen.has("alpha.first"));
  proxy.freeze();
  const text = "x".repeat(4000);
  for (let count = 0; count < 3000; count++)
    await writer.put(`alpha.a${count % 50}`, Buffer.from(`${count} ${text}`));
  expect((await writer.all("alpha.*")).length).toBe(51);
  proxy.heal();
  await until(
    "the reader has the last value of each row",
    () => [...Array(50).keys()].every((at) => seen.get(`alpha.a${at}`)?.startsWith(`${2950 + at} `)),
    90_000,
  );
});
