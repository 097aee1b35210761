// Requests of the real client, answered through its hook: without a key, proved by its transcript.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handlers, launchSettings } from "../../src/agents/claude/hooks/handler.js";
import { shellWord } from "../../src/base/text/shell-word.js";
import type { Attention } from "../../src/hive/attention.js";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, mainProgram } from "../command.js";
import { type TestHome, until } from "../home.js";
import { startWatching } from "../watch/watching.js";
import { ask } from "./dialog-plays.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { sharedStage } from "./shared.js";
import type { ClientWorld } from "./world.js";

type Item = Extract<Attention, { kind: "request" }>;

/** The stores lie outside the home, the canary for what clients write. */
const storesOf = ({ root }: TestHome) => ({ HIVEMIND_CONFIG_DIR: join(root, "stores") });

async function stage(world: ClientWorld, version: ClientVersion) {
  const { home, api, start } = world;
  const env = { ...home.env, ...storesOf(home) };
  const stores = openStores(env);
  stores.hookReports.placeHandlers(handlers);
  const settings = JSON.stringify(launchSettings(stores.hookReports.folder));
  const args = ["--permission-mode", "default", "--settings", settings, "-n", "lead"];
  const client = await start(version, { args });
  const run = (...words: string[]) => hivemind(home, words, { env: storesOf(home) });
  run("registry", "set", client.paneId, "lead");
  const requests = (): Item[] => {
    const { stdout } = run("inbox", "--json");
    return (JSON.parse(stdout).items as Attention[]).filter((item): item is Item => item.kind === "request");
  };
  const records = () => client.transcript(client.registryFile()!.sessionId!);
  /** The decisions that hooks took, as the conversation has them. */
  const decisions = () =>
    records().flatMap(({ attachment }) => {
      const { type, decision } = (attachment ?? {}) as Record<string, unknown>;
      return type === "hook_permission_decision" ? [decision] : [];
    });
  const asks = async (tool: string, input: object) => {
    await client.waitForStatus("idle");
    api.forget();
    api.next({ tool, input: input as Record<string, unknown> }, { text: "all done" });
    await client.submit(`please use ${tool}`);
    return until("its request", () => requests()[0]);
  };
  return { ...world, stores, client, run, requests, decisions, asks, records };
}

describe.each(clientVersions)("the requests of %s", (version) => {
  const staged = sharedStage((world) => stage(world, version));
  const bash = (command: string) => ({ command, description: "Make it" });

  it("are shown with the real command, and approved or rejected without a key", async () => {
    const { home, client, run, asks, decisions, requests, records } = await staged();
    const before = decisions().length;
    const { request } = await asks("Bash", bash("touch approved && true"));
    expect(request).toMatchObject({ tool: "Bash", lines: ["touch approved && true", "# Make it"] });
    expect(run("status").stdout).toContain("waiting: Bash: touch approved && true");
    expect(run("approve", "lead")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForScreen(/Allowed by PermissionRequest hook/);
    await client.waitForStatus("idle");
    expect(existsSync(join(home.work, "approved"))).toBe(true);
    expect(requests()).toEqual([]);

    const second = await asks("Bash", bash("touch rejected"));
    expect(run("reject", second.request.id, "use", "another", "name")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForStatus("idle");
    expect(existsSync(join(home.work, "rejected"))).toBe(false);
    expect(JSON.stringify(records())).toContain("use another name");
    expect(decisions().slice(before)).toEqual(["allow", "deny"]);
    expect(run("approve", second.request.id)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/gone/),
    });
  });

  it("show an edit as a difference", async () => {
    const { home, client, api, run, asks } = await staged();
    const file = join(home.work, "colours.txt");
    writeFileSync(file, "red\ngreen\nblue\n");
    api.forget();
    api.next({ tool: "Read", input: { file_path: file } }, { text: "seen" });
    await client.submit("read it");
    await client.waitForScreen(/seen/);
    const edit = { file_path: file, old_string: "red\ngreen", new_string: "red\nyellow" };
    const { request } = await asks("Edit", edit);
    expect(request.lines).toEqual([file, " red", "-green", "+yellow"]);
    expect(run("approve", "lead")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForStatus("idle");
    expect(readFileSync(file, "utf8")).toBe("red\nyellow\nblue\n");
  });

  it("are approved for good with the rule that is printed first", async () => {
    const { home, client, run, asks, requests } = await staged();
    const { request } = await asks("WebFetch", { url: "http://127.0.0.1:9/x", prompt: "what" });
    expect(request.rules).toHaveLength(1);
    expect(run("approve", "lead", "--always")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^adds a rule: allow WebFetch\(domain:127\.0\.0\.1\) in \.claude/),
    });
    await client.waitForStatus("idle");
    const local = join(home.work, ".claude", "settings.local.json");
    expect(readFileSync(local, "utf8")).toContain("WebFetch(domain:127.0.0.1)");
    expect(requests()).toEqual([]);
  });

  it("that are questions are answered by number and in words", async () => {
    const { client, run, asks, records } = await staged();
    const questions = [ask("Which colour?", "Colour"), ask("Which other?", "Other")];
    const { request } = await asks("AskUserQuestion", { questions });
    expect(request.questions.map(({ options }) => options)).toEqual([
      ["Red", "Blue"],
      ["Red", "Blue"],
    ]);
    expect(run("approve", "lead")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/asks a question/),
    });
    expect(run("answer", "lead", "2", "a pale green")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForStatus("idle");
    const told = JSON.stringify(records());
    expect(told).toContain('\\"Which colour?\\"=\\"Blue\\"');
    expect(told).toContain('\\"Which other?\\"=\\"a pale green\\"');
  });

  it("are not the agent's own to decide", async () => {
    const { home, client, run, asks, records } = await staged();
    const self = [process.execPath, mainProgram, "approve", client.paneId].map(shellWord).join(" ");
    const ways = [self, `env -i PATH="$PATH" HOME="$HOME" ${self}`, `setsid -w ${self}`];
    const config = `export HIVEMIND_CONFIG_DIR=${storesOf(home).HIVEMIND_CONFIG_DIR}`;
    const { request } = await asks("Bash", bash([config, ...ways.map((way) => `${way} 2>&1`)].join("; ")));
    expect(run("approve", request.id)).toMatchObject({ code: 0 });
    await client.waitForStatus("idle");
    const refusals = JSON.stringify(records()).match(/only a person may decide this/g) ?? [];
    expect(refusals.length).toBeGreaterThanOrEqual(ways.length);
  });

  it("are the person's at the terminal, who can answer first", async () => {
    const { client, run, asks, requests, decisions } = await staged();
    const before = decisions().length;
    const { request } = await asks("Bash", bash("touch by-key"));
    await client.settled();
    client.keys("1");
    await client.waitForStatus("idle");
    expect(requests()).toEqual([]);
    expect(run("approve", request.id)).toMatchObject({ code: 1, stderr: expect.stringMatching(/gone/) });
    expect(decisions()).toHaveLength(before);
  });

  it("are the dialog's if hivemind's hook is killed while it waits", async () => {
    const { client, run, asks, stores, decisions } = await staged();
    const before = decisions().length;
    const { request } = await asks("Bash", bash("touch without-hook"));
    process.kill(stores.requests.read().at(-1)!.hook, "SIGKILL");
    await until("its end", () => JSON.parse(run("inbox", "--json").stdout).items[0]?.kind === "dialog");
    expect(run("approve", request.id)).toMatchObject({ code: 1, stderr: expect.stringMatching(/gone/) });
    await client.settled();
    expect(run("approve", "lead")).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\. Yes/) });
    await client.waitForStatus("idle");
    expect(decisions()).toHaveLength(before);
  });

  it("of tools that run in parallel are open together, also of the same tool twice", async () => {
    const { client, api, run, requests, decisions } = await staged();
    const before = decisions().length;
    await client.waitForStatus("idle");
    api.forget();
    const fetch = (page: string) => ({
      tool: "WebFetch",
      input: { url: `http://localhost:9/${page}`, prompt: "what" },
    });
    api.next({ tools: [fetch("one"), fetch("twice"), fetch("twice")] }, { text: "all done" });
    await client.submit("please fetch all three");
    const open = await until("all three", () => (requests().length === 3 ? requests() : null));
    expect(run("approve", "lead")).toMatchObject({ code: 1, stderr: expect.stringMatching(/asks 3 things/) });
    const twice = open.filter(({ request }) => request.line.endsWith("twice"));
    for (const { request } of twice)
      expect(run("approve", request.id)).toMatchObject({ code: 0, stderr: "" });
    // The last one is answered in its dialog.
    await until("the other one", () => requests().length === 1);
    await client.settled();
    client.keys("1");
    await client.waitForStatus("idle");
    expect(decisions().slice(before)).toEqual(["allow", "allow"]);
    expect(requests()).toEqual([]);
  });

  it("of two sub-agents at once are two, and each is answered by its id", async () => {
    const { home, client, api, run, requests } = await staged();
    const watching = await startWatching(home, [], { env: storesOf(home) });
    api.when(/sub one\s*$/, { tool: "Bash", input: bash("touch of-one") });
    api.when(/sub two\s*$/, { tool: "Bash", input: bash("touch of-two") });
    api.forget();
    const agent = (name: string) => ({
      tool: "Agent",
      input: { description: name, prompt: `sub ${name}`, subagent_type: "general-purpose" },
    });
    api.next({ tools: [agent("one"), agent("two")] });
    await client.waitForStatus("idle");
    await client.submit("two helpers please");
    const open = await until("both requests", () => (requests().length === 2 ? requests() : null));
    expect(open.map(({ request }) => request.line).toSorted()).toEqual(["touch of-one", "touch of-two"]);
    expect(open.every(({ request }) => request.subAgent !== null)).toBe(true);
    expect(run("approve", "lead")).toMatchObject({ code: 1, stderr: expect.stringMatching(/asks 2 things/) });
    for (const { request } of open)
      expect(run(request.line.endsWith("one") ? "approve" : "reject", request.id)).toMatchObject({
        code: 0,
        stderr: "",
      });
    await until("the first file", () => existsSync(join(home.work, "of-one")));
    await client.waitForStatus("idle");
    expect(existsSync(join(home.work, "of-two"))).toBe(false);
    await watching.ends("SIGTERM");
  });

  it("of a sub-agent open their dialog when no worker holds them", async () => {
    const { client, api, run } = await staged();
    api.when(/sub three\s*$/, { tool: "Bash", input: bash("touch of-three") });
    api.forget();
    const input = { description: "three", prompt: "sub three", subagent_type: "general-purpose" };
    api.next({ tool: "Agent", input });
    await client.waitForStatus("idle");
    await client.submit("a helper please");
    await client.waitForScreen(/touch of-three/);
    await client.waitForScreen(/Do you want to proceed/);
    await client.settled();
    expect(run("approve", "lead")).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\. Yes/) });
    await client.waitForStatus("idle");
  });
});
