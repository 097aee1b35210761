// `send --wait` on the real client: the words of the turn, and the turns that have no answer.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { atTerminal } from "../at-terminal.js";
import { hurriedProgram } from "../commands/build.js";
import { until } from "../home.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { testWorld } from "./world.js";

async function lead(version: ClientVersion) {
  const { home, api, start } = await testWorld();
  const uuid = randomUUID() as string as SessionId;
  const args = ["--session-id", uuid, "-n", "lead", "--permission-mode", "default"];
  const client = await start(version, { args });
  await client.settled();
  // A turn that never gets an answer is waited for.
  const hurried = { HIVEMIND_TEST_LIMITS: JSON.stringify({ settleMs: 4_000 }) };
  const env = { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores"), ...hurried };
  /** Beside this process, which has to answer as the API meanwhile. */
  const hivemind = async (...words: string[]) => {
    const child = spawn(...atTerminal([process.execPath, hurriedProgram, ...words]), { env, cwd: home.work });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].on("data", (chunk) => {
        said[stream] += chunk;
      });
    const [code] = await once(child, "close");
    return { code, ...said };
  };
  const ask = (text: string) => hivemind("send", client.paneId, "--wait", "--timeout", "90", text);
  return { home, api, client, uuid, hivemind, ask };
}

describe.each(clientVersions)("the answer of the real client %s", (version) => {
  it("is what it said in the turn, before and behind its tools, and no other turn's words", async () => {
    const { home, api, ask } = await lead(version);
    api.next({ tool: "Read", input: { file_path: `${home.work}/nofile` } }, { text: "two\n\n\twords" });
    expect(await ask("with a tool")).toMatchObject({ code: 0, stdout: "two\n\n\twords\n" });
    api.next({ text: "another" });
    expect(await ask("without one")).toMatchObject({ code: 0, stdout: "another\n" });
  });

  it("is missing if the turn failed, and hivemind says so", async () => {
    const { api, ask } = await lead(version);
    api.when(/./, { error: 400, message: "a bad thing" });
    expect(await ask("fails")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/its turn failed: API Error: 400 .*a bad thing/),
    });
  });

  it("is missing if a person rejected its tool, and hivemind says so", async () => {
    const { api, client, hivemind, ask } = await lead(version);
    api.next({ tool: "Bash", input: { command: "touch x", description: "Make it" } });
    const asked = ask("asks");
    await client.waitForStatus("waiting");
    await client.waitForScreen(/❯ 1\. Yes/);
    expect(await hivemind("reject", client.paneId)).toMatchObject({ code: 0 });
    expect(await asked).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("its turn was interrupted"),
    });
  });

  it("is missing if a person took the message back before an answer, and hivemind says so", async () => {
    const { api, client, uuid, ask } = await lead(version);
    api.next({ text: "never", held: true });
    const asked = ask("taken back");
    await until("its record", () => client.transcript(uuid).some(({ type }) => type === "user"));
    await until("the request", () => api.requests.some(({ lastText }) => lastText.includes("taken back")));
    client.keys("Escape");
    expect(await asked).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("the turn was interrupted"),
    });
  });
});
