// Users of a real server with the permissions that hivemind writes: each deed is tried by a host that may, and by one
// that may not.

import { connect, usernamePasswordAuthenticator } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeFleet } from "../../src/link/make-fleet.js";
import { permissionsOf, permissionText } from "../../src/link/permissions.js";
import { buckets, consumers, inboxOf, objects, streams, subjects } from "../../src/link/subjects.js";
import type { Bus } from "../../src/nats/bus.js";
import { connectBus } from "../../src/nats/connect.js";
import type { Standing } from "../../src/stores/link/fleet-join.js";
import { until } from "../home.js";
import { newestServer } from "./newest-server.js";
import { addressOf, type NatsServers, startServers, systemServer } from "./servers.js";

const standings: Record<string, Standing> = {
  alpha: "member",
  beta: "member",
  quiet: "quiet",
  reader: "reader",
};

const users = Object.entries(standings)
  .map(
    ([host, standing]) =>
      `{ user: ${host}, password: pw-${host}, permissions: ${permissionText(permissionsOf(host, standing))} }`,
  )
  .join("\n");
const accounts = `accounts { HIVE: { jetstream: enabled, users: [ { user: keeper, password: pw-keeper }\n${users} ] } }`;

const bytes = Buffer.from("words");

describe.each([
  ["the system's server", async () => systemServer()],
  ["Debian's newest server", newestServer],
])("%s", (_, program) => {
  let servers: NatsServers | undefined;
  beforeAll(async () => {
    const login = { user: { name: "keeper", password: "pw-keeper" } };
    servers = await startServers({ program: await program(), more: accounts, login });
    const keeper = await as("keeper");
    await makeFleet(keeper);
    await keeper.close();
  }, 400_000);
  afterAll(() => servers?.stop());

  const as = (host: string) =>
    connectBus({ ...addressOf(servers!.url, host), user: { name: host, password: `pw-${host}` } });

  async function hostOf(host: string): Promise<Bus> {
    const bus = await as(host);
    onTestFinished(() => bus.close());
    return bus;
  }

  /** The library itself, for what the bus does not offer. */
  async function raw(host: string) {
    const connection = await connect({
      servers: servers!.url,
      authenticator: usernamePasswordAuthenticator(host, `pw-${host}`),
      inboxPrefix: inboxOf(host),
    });
    onTestFinished(() => connection.close());
    const refused: string[] = [];
    void (async () => {
      for await (const status of connection.status())
        if (status.type === "error") refused.push(String(status.error));
    })();
    const api = async (subject: string, request: object = {}): Promise<Record<string, unknown>> =>
      (await connection.request(`$JS.API.${subject}`, JSON.stringify(request), { timeout: 700 })).json();
    return { connection, refused, api };
  }

  test("a member does all that a host needs", async () => {
    const alpha = await hostOf("alpha");
    await makeFleet(alpha);
    const hosts = await alpha.bucket(buckets.hosts);
    const first = await hosts.create("alpha", bytes);
    expect(await hosts.update("alpha", bytes, first!)).toBeGreaterThan(first!);
    expect((await hosts.all()).map(({ key }) => key)).toEqual(["alpha"]);
    expect((await hosts.get("alpha"))?.key).toBe("alpha");
    const agents = await alpha.bucket(buckets.agents);
    const seen: string[] = [];
    const watch = await agents.watch(">", ({ key }) => seen.push(key));
    await agents.put("alpha.a1", bytes);
    await until("the row is seen", () => seen.includes("alpha.a1"));
    await watch.stop();
    const claims = await alpha.bucket(buckets.claims);
    expect(await claims.create("s1", bytes)).toBeGreaterThan(0);
    expect(await claims.remove("s1")).toBe(true);
    const followed: string[] = [];
    const follow = await alpha.follow(streams.events, "hive.event.>", ({ subject }) =>
      followed.push(subject),
    );
    await alpha.append(subjects.event("alpha", "x"), bytes);
    await until("the event is followed", () => followed.length > 0);
    await follow.stop();
    const read: string[] = [];
    for await (const { subject } of alpha.read(streams.events, "hive.event.>")) read.push(subject);
    expect(read).toEqual(["hive.event.alpha.x"]);
    await alpha.append(subjects.copy("alpha", "s1"), bytes);
    const boxes = await alpha.objects(objects.boxes);
    await boxes.put(
      "box",
      (async function* () {
        yield bytes;
      })(),
    );
    const pieces: Buffer[] = [];
    for await (const piece of (await boxes.get("box"))!) pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces).toString()).toBe("words");
  });

  test("[FP1] mail and its fate go both ways under the names of their hosts", async () => {
    const [alpha, beta] = [await hostOf("alpha"), await hostOf("beta")];
    const got: string[] = [];
    const mail = await beta.consume(
      streams.mail,
      consumers.mail("beta"),
      "hive.mail.beta.*",
      async (message) => {
        got.push(message.subject);
        await beta.append(subjects.fate("alpha", "beta"), bytes);
      },
    );
    const fates = await alpha.consume(
      streams.fates,
      consumers.fates("alpha"),
      "hive.fate.alpha.*",
      async ({ subject }) => void got.push(subject),
    );
    await alpha.append(subjects.mail("beta", "alpha"), bytes);
    await until("mail and fate", () => got.length === 2);
    expect(got).toEqual(["hive.mail.beta.alpha", "hive.fate.alpha.beta"]);
    await mail.stop();
    await fates.stop();
  });

  test("[NQ1] a question is answered to the inbox of who asks, and nowhere else", async () => {
    const [alpha, beta] = [await hostOf("alpha"), await hostOf("beta")];
    const answering = alpha.answer("hive.ask.alpha.*", async function* ({ subject }) {
      yield Buffer.from(`you are ${subject.split(".").at(-1)}`);
      yield Buffer.from(".");
    });
    onTestFinished(() => answering.stop());
    await alpha.roundTrip();
    const ask = async (bus: Bus, from: string) => {
      const pieces: string[] = [];
      for await (const piece of bus.ask(subjects.ask("alpha", from), bytes, { silenceMs: 2_000 }))
        pieces.push(Buffer.from(piece).toString());
      return pieces.join("");
    };
    expect(await ask(beta, "beta")).toBe("you are beta.");
    expect(await ask(await hostOf("reader"), "reader")).toBe("you are reader.");
    // alpha must not write a row of its own because beta named that row as the place of the answer.
    const { connection } = await raw("beta");
    connection.publish("hive.ask.alpha.beta", bytes, { reply: "$KV.hive-agents.alpha.trap" });
    connection.publish("hive.ask.alpha.beta", bytes, { reply: "_INBOX.quiet.trap" });
    await connection.flush();
    expect(await ask(beta, "beta")).toBe("you are beta.");
    expect(await (await alpha.bucket(buckets.agents)).get("alpha.trap")).toBeNull();
  });

  test("[NQ2] a stored message that a consumer delivers to a question's subject is no question", async () => {
    const alpha = await hostOf("alpha");
    const asked: string[] = [];
    const answering = alpha.answer("hive.act.alpha.*", async function* ({ subject }) {
      asked.push(subject);
      yield bytes;
    });
    onTestFinished(() => answering.stop());
    const exact = alpha.answer("hive.act.alpha.quiet", async function* ({ subject }) {
      asked.push(subject);
      yield bytes;
    });
    onTestFinished(() => exact.stop());
    await alpha.roundTrip();
    const beta = await raw("beta");
    await (await hostOf("beta")).append(subjects.event("beta", "x"), bytes);
    const config = {
      ...{ name: "trap", filter_subject: "hive.event.beta.*", deliver_subject: "hive.act.alpha.quiet" },
      ...{ ack_policy: "none", deliver_policy: "all", max_deliver: 1 },
    };
    await beta.api("CONSUMER.CREATE.hive-events.trap.hive.event.beta.*", {
      stream_name: "hive-events",
      config,
    });
    await until("the server has delivered it", async () => {
      const { delivered } = await beta.api("CONSUMER.INFO.hive-events.trap");
      return (delivered as { consumer_seq: number }).consumer_seq > 0;
    });
    await alpha.roundTrip();
    expect(asked).toEqual([]);
  });

  const foreign = [
    ["alpha's lease", "$KV.hive-hosts.alpha"],
    ["alpha's agents", "$KV.hive-agents.alpha.a1"],
    ["alpha's saved teams", "$KV.hive-teams.alpha.t"],
    ["mail in alpha's name", "hive.mail.beta.alpha"],
    ["fates in alpha's name", "hive.fate.beta.alpha"],
    ["events of alpha", "hive.event.alpha.x"],
    ["questions in alpha's name", "hive.ask.quiet.alpha"],
    ["actions in alpha's name", "hive.act.quiet.alpha"],
    ["copies of alpha's conversations", "hive.copy.alpha.s1"],
    ["answers to alpha that nobody asked for", "_INBOX.alpha.x"],
    ["acknowledgements of alpha's mail", "$JS.ACK.hive-mail.mail-alpha.1.1.1.1.0"],
  ] as const;

  test.each(foreign)("[FP1] beta cannot publish %s", async (_what, subject) => {
    const { connection, refused } = await raw("beta");
    connection.publish(subject, bytes);
    await connection.flush();
    await until("the server refuses", () => refused.some((why) => why.includes(subject)));
  });

  test.each([
    ["alpha's inbox", "_INBOX.alpha.>"],
    ["all inboxes", "_INBOX.>"],
    ["questions to alpha", "hive.ask.alpha.*"],
    ["actions at alpha", "hive.act.alpha.*"],
    ["mail as it passes", "hive.mail.alpha.*"],
    ["everything", ">"],
  ])("[FP2] beta cannot hear %s", async (_what, subject) => {
    const { connection } = await raw("beta");
    const why = await new Promise<Error | null>((resolve) => {
      connection.subscribe(subject, { callback: (error) => void (error && resolve(error)) });
    });
    expect(String(why)).toMatch(/permissions violation/i);
  });

  test.each([
    ["make alpha's consumer", "CONSUMER.CREATE.hive-mail.mail-alpha.hive.mail.alpha.*"],
    ["filter alpha's mail under its own name", "CONSUMER.CREATE.hive-mail.mail-beta.hive.mail.alpha.*"],
    ["make a consumer without a filter", "CONSUMER.CREATE.hive-mail"],
    ["make a durable in the old way", "CONSUMER.DURABLE.CREATE.hive-mail.mail-beta"],
    ["take alpha's mail", "CONSUMER.MSG.NEXT.hive-mail.mail-alpha"],
    ["read mail by its number", "STREAM.MSG.GET.hive-mail"],
    ["read mail directly", "DIRECT.GET.hive-mail"],
    ["read fates by their number", "STREAM.MSG.GET.hive-fates"],
    ["remove alpha's consumer", "CONSUMER.DELETE.hive-mail.mail-alpha"],
  ])("[FP2] beta cannot %s", async (_what, subject) => {
    const { api, refused } = await raw("beta");
    await expect(api(subject)).rejects.toThrow();
    expect(refused.join()).toContain(subject);
  });

  test.each([
    ["filter_subject", { filter_subject: "hive.mail.alpha.*" }],
    ["filter_subjects", { filter_subjects: ["hive.mail.alpha.*"] }],
    ["no filter", {}],
  ])("[FP2] a request that names beta's mail but asks for alpha's by %s gets none", async (_what, filter) => {
    const [{ api }, keeper] = [await raw("beta"), await raw("keeper")];
    await keeper.api("CONSUMER.DELETE.hive-mail.mail-beta");
    const { error, config } = await api("CONSUMER.CREATE.hive-mail.mail-beta.hive.mail.beta.*", {
      stream_name: "hive-mail",
      config: { durable_name: "mail-beta", name: "mail-beta", ack_policy: "explicit", ...filter },
    });
    if (error === undefined) expect(config).toMatchObject({ filter_subject: "hive.mail.beta.*" });
    else expect(config).toBeUndefined();
  });

  test.each([
    ["remove a stream", "STREAM.DELETE.hive-mail"],
    ["empty a stream", "STREAM.PURGE.hive-mail"],
    ["change a stream", "STREAM.UPDATE.hive-mail"],
    ["make a stream", "STREAM.CREATE.other"],
    ["remove one message", "STREAM.MSG.DELETE.KV_hive-agents"],
    ["remove the boxes", "STREAM.DELETE.OBJ_hive-boxes"],
    ["list the consumers of others", "CONSUMER.NAMES.hive-mail"],
  ])("[FP3] a member cannot %s", async (_what, subject) => {
    const { api, refused } = await raw("beta");
    await expect(api(subject)).rejects.toThrow();
    expect(refused.join()).toContain(subject);
  });

  test("[FP3] a member cannot empty a bucket by a header on its own key", async () => {
    const [alpha, { connection }] = [await hostOf("alpha"), await raw("beta")];
    const agents = await alpha.bucket(buckets.agents);
    await agents.put("alpha.kept", bytes);
    const { headers } = await import("@nats-io/transport-node");
    const own = headers();
    own.set("Nats-Rollup", "all");
    const answer = await connection.request("$KV.hive-agents.beta.x", bytes, {
      headers: own,
      timeout: 2_000,
    });
    expect(answer.json()).toHaveProperty("error");
    expect(await agents.get("alpha.kept")).not.toBeNull();
  });

  test.each([
    ["quiet", "hive.act.alpha.quiet"],
    ["reader", "hive.act.alpha.reader"],
    ["reader", "hive.mail.alpha.reader"],
    ["reader", "$KV.hive-agents.reader.a1"],
    ["reader", "$KV.hive-hosts.reader"],
    ["reader", "$KV.hive-claims.s1"],
    ["reader", "hive.event.reader.x"],
    ["reader", "$JS.API.STREAM.MSG.GET.hive-copies"],
  ])("%s cannot publish to %s", async (host, subject) => {
    const { connection, refused } = await raw(host);
    connection.publish(subject, bytes);
    await connection.flush();
    await until("the server refuses", () => refused.some((why) => why.includes(subject)));
  });

  test("a reader sees the fleet", async () => {
    const reader = await hostOf("reader");
    const alpha = await hostOf("alpha");
    await (await alpha.bucket(buckets.agents)).put("alpha.seen", bytes);
    const rows = await (await reader.bucket(buckets.agents)).all();
    expect(rows.map(({ key }) => key)).toContain("alpha.seen");
  });
});
