// The bus on a real server: what a fleet relies on.

import { expect, test } from "vitest";
import { buckets, streams, subjects } from "../../src/link/subjects.js";
import { connectBus } from "../../src/nats/connect.js";
import { until } from "../home.js";
import { addressOf, testBus, testProxy, testServers } from "./servers.js";

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

test("a watch gives the present entries and then the changes", async () => {
  const bus = await testBus(await testServers());
  const bucket = await bus.bucket(buckets.agents);
  await bucket.put("alpha.a1", Buffer.from("one"));
  await bucket.put("beta.b1", Buffer.from("foreign"));
  const seen: string[] = [];
  const watch = await bucket.watch("alpha.>", ({ key, entry }) => {
    seen.push(`${key} ${entry === null ? "gone" : text(entry.value)}`);
  });
  await until("the present entry", () => seen.includes("alpha.a1 one"));
  await bucket.put("alpha.a2", Buffer.from("two"));
  await bucket.remove("alpha.a1");
  await until("the changes", () => seen.length === 3);
  expect(seen).toEqual(["alpha.a1 one", "alpha.a2 two", "alpha.a1 gone"]);
  await watch.stop();
});

test("three nodes: the server takes mail once while a node is killed and comes back", async () => {
  const servers = await testServers({ count: 3 });
  const bus = await testBus(servers, "alpha");
  const subject = subjects.mail("beta", "alpha");
  const post = async (id: string) => {
    await until(`mail ${id} is kept`, async () => {
      try {
        return await bus.append(subject, Buffer.from(id), { id });
      } catch {
        return null;
      }
    });
  };
  for (let count = 0; count < 40; count++) {
    if (count === 10) void servers.kill(0);
    if (count === 30) await servers.start(0);
    await post(`m${count}`);
  }
  const got: string[] = [];
  const take = async ({ bytes }: { bytes: Uint8Array }) => void got.push(text(bytes));
  // A node that has just come back may hold up the first tries.
  const mail = await until("mail is taken", () =>
    bus.consume(streams.mail, "beta", subjects.mail("beta", "alpha"), take).catch(() => null),
  );
  await until("all mail", () => new Set(got).size === 40);
  expect(got).toHaveLength(40);
  await mail.stop();
});

test("a cut connection comes back by itself, and a frozen one is noticed", async () => {
  const servers = await testServers();
  const proxy = await testProxy(servers.nodes[0]!.port);
  await testBus(servers);
  const bus = await connectBus(addressOf(proxy.url, "alpha"));
  try {
    proxy.cut();
    await until("the loss is noticed", () => !bus.isConnected());
    proxy.heal();
    await until("the connection is back", () => bus.isConnected());
    expect((await bus.append(subjects.event("alpha", "x"), Buffer.from("{}"))).sequence).toBe(1);
    proxy.freeze();
    await until("the silence is noticed", () => !bus.isConnected());
    proxy.heal();
    await until("the connection is back", () => bus.isConnected());
  } finally {
    await bus.close();
  }
});
