// Texts that the real client would obey, complete, hide or rewrite: each arrives as the words it is, or is refused.

import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { awaitAnswer } from "../../src/messages/answered.js";
import { drain } from "../../src/messages/drain.js";
import { send } from "../../src/messages/send.js";
import type { SessionId } from "../../src/names/gates.js";
import { until } from "../home.js";
import type { ClientOptions, RealClient } from "./client.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

const patience = { timeoutMs: 60_000, interrupted: new AbortController().signal };

async function idleClient(version: (typeof clientVersions)[number], options: ClientOptions = {}) {
  const { home, api, start } = await testWorld();
  mkdirSync(join(home.work, "src"));
  writeFileSync(join(home.work, "src", "index.ts"), "x");
  writeFileSync(join(home.work, "package.json"), "{}");
  writeFileSync(join(home.work, "a.png"), Buffer.from(onePixel, "base64"));
  api.when(/./, { text: "well" });
  const uuid = randomUUID() as string as SessionId;
  const client = await start(version, { args: ["--session-id", uuid, "-n", "lead"], ...options });
  await client.settled();
  const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
  const tell = async (text: string) => {
    await client.waitForStatus("idle");
    const sent = await send(hive, client.paneId, text);
    if (sent.outcome === "delivered") await awaitAnswer(hive, sent.id!, patience);
    return sent;
  };
  const session = () => client.registryFile()?.sessionId;
  return { home, api, client, uuid, hive, tell, session };
}

const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What people said, as the transcript has it. */
function saidTo(client: RealClient, id: SessionId): unknown[] {
  return client
    .transcript(id)
    .filter(({ type, isMeta }) => type === "user" && isMeta !== true)
    .map((record) => (record.message as { content: unknown }).content);
}

const long = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");

/** What is sent, and what the agent reads where that is something else. */
const prose: readonly (readonly [string, string?])[] = [
  ["exit", "> exit"],
  [" :wq! ", "> :wq!"],
  ["qu\u200bit", "> quit"],
  ["/clear\nand more", "> /clear\nand more"],
  [" /clear", "> /clear"],
  ["/", "> /"],
  ["/9 lives", "> /9 lives"],
  ["!", "> !"],
  ["!echo a\necho b", "> !echo a\necho b"],
  ["/etc/passwd is odd"],
  ["# remember this"],
  ["& run it"],
  ["?"],
  ["please read @package.json"],
  ["first\nread @pack"],
  ['read @"pack'],
  ["ask @agent"],
  ["say it :smi"],
  ["please do /cle"],
  ["see C:\\"],
  ["ls\u2028ps\u2029end", "ls\nps\nend"],
  ["a tab\there", "a tab    here"],
  ["a\u200bb \u202eabc\u202c soft\u00adhyphen \u200fmark", "ab abc softhyphen mark"],
  ["👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 🇩🇪 1️⃣ ❤️ ☺︎ end", "👨‍👩‍👧‍👦 👩‍💻 🏳️‍🌈 🇩🇪 1️⃣ ❤️ ☺︎ end"],
  ["parts e\u0301 \u1112\u1161\u11ab", "parts é 한"],
  ["العَرَبِيَّة مُحَرَّكَة שָׁלוֹם ภาษาไทยก้ำ می‌خواهم"],
  ["no\u00a0break\u3000wide"],
  [long],
  [long],
  ["[Pasted text #1 +19 lines]"],
];

describe.each(clientVersions)("the real client %s", (version) => {
  it("reads as words what it would obey, complete, hide or rewrite", async () => {
    const { home, api, client, uuid, tell, session } = await idleClient(version);
    const picture = join(home.work, "a.png");
    const pictures: typeof prose = [
      [picture, `${picture}.`],
      [`look:\n${picture}`, `look:\n${picture}.`],
      [`compare ${picture} ${picture} please`, `compare ${picture}, ${picture} please`],
    ];
    const texts = [...prose, ...pictures];
    for (const [text] of texts)
      expect([text, await tell(text)]).toMatchObject([text, { outcome: "delivered" }]);
    expect(session()).toBe(uuid);
    await until("every message on disk", () => saidTo(client, uuid).length >= texts.length);
    expect(saidTo(client, uuid)).toEqual(texts.map(([text, read]) => read ?? text));
    expect(api.requests.filter(({ isTurn }) => isTurn)).toHaveLength(texts.length);
  }, 400_000);

  it("runs a command that it knows, and nothing in the place of one that it does not know", async () => {
    const { client, tell, session, uuid } = await idleClient(version);
    for (const text of ["/cle", "/clera", "/CLEAR", "/nosuch", "/cle x"])
      expect([text, await tell(text)]).toMatchObject([
        text,
        { outcome: "refused", why: `its client has no command ${text.split(" ")[0]}` },
      ]);
    expect(await tell("still here")).toMatchObject({ outcome: "delivered" });
    expect(session()).toBe(uuid);
    await until("the message on disk", () => saidTo(client, uuid).length > 0);
    expect(saidTo(client, uuid)).toEqual(["still here"]);
    expect(await tell("!echo one two")).toMatchObject({ outcome: "delivered" });
    // The client suggests the rest of the line that it ran before.
    expect(await tell("!echo one")).toMatchObject({ outcome: "delivered" });
    expect(await tell("!ls src/")).toMatchObject({ outcome: "delivered" });
    const ran = () => saidTo(client, uuid).filter((said) => String(said).startsWith("<bash-input>"));
    // The client writes a shell line into its transcript after it has emptied the box.
    await until("three shell lines", () => ran().length >= 3);
    expect(ran()).toEqual(
      ["echo one two", "echo one", "ls src/"].map((line) => `<bash-input>${line}</bash-input>`),
    );
    expect(await tell("/rename boss")).toMatchObject({ outcome: "delivered" });
    await until("its name", () => client.registryFile()?.name === "boss");
    expect(await tell("/reset")).toMatchObject({ outcome: "delivered" });
    await until("another session", () => session() !== uuid);
  }, 200_000);

  it("[DY3] takes words and commands in vim's NORMAL mode, and nothing in its VISUAL mode", async () => {
    const { client, uuid, hive, tell } = await idleClient(version, { settings: { editorMode: "vim" } });
    client.keys("Escape");
    expect(await tell("dd it ciw")).toMatchObject({ outcome: "delivered" });
    expect(await tell("/rename boss")).toMatchObject({ outcome: "delivered" });
    await until("its name", () => client.registryFile()?.name === "boss");
    await client.settled();
    client.keys("v");
    await client.waitForScreen(/-- VISUAL --/);
    expect(await tell("hello")).toMatchObject({ outcome: "queued", why: expect.stringMatching(/VISUAL/) });
    client.keys("Escape");
    const [agent] = hive.stores.queues.agents();
    await until("an empty queue", async () => (await drain(hive, agent!)).stopped === null, 60_000);
    await until("both", () => saidTo(client, uuid).includes("hello"));
    const words = saidTo(client, uuid).filter((said) => !String(said).startsWith("<"));
    expect(words).toEqual(["dd it ciw", "hello"]);
  }, 100_000);
});
