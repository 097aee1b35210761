// Messages into the real client of every pinned version: each arrives once.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { deliver } from "../../src/messages/deliver.js";
import type { SessionId } from "../../src/names/gates.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

async function idleClient(version: (typeof clientVersions)[number]) {
  const { home, api, start } = await testWorld();
  const uuid = randomUUID() as string as SessionId;
  const client = await start(version, { args: ["--session-id", uuid, "-n", "lead"] });
  const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
  const send = (text: string) => deliver(hive, client.paneId, text);
  // A message is in the transcript before the client says that it works: only a refusal may be tried again.
  const sendWhenIdle = (text: string) =>
    until("an idle client", async () => {
      const delivery = await send(text);
      return delivery.outcome === "refused" ? null : delivery;
    });
  return { api, client, uuid, send, sendWhenIdle };
}

/** What people said, in the order it was taken. */
function saidTo(client: RealClient, uuid: SessionId): unknown[] {
  return client
    .transcript(uuid)
    .filter(({ type, isMeta }) => type === "user" && isMeta !== true)
    .map((record) => (record.message as { content: unknown }).content)
    .map((content) => (Array.isArray(content) ? (content[0] as { text: string }).text : content));
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("[DY3] takes lines as one message, a long paste whole, and each once (incident 47)", async () => {
    const { api, client, uuid, sendWhenIdle } = await idleClient(version);
    api.when(/./, { text: "well" });
    const long = Array.from({ length: 60 }, (_, line) => `line ${line} of a longer message`).join("\n");
    const texts = [
      "one\ntwo\n\nthree",
      long,
      "please read @package.json",
      "say it, with a path at its end: src/",
    ];
    for (const [at, text] of texts.entries()) {
      expect(await sendWhenIdle(text)).toMatchObject({ outcome: "accepted" });
      await until(`message ${at}`, () => saidTo(client, uuid).length > at);
    }
    expect(saidTo(client, uuid)).toEqual(texts);
    const turns = () => api.requests.filter(({ isTurn }) => isTurn);
    // A message is on disk before the client asks the model.
    await until("every turn", () => turns().length >= texts.length);
    expect(turns()).toHaveLength(texts.length);
  });

  it("[DY3] runs /rename before its first word and after it", async () => {
    const { api, client, uuid, sendWhenIdle } = await idleClient(version);
    api.when(/./, { text: "well" });
    expect(await sendWhenIdle("/rename chief")).toMatchObject({ outcome: "accepted" });
    await until("its name", () => client.registryFile()?.name === "chief");
    expect(await sendWhenIdle("hello")).toMatchObject({ outcome: "accepted" });
    await until("the message", () => saidTo(client, uuid).includes("hello"));
    await until("the turn", () => api.requests.some(({ isTurn }) => isTurn));
    expect(await sendWhenIdle("/rename boss")).toMatchObject({ outcome: "accepted" });
    await until("its name", () => client.registryFile()?.name === "boss");
    expect(api.requests.filter(({ isTurn }) => isTurn)).toHaveLength(1);
  });

  it("[DY1] is left alone while it works or holds a draft (incident 46)", async () => {
    const { api, client, send } = await idleClient(version);
    client.type("my words");
    await client.waitForScreen(/my words/);
    expect(await send("a zebra")).toMatchObject({ outcome: "refused", why: expect.stringMatching(/draft/) });
    api.next({ text: "done", held: true });
    client.keys("Enter");
    await client.waitForStatus("busy");
    expect(await send("a zebra")).toMatchObject({ outcome: "refused", why: "its agent is busy" });
    await api.release();
    await client.waitForStatus("idle");
    expect(client.screen().join("\n")).not.toContain("zebra");
  });
});
