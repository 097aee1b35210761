// What a killed sender left in the box of a real client, and a real client that a person started from a shell.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { drain } from "../../src/messages/drain.js";
import { shapeFor } from "../../src/messages/fit.js";
import { formatMark, markTranscript } from "../../src/messages/proof.js";
import { enqueue, send } from "../../src/messages/send.js";
import type { PaneId, SessionId } from "../../src/names/gates.js";
import { receipt } from "../../src/stores/receipts.js";
import { words } from "../fleet/ways.js";
import { paneVariables, until } from "../home.js";
import { agentIn } from "../messages/known.js";
import { clientEnv, type RealClient, skipFirstRun } from "./client.js";
import { clientVersions, installClient } from "./install.js";
import { newId } from "./sees.js";
import { testWorld } from "./world.js";

const small = { width: 60, height: 20 };
const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\n");
const texts: readonly string[] = [
  "run it",
  "exit",
  "read @package.json",
  "\u202eabc\u202c 👨‍👩‍👧‍👦 👩🏽‍💻 e\u0301 soft\u00adhyphen العَرَبِيَّة",
  "word ".repeat(100).trim(),
  lines,
];

async function startSmall(version: (typeof clientVersions)[number]) {
  const { home, api, start } = await testWorld();
  api.when(/./, { text: "well" });
  const uuid = newId() as SessionId;
  const client = await start(version, { args: ["--session-id", uuid, "-n", "lead"], ...small });
  await client.settled();
  const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
  const turns = () => api.requests.filter(({ isTurn }) => isTurn).length;
  return { client, uuid, hive, turns };
}

/** As a sender leaves it that is killed between its paste and its Enter; the text as it was pasted. */
async function leaveBehind(hive: Hive, client: RealClient, text: string): Promise<string> {
  await client.waitForStatus("idle");
  const seen = await hive.panes();
  const pane = seen.panes.find(({ id }) => id === client.paneId)!;
  const shaped = shapeFor(pane, text);
  if ("refused" in shaped) throw new Error(shaped.refused);
  const id = await enqueue(hive, await agentIn(hive, client.paneId), "inform", text);
  const mark = markTranscript(
    { kind: pane.kind, folder: pane.folder!, session: pane.live!.sessionId },
    "keys",
    shaped,
  );
  await hive.stores.receipts.append([receipt(id, null, "typing", formatMark(mark))]);
  client.paste(shaped.text);
  await client.settled();
  return shaped.text;
}

function saidTo(client: RealClient, id: SessionId): string[] {
  return client
    .transcript(id)
    .filter(({ type, isMeta }) => type === "user" && isMeta !== true)
    .map((record) =>
      String((record.message as { content: unknown }).content)
        .trim()
        .normalize("NFC"),
    );
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("[LS1] takes what a killed sender left in its box, once", async () => {
    const { client, uuid, hive, turns } = await startSmall(version);
    const left: string[] = [];
    for (const text of texts) {
      left.push(await leaveBehind(hive, client, text));
      const drained = await drain(hive, (await agentIn(hive, client.paneId)).id, { settleMs: 5_000 });
      expect([text, drained]).toMatchObject([text, { fates: [{ step: "accepted" }], stopped: null }]);
      // Before its turn begins the client is still called idle.
      await until("its turn", () => turns() === left.length);
    }
    await until("all of them", () => saidTo(client, uuid).length >= texts.length);
    expect(saidTo(client, uuid)).toEqual(left.map((text) => text.trim().normalize("NFC")));
  });

  it("[LS2] keeps a draft in which a person's words stand with ours", async () => {
    const { client, uuid, hive } = await startSmall(version);
    await leaveBehind(hive, client, "run it");
    client.type(" and mine");
    await client.waitForScreen(/run it and mine/);
    expect(await drain(hive, (await agentIn(hive, client.paneId)).id, { settleMs: 2_000 })).toMatchObject({
      fates: [{ step: "uncertain", detail: expect.stringMatching(/mixed with other words/) }],
    });
    expect(client.screen().join("\n")).toContain("run it and mine");
    expect(await send(hive, client.paneId, "later")).toMatchObject({ outcome: "held" });
    expect(saidTo(client, uuid)).toEqual([]);
  });

  it("started from a shell takes one line; several wait, and the shell never runs them", async () => {
    const { home, api } = await testWorld();
    api.when(/./, { text: "well" });
    skipFirstRun(home.claude, home.work, true);
    const env = paneVariables(clientEnv(home, api));
    home.tmux("new-session", "-d", "-s", "one", "-x", "100", "-y", "30", "-c", home.work, ...env, "sh");
    home.tmux("send-keys", "-t", "=one:", words([await installClient(version)]), "Enter");
    const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
    const pane = await until(
      "an idle client",
      async () => (await hive.panes()).panes.find(({ live }) => live?.activity === "idle"),
      30_000,
    );
    const made = join(home.work, "made");
    const tell = (text: string) => send(hive, pane.id as PaneId, text);
    await until("its box", async () => (await tell("hello")).outcome === "delivered");
    await until(
      "an idle client",
      async () => (await hive.panes()).panes[0]?.live?.activity === "idle",
      30_000,
    );
    const several = await tell(`touch ${made}\ntouch ${made}\n.`);
    expect(several).toMatchObject({ outcome: "queued", why: expect.stringMatching(/from a shell/) });
    process.kill(pane.process!.pid, "SIGKILL");
    await until("its end", async () => (await hive.panes()).panes[0]?.process === null);
    await drain(hive, hive.stores.queues.agents()[0]!);
    expect(existsSync(made)).toBe(false);
  });
});
