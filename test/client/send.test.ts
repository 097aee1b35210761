// Messages, queues and answers on the real client of every pinned version.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { awaitAnswer } from "../../src/messages/answered.js";
import { answer } from "../../src/messages/dialog/answer.js";
import { drain } from "../../src/messages/drain.js";
import { send } from "../../src/messages/send.js";
import type { SessionId } from "../../src/names/gates.js";
import { mainProgram } from "../command.js";
import { letters, startAgent } from "../demo-agent/driver.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

const patience = { timeoutMs: 60_000, interrupted: new AbortController().signal };

async function idleClient(version: (typeof clientVersions)[number]) {
  const { home, api, start } = await testWorld();
  const uuid = randomUUID() as string as SessionId;
  const client = await start(version, {
    args: ["--session-id", uuid, "-n", "lead", "--permission-mode", "default"],
  });
  await client.settled();
  const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
  const turns = () => api.requests.filter(({ isTurn }) => isTurn).length;
  return { home, api, client, uuid, hive, turns, tell: (text: string) => send(hive, client.paneId, text) };
}

/** What people said, in the order it was taken. */
function saidTo(client: RealClient, uuid: SessionId): string[] {
  return client
    .transcript(uuid)
    .filter(({ type, isMeta }) => type === "user" && isMeta !== true)
    .map((record) => (record.message as { content: unknown }).content)
    .flatMap((content) =>
      Array.isArray(content)
        ? (content as { text?: string }[]).map(({ text }) => text ?? "")
        : String(content),
    )
    .filter((text) => text !== "" && !text.startsWith("[Request interrupted"));
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("takes each message once, of one line, of many, of 100 kB, and is seen to answer (incident 38)", async () => {
    const { api, client, uuid, hive, turns, tell } = await idleClient(version);
    api.when(/./, { text: "well" });
    const long = Array.from({ length: 2_000 }, (_, line) => `line ${line} ${"é".repeat(20)}`).join("\n");
    const texts = ["hello", "one\ntwo\n\nthree", long, "/etc/passwd is odd", "-rf is odd", "#1 is odd"];
    for (const text of texts) {
      const sent = await tell(text);
      expect([text.slice(0, 20), sent]).toMatchObject([
        text.slice(0, 20),
        { outcome: "delivered", position: null },
      ]);
      expect(await awaitAnswer(hive, sent.id!, patience)).toEqual({ outcome: "answered" });
    }
    expect(saidTo(client, uuid).map((text) => text.slice(0, 40))).toEqual(
      texts.map((text) => text.slice(0, 40)),
    );
    expect(saidTo(client, uuid)).toContain(long);
    expect(turns()).toBe(texts.length);
  });

  it("gets no message while it works, and each one once and in order when it is idle again (incident 40)", async () => {
    const { api, client, uuid, hive, tell } = await idleClient(version);
    api.when(/./, { text: "well" });
    api.next({ text: "done", held: true });
    expect(await tell("take your time")).toMatchObject({ outcome: "delivered" });
    await client.waitForStatus("busy");
    expect(await tell("first")).toMatchObject({ outcome: "queued", position: 1 });
    expect(await tell("second")).toMatchObject({ outcome: "queued", position: 2 });
    expect(client.screen().join("\n")).not.toContain("first");
    await api.release();
    const [agent] = hive.stores.queues.agents();
    await until("an empty queue", async () => (await drain(hive, agent!)).stopped === null, 60_000);
    await until("three messages", () => saidTo(client, uuid).length >= 3);
    expect(saidTo(client, uuid)).toEqual(["take your time", "first", "second"]);
  });

  it("[MT3] keeps a person's draft of two lines, and gets what was held once it is gone (incident 46)", async () => {
    const { client, uuid, hive, tell } = await idleClient(version);
    client.paste("my first line\nmy second");
    await client.waitForScreen(/my second/);
    expect(await tell("a zebra")).toMatchObject({ outcome: "held", position: 1 });
    expect(client.screen().join("\n")).toMatch(/my first line\n.*my second/);
    expect(client.screen().join("\n")).not.toContain("zebra");
    client.keys("C-u");
    client.keys("C-u");
    client.keys("C-u");
    const [agent] = hive.stores.queues.agents();
    await until("an empty queue", async () => (await drain(hive, agent!)).stopped === null, 60_000);
    await until("the message", () => saidTo(client, uuid).length > 0);
    expect(saidTo(client, uuid)).toEqual(["a zebra"]);
  });

  it("asks for permission: a message is refused, approve runs the tool, reject does not (incident 39)", async () => {
    const { home, api, client, uuid, hive, tell } = await idleClient(version);
    const asks = (file: string) => ({
      tool: "Bash",
      input: { command: `touch ${file}`, description: "Make it" },
    });
    for (const [choice, file] of [
      ["approve", "yes"],
      ["reject", "no"],
    ] as const) {
      api.next(asks(file), { text: "made" });
      expect(await tell(`make ${file}`)).toMatchObject({ outcome: "delivered" });
      await client.waitForStatus("waiting");
      await client.waitForScreen(/❯ 1\. Yes/);
      expect(await tell("a zebra")).toMatchObject({ outcome: "refused", isAsked: true });
      const { label } = await answer(hive, client.paneId, choice);
      expect(label).toMatch(choice === "approve" ? /^1\. Yes/ : /No/);
      await client.waitForStatus("idle");
      api.forget();
    }
    expect(existsSync(join(home.work, "yes"))).toBe(true);
    expect(existsSync(join(home.work, "no"))).toBe(false);
    expect(saidTo(client, uuid)).toEqual(["make yes", "make no"]);
    await expect(answer(hive, client.paneId, "approve")).rejects.toThrow(/asks nothing/);
  });

  it("runs a line behind ! as its own command, once", async () => {
    const { home, client, turns, tell } = await idleClient(version);
    expect(await tell("!touch made")).toMatchObject({ outcome: "delivered" });
    await until("the file", () => existsSync(join(home.work, "made")));
    await client.waitForStatus("idle");
    expect(turns()).toBeLessThanOrEqual(1);
  });

  it("tells another agent with its own tool, and who it is stands before it, once (incident 36)", async () => {
    const { home, api, client, hive, tell } = await idleClient(version);
    const other = startAgent(home, ["-n", "dev"]);
    await other.becomes("idle");
    await other.sees("❯\u00a0");
    const env = `HIVEMIND_CONFIG_DIR=${hive.paths.folder}`;
    const command = `${env} ${process.execPath} ${mainProgram} send ${other.pane} hello`;
    api.next({ tool: "Bash", input: { command, description: "Tell it" } }, { text: "told" });
    expect(await tell("tell it")).toMatchObject({ outcome: "delivered" });
    await client.waitForStatus("waiting");
    await client.waitForScreen(/❯ 1\. Yes/);
    await answer(hive, client.paneId, "approve");
    // While the agent rewrites its registry file, nobody can tell which transcript is its own.
    const heard = () => letters(other.transcript()).at(0) ?? null;
    expect(await until("its message", heard, 30_000)).toBe("[@unnamed team:0.0] hello");
  });
});
