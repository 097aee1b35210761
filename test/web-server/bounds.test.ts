// A client that wants too much is refused or dropped, and another one is not disturbed.

import { expect, test } from "vitest";
import type { AgentView, TeamView } from "../../src/fleet/view.js";
import type { Overview } from "../../src/hive/attention.js";
import { openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { type TestHome, testHome, until } from "../home.js";
import { hurry } from "../hurried.js";
import { endpoint, openedServer, openStream, silentClient } from "./opened.js";

/** A fleet of one agent with this title. */
function lookOf(title: string): Overview {
  const activityEvidence = [{ source: "registry" }];
  const agent = { agent: null, paneId: "%1", pane: "a:0.0", activity: "idle", activityEvidence, title };
  return {
    fleet: { teams: [{ team: "a", agents: [agent as unknown as AgentView] } as TeamView], background: [] },
    attention: [],
    reporters: new Map(),
    liveFolders: [],
    places: "",
  };
}

/** A server whose fleet has another large title after every `POST /next`. */
async function largeFleet(home: TestHome, bytes: number) {
  let count = 0;
  const overview = async () => lookOf(`${++count} ${"x".repeat(bytes)}`);
  const next = endpoint({
    method: "POST",
    path: "/next",
    needs: "act",
    run: async () => ({ status: 200, value: { version: 1 } }),
  });
  return openedServer(
    home,
    { endpoints: [next], allowed: { actions: true, typing: false } },
    { ...openHive({ env: home.env }), overview },
  );
}

test("500 open streams of one client are bounded, and another client gets its stream", async () => {
  const { url, token, ask } = await openedServer(testHome());
  const [greedy, other] = [await token(), await token()];
  const streams = await Promise.all(
    Array.from({ length: 500 }, () => openStream(url, "/api/v1/stream", greedy)),
  );
  const statuses = streams.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(limits.webStreamsPerToken);
  expect(statuses.filter((status) => status === 429)).toHaveLength(500 - limits.webStreamsPerToken);
  const fine = await openStream(url, "/api/v1/stream", other);
  expect(fine.status).toBe(200);
  await until("the other client sees the fleet", () => fine.events.some(({ event }) => event === "look"));
  expect((await ask("/api/v1/server", { token: other })).status).toBe(200);
  for (const { close } of streams) close();
  await until("the streams are free again", async () => {
    const again = await openStream(url, "/api/v1/stream", greedy);
    again.close();
    return again.status === 200;
  });
});

test("streams of many clients are bounded together", async () => {
  const { url, token } = await openedServer(testHome());
  const clients = Math.ceil(limits.webStreams / limits.webStreamsPerToken) + 1;
  const tokens: string[] = [];
  for (let count = 0; count < clients; count++) tokens.push(await token());
  const streams = await Promise.all(
    tokens.flatMap((each) =>
      Array.from({ length: limits.webStreamsPerToken }, () => openStream(url, "/api/v1/stream", each)),
    ),
  );
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(limits.webStreams);
});

test("a client that never reads is dropped, and another one gets everything", async () => {
  const megabyte = 1024 * 1024;
  const { url, port, token, ask } = await largeFleet(testHome(), megabyte);
  const [slow, other] = [await token(), await token()];
  const silent = await silentClient(
    port,
    `GET /api/v1/stream HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${slow}\r\n\r\n`,
  );
  const fine = await openStream(url, "/api/v1/stream", other);
  const titles = () =>
    fine.events.flatMap(({ event, data }) =>
      event === "delta" ? [Number(data.agents["%1"].title.split(" ")[0])] : [],
    );
  await until("the first look", () => fine.events.some(({ event }) => event === "fleet"));
  // The system itself takes some megabytes for a client that does not read.
  const rounds = Math.ceil(limits.streamBacklogBytes / megabyte) + 24;
  for (let round = 0; round < rounds; round++) {
    const before = titles().length;
    await ask("/api/v1/next", { method: "POST", body: "{}", token: other });
    await until("the other client sees the change", () => titles().length > before);
  }
  expect(titles()).toEqual(Array.from(titles(), (_, at) => titles()[0]! + at));
  let isClosed = false;
  silent.on("close", () => {
    isClosed = true;
  });
  // What the system kept for it, and then the end.
  silent.resume();
  await until("the silent client is dropped", () => isClosed);
  expect(fine.isEnded()).toBe(false);
});

test("of 1,000 requests at once a few run, the rest is refused, and another client is answered meanwhile", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let [running, most] = [0, 0];
  const slow = endpoint({
    path: "/slow",
    async run() {
      most = Math.max(most, ++running);
      await released;
      running--;
      return { status: 200, value: { version: 1 } };
    },
  });
  const { ask, token } = await openedServer(testHome(), { endpoints: [slow] });
  const [greedy, other] = [await token(), await token()];
  const counts = new Map<number, number>();
  const all = Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const { status } = await ask("/api/v1/slow", { token: greedy });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }),
  );
  await until("the rest is refused", () => counts.get(429) === 1_000 - limits.webRequestsPerToken);
  expect((await ask("/api/v1/server", { token: other })).status).toBe(200);
  expect((await ask("/", {})).status).toBe(200);
  release();
  await all;
  expect(most).toBe(limits.webRequestsPerToken);
  expect(counts.get(200)).toBe(limits.webRequestsPerToken);
  expect((await ask("/api/v1/server", { token: greedy })).status).toBe(200);
});

test("unread answers of one client count as its requests, until it is dropped", async () => {
  hurry({ webRequestsPerToken: 3, webUnreadMs: 2_000 });
  const large = endpoint({
    path: "/large",
    run: async () => ({ status: 200, value: { version: 1, text: "x".repeat(16 * 1024 * 1024) } }),
  });
  const { port, ask, token } = await openedServer(testHome(), { endpoints: [large] });
  const [greedy, other] = [await token(), await token()];
  const words = `GET /api/v1/large HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${greedy}\r\n\r\n`;
  for (let count = 0; count < limits.webRequestsPerToken; count++) await silentClient(port, words);
  await until("its room is used up", async () => {
    const { status } = await ask("/api/v1/server", { token: greedy });
    return status === 429;
  });
  expect((await ask("/api/v1/server", { token: other })).status).toBe(200);
  await until("it has room again", async () => {
    const { status } = await ask("/api/v1/server", { token: greedy });
    return status === 200;
  });
});

test.each([
  ["says nothing", "", { webHeaderMs: 200 }],
  ["never ends its headers", "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ", { webHeaderMs: 200 }],
  [
    "never sends its body",
    "POST /api/v1/login HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\nhost: HOST\r\n\r\n{",
    { webHeaderMs: 200, webRequestMs: 300 },
  ],
])("a client that %s is dropped", async (_, words, hurried) => {
  hurry({ ...hurried, webCheckMs: 50 });
  const { port, ask } = await openedServer(testHome());
  const silent = await silentClient(port, words.replace("HOST", `127.0.0.1:${port}`));
  let isClosed = false;
  silent.on("close", () => {
    isClosed = true;
  });
  silent.resume();
  await until("it is dropped", () => isClosed, 10_000);
  expect((await ask("/api/v1/server")).status).toBe(401);
});

test("headers without end are refused", async () => {
  const { ask } = await openedServer(testHome());
  const headers = { x: "x".repeat(limits.webHeaderBytes + 1) };
  const refused = await ask("/api/v1/server", { headers }).catch(({ code }) => ({ status: code }));
  expect([431, "EPIPE", "ECONNRESET"]).toContain(refused.status);
  expect((await ask("/api/v1/server")).status).toBe(401);
});
