// A server that lost what it had, that refuses for a while, or that keeps only a part; and a host whose disk does.

import { randomUUID } from "node:crypto";
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { mailBytes } from "../../src/link/mail/mail-form.js";
import { makeFleet } from "../../src/link/make-fleet.js";
import { buckets, streams, subjects, word } from "../../src/link/subjects.js";
import { hostName } from "../../src/names/gates.js";
import { newMailId } from "../../src/names/mail-id.js";
import { connectBus } from "../../src/nats/connect.js";
import { hivemind } from "../command.js";
import { letters } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { farAgent, farHost, farWatch, farWorker, mailSteps } from "./far-hosts.js";
import { hasLease, startWatch, testHost } from "./hosts.js";
import { addressOf, testBus, testServers } from "./servers.js";

test("a server that was set up anew gets everything again, and mail goes on", async () => {
  const servers = await testServers();
  const bus = await testBus(servers);
  const [alpha, beta] = [farHost(servers, "alpha"), farHost(servers, "beta")];
  const agent = await farAgent(beta, "tester");
  const [, watcher] = await Promise.all([farWatch(alpha), farWatch(beta)]);
  const session = agent.registry()!.sessionId;
  const claimed = async () => {
    const claims = await bus.bucket(buckets.claims).catch(() => null);
    return (await claims?.get(word(session)).catch(() => null)) ?? null;
  };
  await until("its conversation is claimed", claimed);
  await servers.kill(0);
  servers.wipe(0);
  await servers.start(0);
  await until("its conversation is claimed again", claimed, 60_000).catch((error) => {
    throw new Error(`${error.message}: ${watcher.said()}`);
  });
  const sent = await until("a message is posted", () => {
    const ran = hivemind(alpha, ["send", "tester@beta", "run it"]);
    return ran.code === 1 ? null : ran;
  });
  expect([0, 4], sent.stderr).toContain(sent.code);
  await until("the message", () => letters(agent.transcript()).length > 0, 60_000);
  await until("the sender hears of it", () => mailSteps(alpha).at(-1) === "accepted", 60_000);
  expect(letters(agent.transcript())).toEqual(["[@ann@alpha] run it"]);
});

test("[MA1] mail in a queue is never refused: what nobody could be told is told later", async () => {
  const servers = await testServers();
  const bus = await testBus(servers);
  const [alpha, beta] = [farHost(servers, "alpha"), farHost(servers, "beta")];
  const agent = await farAgent(beta, "tester");
  await farWorker(beta);
  const connection = await connect({ servers: servers.url });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection);
  const { stores } = openHive({ env: alpha.env });
  await manager.streams.delete(streams.fates);
  const id = newMailId(hostName("alpha"));
  const by = { kind: "person", name: "ann" } as const;
  await stores.mail.add({ id, with: "tester@beta", step: "sent", detail: "" });
  const bytes = mailBytes({ id, to: "tester", text: "run it", by, isAwaited: false });
  await bus.append(subjects.mail("beta", "alpha"), bytes, { id });
  // The worker of this test gives up mail that failed three times.
  const tries = async () => (await manager.consumers.info(streams.mail, "mail-beta")).delivered.consumer_seq;
  await until("it has come more often", async () => (await tries()) > 5, 60_000);
  await makeFleet(bus);
  await farWorker(alpha);
  await until("the sender hears of it", () => mailSteps(alpha).at(-1) === "accepted", 60_000);
  expect(mailSteps(alpha)).not.toContain("refused");
  expect(letters(agent.transcript())).toEqual(["[@ann@alpha] run it"]);
});

test("a password that a node does not know yet ends no connection for ever", async () => {
  const users = (password: string) =>
    `accounts { HIVE: { jetstream: enabled, users: [ { user: keeper, password: pw }, { user: alpha, password: ${password} } ] } }`;
  const login = { user: { name: "keeper", password: "pw" } };
  const servers = await testServers({ more: users("pw"), login });
  const bus = await connectBus({
    ...{ ...addressOf(servers.url, "alpha"), user: { name: "alpha", password: "pw" } },
  });
  onTestFinished(() => bus.close());
  servers.reload(users("other"));
  await until("the connection is lost", () => !bus.isConnected());
  // The library tries once a second, and would give up at the second refusal.
  await rest(4 * limits.natsReconnectMs);
  servers.reload(users("pw"));
  await until("the connection is back", () => bus.isConnected());
});

test("a lease that cannot be written down is trouble, and comes when there is room again", async () => {
  const servers = await testServers();
  await testBus(servers);
  const alpha = testHost("alpha", servers.url);
  const place = join(alpha.home.config, "hivemind.lease");
  mkdirSync(place, { recursive: true });
  const watcher = startWatch(alpha.home);
  await until("it says so", () => watcher.said().includes("nothing is typed or started meanwhile"));
  const refused = await alpha.run("agent", "spawn", "po", "--team", "web", "--kind", "demo");
  expect(refused.code).not.toBe(0);
  rmdirSync(place);
  await until("it has its lease", () => hasLease(alpha));
  expect(
    await alpha.run("agent", "spawn", "po", "--team", "web", "--kind", "demo", "--session", randomUUID()),
  ).toMatchObject({ code: 0 });
});
