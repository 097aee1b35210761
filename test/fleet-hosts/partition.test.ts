// A host that is cut off: what it does not do, what others see, and how it comes back.

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { HostState } from "../../src/link/read-fleet.js";
import { buckets, streams, subjects, word } from "../../src/link/subjects.js";
import { readTranscript, texts } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { type FleetHost, hasLease, testHost } from "./hosts.js";
import { testBus, testProxy, testServers } from "./servers.js";

const spawnDemo = (host: FleetHost, role: string, session: string) =>
  host.run("agent", "spawn", role, "--team", "web", "--kind", "demo", "--session", session);
const isReached = async (host: FleetHost, name: string) =>
  (await host.json<{ hosts: HostState[] }>("fleet", "hosts")).hosts.find((each) => each.host === name)
    ?.isReached;

test.each(["cut", "freeze"] as const)(
  "a host whose network is %s types and starts nothing, others see it, and it comes back whole",
  async (how) => {
    const servers = await testServers();
    const bus = await testBus(servers);
    const claims = await bus.bucket(buckets.claims);
    const proxy = await testProxy(servers.nodes[0]!.port);
    const [alpha, beta] = [testHost("alpha", proxy.url), testHost("beta", servers.url)];
    const [watched] = await Promise.all([alpha.watch(), beta.watch()]);
    const session = randomUUID();
    expect(await spawnDemo(alpha, "po", session)).toMatchObject({ code: 0 });
    const before = await claims.get(word(session));

    proxy[how]();
    await until("alpha counts its lease as lost", async () => {
      const { stdout } = await alpha.run("send", "po", "while cut off", "--json");
      return stdout.includes("has not reached its fleet") && stdout.includes('"queued"');
    });
    const refused = await spawnDemo(alpha, "dev", randomUUID());
    expect(refused.stderr).toContain("has no lease now");
    await until(
      "beta sees that alpha is not reached",
      async () => (await isReached(beta, "alpha")) === false,
    );
    const held = await spawnDemo(beta, "po", session);
    expect(held.stderr).toContain("opened on alpha as po, which is not reached: it may still run there");
    expect(held.stderr).toContain(`hivemind sessions fork ${session}`);
    // Its agent goes on.
    expect((await alpha.run("status", "--json")).stdout).toContain('"idle"');

    proxy.heal();
    await until("alpha is back", async () => (await isReached(beta, "alpha")) === true);
    await until("the messages arrive", async () =>
      (await alpha.run("queue", "list")).stdout.includes("Nothing is queued"),
    );
    const said = texts(readTranscript(alpha.home, alpha.home.work, session), "user");
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said)).toEqual(new Set(["while cut off"]));
    // The claim is the one from before: nobody else had it meanwhile.
    expect((await claims.get(word(session)))?.value).toEqual(before?.value);
    expect(watched.said().match(/nothing is typed or started meanwhile/g)).toHaveLength(1);
    expect(watched.said().match(/in the fleet as alpha/g)).toHaveLength(2);
  },
  240_000,
);

test("three nodes, each killed in turn: hosts keep their leases, nothing is lost, and every event comes once", async () => {
  const servers = await testServers({ count: 3 });
  const bus = await testBus(servers);
  const [alpha, beta] = [testHost("alpha", servers.url), testHost("beta", servers.url)];
  await Promise.all([alpha.watch(), beta.watch()]);
  const sessions: string[] = [];
  // One of the three leads the leases, and one the events: each is killed once.
  for (const node of [0, 1, 2]) {
    const session = randomUUID();
    sessions.push(session);
    await servers.kill(node);
    await until(
      `an agent starts with node ${node} down`,
      async () => (await spawnDemo(alpha, `po${node}`, session)).code === 0,
      60_000,
    );
    await servers.start(node);
    await until(
      "both hosts have their lease",
      async () => (await hasLease(alpha)) && (await hasLease(beta)),
      60_000,
    );
  }
  const spawned = async () => {
    const found: string[] = [];
    for await (const { bytes } of bus.read(streams.events, subjects.event("alpha", "agent.spawned")))
      found.push(JSON.parse(Buffer.from(bytes).toString()).uuid);
    return found;
  };
  // A copy that was down a moment ago may lag behind: what counts is what comes in the end.
  const found = await until(
    "all events are there",
    async () => {
      const seen = await spawned().catch(() => []);
      return new Set(seen).size === 3 ? seen : null;
    },
    60_000,
  );
  expect(found.sort()).toEqual(sessions.sort());
  const claims = await bus.bucket(buckets.claims);
  for (const session of sessions)
    await until(`the claim on ${session}`, () => claims.get(word(session)).catch(() => null));
}, 240_000);

test("a host that comes back with old state finds its conversation taken, and says so", async () => {
  const servers = await testServers();
  const bus = await testBus(servers);
  const claims = await bus.bucket(buckets.claims);
  const [alpha, beta] = [testHost("alpha", servers.url), testHost("beta", servers.url)];
  const [watched] = await Promise.all([alpha.watch(), beta.watch()]);
  const session = randomUUID();
  expect(await spawnDemo(alpha, "po", session)).toMatchObject({ code: 0 });
  await watched.end();
  // The fleet's server was set up anew meanwhile, and beta has opened the conversation.
  await claims.remove(word(session));
  expect(await spawnDemo(beta, "po", session)).toMatchObject({ code: 0 });
  const again = await alpha.watch();
  await until("alpha says that both have it", () =>
    again.said().includes(`it runs here too: session ${session} is open on beta as po`),
  );
  expect(Buffer.from((await claims.get(word(session)))!.value).toString()).toContain('"host":"beta"');
});
