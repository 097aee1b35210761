// The harness itself, and the reading of the input box, judged by the real client of every pinned version.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readBox } from "../../src/agents/claude/screen/input-box.js";
import { until } from "../home.js";
import { isWorking } from "../working.js";
import { type ClientVersion, clientVersions, installClient } from "./install.js";
import { sharedStage } from "./shared.js";
import { testWorld } from "./world.js";

describe.each(clientVersions)("the real client %s", (version) => {
  it("answers, and its registry file names the transcript that holds the answer", async () => {
    const { api, start } = await testWorld();
    api.when(/how are you/, {
      text: "well, thank you",
      usage: { input_tokens: 1234, cache_read_input_tokens: 5 },
    });
    const client = await start(version, { args: ["-n", "lead"] });
    await client.submit("how are you");
    await client.waitForScreen(/well, thank you/);
    const { sessionId, pid } = await client.waitForStatus("idle");
    expect(pid).toBe(client.pid);
    // The status turns idle a moment before the transcript is written.
    const answer = await until("the answer in the transcript", () =>
      client.transcript(sessionId!).find(({ type }) => type === "assistant"),
    );
    expect(answer).toMatchObject({ message: { usage: { input_tokens: 1234, cache_read_input_tokens: 5 } } });
    await client.end();
    expect(client.registryFile()).toBeNull();
  });

  it("is busy for as long as the answer is held, and says so", async () => {
    const { api, start } = await testWorld();
    api.next({ text: "done at last", held: true });
    const client = await start(version);
    await client.submit("how are you");
    await client.waitForStatus("busy");
    await until("a busy screen", () => isWorking(client.screenWithColours()));
    await api.release();
    await client.waitForScreen(/done at last/);
    await client.waitForStatus("idle");
    await until("an idle screen", () => !isWorking(client.screenWithColours()));
  });

  it("asks before it runs a tool, and continues after a yes", async () => {
    const { api, start } = await testWorld();
    api.next(
      { tool: "Bash", input: { command: "touch made", description: "Make it" } },
      { text: "it is made" },
    );
    const client = await start(version, { args: ["--permission-mode", "default"] });
    await client.submit("make it");
    expect(await client.waitForStatus("waiting")).toMatchObject({ waitingFor: "permission prompt" });
    const dialog = await until("a dialog", () => {
      const box = readBox(client.screenWithColours());
      return box.kind === "dialog" ? box : null;
    });
    expect(dialog.question).toBe("Do you want to proceed?");
    // 2.1.325 swallows a key that comes within a moment of the dialog.
    await client.settled();
    client.keys("1");
    await client.waitForScreen(/it is made/);
    expect(api.requests.filter(({ isTurn }) => isTurn)).toHaveLength(2);
  });

  const clientOf = sharedStage(async (world) => ({ ...world, client: await world.start(version) }));

  it.each([429, 500, 529] as const)("shows the error %i of the API and is idle again", async (error) => {
    const { api, client } = await clientOf();
    api.next({ error, message: "too many of us" });
    await client.submit("how are you");
    await client.waitForScreen(/API Error|too many of us|overloaded/i);
    await client.waitForStatus("idle");
  });

  it("has a box that is read as empty, as a draft, and as empty again (incident 46)", async () => {
    const { start } = await testWorld();
    const client = await start(version, { width: 27, height: 24 });
    const box = () => readBox(client.screenWithColours());
    await until("an empty box", () => box().kind === "empty");
    client.type("a line of a person");
    await until("the draft", () => {
      const seen = box();
      return seen.kind === "draft" && seen.text === "a line of a person";
    });
    expect(client.registryFile()).toMatchObject({ status: "idle" });
    client.keys("C-u");
    await until("an empty box", () => box().kind === "empty");
  });
});

it("a version that npm does not have is an error, and nothing of it stays in the cache", async () => {
  const cache = mkdtempSync(join(tmpdir(), "hm-cache-"));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  vi.stubEnv("HIVEMIND_CLIENT_CACHE", cache);
  await expect(installClient("0.0.0-none" as ClientVersion)).rejects.toThrow("npm could not install");
  expect(readdirSync(join(cache, "client"))).toEqual([]);
});
