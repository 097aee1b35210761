// The questions of the real client: read, named, answered by its cursor, and never closed by a key that ends it.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readBox } from "../../src/agents/claude/screen/input-box.js";
import { openHive } from "../../src/hive/hive.js";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import type { ClientOptions, RealClient } from "./client.js";
import { ask, planned, type StartUp, startUps } from "./dialog-plays.js";
import { type ClientVersion, clientVersions, installClient } from "./install.js";
import { testWorld } from "./world.js";

const asking = ["--permission-mode", "default"];

/** One client, and hivemind's commands about it. The stores lie outside the home, the canary for what clients write. */
async function staged(
  version: ClientVersion,
  { prepare, options }: Omit<StartUp, "options"> & { options: ClientOptions },
) {
  const world = await testWorld();
  const { home } = world;
  prepare?.(world, home.work);
  const client = await world.start(version, options);
  await client.settled();
  const env = { HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
  const run = (verb: string, ...args: string[]) => hivemind(home, [verb, client.paneId, ...args], { env });
  const isDead = () => home.tmux("display-message", "-p", "-t", client.paneId, "#{pane_dead}").trim() === "1";
  return { ...world, client, run, isDead };
}

/** In a conversation, with a tool that asks. */
async function asked(version: ClientVersion, tool: string, input: object, shown: RegExp) {
  const stage = await staged(version, { options: { args: asking } });
  stage.api.next({ tool, input: input as Record<string, unknown> }, { text: "all done" });
  await stage.client.submit("please go on");
  await stage.client.waitForScreen(shown);
  await stage.client.settled();
  return stage;
}

function cursor(client: RealClient): string | undefined {
  const box = readBox(client.screenWithColours());
  return box.kind === "dialog" ? box.options.find(({ isAtCursor }) => isAtCursor)?.label : undefined;
}

describe.each(clientVersions)("the start-up questions of %s", (version) => {
  it.each([
    ["trust", "approve", /Do you trust \/.*\/work\? \d\. Yes, I trust this folder/],
    ["bypass", "approve", /Run without any permission prompt .* 2\. Yes, I accept/],
    ["server", "approve", /Use the MCP server one of this project\? 1\. Use this MCP server/],
    ["server", "reject", /3\. Continue without using this MCP server/],
    ["imports", "approve", /Allow external CLAUDE\.md file imports\? \d\. Yes, allow external imports/],
    ["imports", "reject", /\d\. No, disable external imports/],
    ["key", "approve", /Do you want to use this API key\? 1\. Yes/],
    ["key", "reject", /2\. No \(recommended\)/],
  ] as const)("%s: %s chooses that option, and the conversation begins", async (name, verb, told) => {
    const { client, run } = await staged(version, startUps[name]);
    expect(run(verb)).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(told) });
    await client.waitForStatus("idle");
  });

  it.each(Object.keys(startUps) as (keyof typeof startUps)[])(
    "%s: Escape is refused, the dialog is shown as it stands, and the client lives",
    async (name) => {
      const { client, run, isDead } = await staged(version, startUps[name]);
      const before = client.screen();
      const { code, stderr } = run("dismiss");
      expect([code, stderr]).toEqual([1, expect.stringContaining(`hivemind go ${client.paneId}`)]);
      const shown = before.filter((row) => row.trim() !== "").at(-1)!;
      expect(stderr).toContain(shown.trim());
      expect(run("send", "hello")).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/its agent is waiting for an answer/),
      });
      expect(isDead()).toBe(false);
      expect(client.screen()).toEqual(before);
    },
  );

  it("trust: reject ends the client, and hivemind says so", async () => {
    const { run, isDead } = await staged(version, startUps.trust);
    const { code, stdout, stderr } = run("reject");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/No, exit/)]);
    expect(stderr).toMatch(/its program has ended|no agent runs in it/);
    await until("its end", isDead);
  });

  it("trust, then a server of the folder: the next question is shown", async () => {
    const prepare = startUps.server.prepare;
    const { client, run } = await staged(version, { prepare, options: startUps.trust.options });
    expect(run("approve")).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/now shows:[\s\S]*New MCP server found in this project: one/),
    });
    expect(run("approve")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForStatus("idle");
  });

  it("trust in a pane with eight rows: an option that is not seen is not chosen", async () => {
    const { options } = startUps.trust;
    const { client, run, isDead } = await staged(version, { options: { ...options, width: 100, height: 8 } });
    const { code, stderr } = run(version === "2.1.325" ? "approve" : "reject");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/on screen, and its pane is too small, 100x8: hivemind size lock team 200x50/),
    ]);
    expect(isDead()).toBe(false);
    expect(client.registryFile()).toBeNull();
  });

  it("a settings error has no yes: its options are listed, and one is chosen by number", async () => {
    const { client, run } = await staged(version, startUps.settings);
    expect(run("approve")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no option that says yes[\s\S]*3\. Continue without these settings/),
    });
    expect(run("option", "3")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Settings Error 3\./),
    });
    await client.waitForStatus("idle");
  });

  it("the theme is chosen by its place, and the first notes are passed", async () => {
    const { client, run } = await staged(version, startUps.theme);
    expect(run("option", "3")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Which theme should it use\? 3\. Light mode\n/),
      stderr: expect.stringMatching(/Press Enter to continue/),
    });
    expect(run("approve")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForStatus("idle");
  });

  it("several servers: nothing is ticked for a person", async () => {
    const { client, run } = await staged(version, startUps.servers);
    const before = client.screen();
    expect(run("option", "1")).toMatchObject({ code: 1, stderr: expect.stringMatching(/no option 1/) });
    expect(client.screen()).toEqual(before);
    if (version !== "2.1.325") return;
    expect(run("approve")).toMatchObject({ code: 0, stdout: expect.stringMatching(/Enable selected/) });
    await client.waitForStatus("idle");
  });
});

describe.each(clientVersions)("the questions of %s in a conversation", (version) => {
  const touch = { command: "touch made", description: "Make it" };

  it.each([
    ["Bash", touch, "approve", /proceed\? 1\. Yes\n/],
    ["Bash", touch, "reject", /proceed\? \d\. No\n/],
    [
      "Write",
      { file_path: "/tmp/hm-dialogs.txt", content: "x\n" },
      "reject",
      /create hm-dialogs\.txt\? 3\. No/,
    ],
    ["WebFetch", { url: "http://127.0.0.1:9/x", prompt: "what" }, "reject", /fetch this content\? 3\. No/],
    ["Read", { file_path: "/etc/hostname" }, "approve", /proceed\? 1\. Yes\n/],
  ] as const)("%s %j: %s", async (tool, input, verb, told) => {
    const { client, run } = await asked(version, tool, input, /Yes/);
    expect(run(verb)).toMatchObject({ code: 0, stdout: expect.stringMatching(told) });
    await client.waitForStatus("idle");
  });

  it("a person's words in an option are neither added to nor sent", async () => {
    const { client, run } = await asked(version, "Bash", touch, /1\. Yes/);
    client.keys("Tab");
    await client.waitForScreen(/tell Claude what to do next/);
    client.type("and tidy up");
    await client.waitForScreen(/and tidy up/);
    expect(run("approve")).toMatchObject({ code: 1, stderr: expect.stringMatching(/text field/) });
    expect(client.screen().join("\n")).toMatch(/1\. Yes, and tidy up\s*\n/);
    expect(run("reject")).toMatchObject({ code: 0 });
    await client.waitForStatus("idle");
  });

  it("of several colours one is ticked, and the answers are sent", async () => {
    const questions = { questions: [ask("Which colours?", "Colours", true)] };
    const { client, run } = await asked(version, "AskUserQuestion", questions, /1\. \[ \] Red/);
    expect(run("option", "2")).toMatchObject({ code: 0, stdout: expect.stringMatching(/2\. \[ \] Blue/) });
    await client.waitForScreen(/2\. \[✔\] Blue/);
    expect(run("approve")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Which colours\? Submit\n/),
    });
    expect(run("approve")).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\. Submit answers/) });
    await client.waitForScreen(/Which colours\? → Blue/);
  });

  it("two questions in one dialog are two answers", async () => {
    const questions = { questions: [ask("Which colour?", "First"), ask("Which other?", "Second")] };
    const { client, run } = await asked(version, "AskUserQuestion", questions, /1\. Red/);
    expect(run("option", "2")).toMatchObject({ code: 0, stderr: expect.stringMatching(/☒ First/) });
    expect(run("option", "1")).toMatchObject({ code: 0, stderr: expect.stringMatching(/Submit answers/) });
    expect(run("approve")).toMatchObject({ code: 0 });
    await client.waitForStatus("idle");
  });

  it("an option that wants words is left to a person", async () => {
    const questions = { questions: [ask("Which colour?", "Colour")] };
    const { client, run } = await asked(version, "AskUserQuestion", questions, /1\. Red/);
    expect(run("option", "3")).toMatchObject({ code: 1, stderr: expect.stringMatching(/text field/) });
    expect(run("approve")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no option that says yes/),
    });
    expect(run("option", "2")).toMatchObject({ code: 0, stdout: expect.stringMatching(/2\. Blue/) });
    await client.waitForScreen(/Which colour\? → Blue/);
  });

  it("a plan is approved with every edit asked for, or dismissed", async () => {
    const { client, api, run } = await staged(version, { options: { args: ["--permission-mode", "plan"] } });
    await planned(client, api);
    await client.settled();
    expect(run("dismiss")).toMatchObject({ code: 0 });
    await client.waitForStatus("idle");
    api.next({ tool: "ExitPlanMode", input: {} }, { text: "all done" });
    await client.settled();
    await client.submit("again");
    await client.waitForScreen(/manually approve/);
    await client.settled();
    expect(run("approve")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/2\. Yes, manually approve/),
    });
    await client.waitForScreen(/all done/);
  });

  it.each(["/status", "/theme", "/model", "/resume", "/rewind", "/help", "/hooks", "/memory", "/export"])(
    "%s is closed by dismiss",
    async (command) => {
      const { client, api, run } = await staged(version, { options: { args: asking } });
      api.next({ text: "good day" });
      await client.submit("hello");
      await client.waitForScreen(/good day/);
      await client.waitForStatus("idle");
      await client.settled();
      await client.submit(command);
      await until("a dialog", () => readBox(client.screenWithColours()).kind === "dialog");
      await client.settled();
      expect(run("dismiss")).toMatchObject({ code: 0, stdout: expect.stringMatching(/dismissed/) });
      await until("its box", () => readBox(client.screenWithColours()).kind === "empty");
    },
  );

  it("a cursor that a person moved is moved back", async () => {
    const { client, run } = await asked(version, "Bash", touch, /1\. Yes/);
    client.keys("Down");
    await until("the cursor", () => cursor(client)?.startsWith("Yes, and"));
    expect(run("approve")).toMatchObject({ code: 0, stdout: expect.stringMatching(/proceed\? 1\. Yes\n/) });
    await client.waitForScreen(/all done/);
  });
});

describe.each(clientVersions)("teams of %s in a folder that nobody trusts yet", (version) => {
  async function untrusted() {
    const { home, api, start } = await testWorld();
    const seed = await start(version, { team: "seed" });
    const bin = join(home.root, "bin");
    mkdirSync(bin);
    symlinkSync(await installClient(version), join(bin, "claude"));
    const folder = join(home.root, "new");
    mkdirSync(folder);
    const server = {
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_AUTH_TOKEN: "stand-in",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    for (const [name, value] of Object.entries(server)) home.tmux("set-environment", "-g", name, value);
    const env = {
      PATH: `${bin}:${home.env.PATH}`,
      HIVEMIND_CONFIG_DIR: join(home.root, "stores"),
      ...server,
    };
    const run = (...args: string[]) => hivemind(home, args, { env, cwd: folder });
    const hive = openHive({ env: { ...home.env, ...env } });
    onTestFinished(async () => {
      const { panes } = await hive.panes();
      for (const { id, process } of panes)
        if (process && id !== seed.paneId) run("agent", "kill", id, "--yes");
    });
    return { run, folder, home };
  }
  const asks = (folder: string, role: string, team: string) =>
    `${role} asks whether you trust ${folder}: hivemind approve ${role} --team ${team}`;

  it("setup and spawn say what each agent asks, and approve answers it", async () => {
    const { run, folder } = await untrusted();
    const set = run("team", "setup", "web", "lead", "dev", "--cwd", folder);
    expect(set.code).toBe(0);
    expect(set.stdout).toMatch(/\? lead in web:0\.0\n/);
    expect(set.stdout).not.toMatch(/✓/);
    expect(set.stderr).toContain(asks(folder, "lead", "web"));
    expect(set.stderr).toContain(asks(folder, "dev", "web"));
    const again = run("team", "setup", "web", "lead", "dev", "--cwd", folder);
    expect(again.stdout).not.toMatch(/✓/);
    expect(again.stderr).toContain(asks(folder, "lead", "web"));
    expect(run("approve", "lead", "--team", "web")).toMatchObject({ code: 0 });
    expect(run("agent", "spawn", "scout", "--team", "web", "--cwd", folder)).toMatchObject({
      code: 0,
      stderr: "",
    });
  });

  it("up says it each time until it is answered, restart and restore too", async () => {
    const { run, folder } = await untrusted();
    const file = "project: shop\nagents:\n  lead:\n    kind: claude\n";
    writeFileSync(join(folder, "hivemind.yaml"), file);
    const up = run("up");
    expect([up.code, up.stdout]).toEqual([
      0,
      expect.stringMatching(/\? started lead[\s\S]*1 asking you something/),
    ]);
    expect(up.stderr).toContain(asks(folder, "lead", "shop"));
    const again = run("up");
    expect(again.stdout).toMatch(/^shop: 1 unchanged, 1 asking you something\n/);
    expect(again.stderr).toContain(asks(folder, "lead", "shop"));

    const restarted = run("agent", "restart", "lead", "--yes");
    expect([restarted.code, restarted.stdout]).toEqual([0, expect.stringMatching(/^\? lead/)]);
    expect(restarted.stdout).toContain(asks(folder, "lead", "shop"));
    expect(run("team", "restart", "shop", "--yes").stdout).toContain(asks(folder, "lead", "shop"));
    expect(run("teams", "save")).toMatchObject({ code: 0 });
    const kept = run("teams", "restore", "--team", "shop");
    expect(kept.stdout).not.toMatch(/nothing to do/);
    expect(kept.stderr).toContain(asks(folder, "lead", "shop"));
    expect(run("approve", "lead", "--team", "shop")).toMatchObject({ code: 0 });
    expect(run("up").stdout).toMatch(/everything runs as the file says/);
  });

  it("a pane too small for its input box is reported with the command that makes it larger", async () => {
    const { home, start } = await testWorld();
    const client = await start(version, { width: 100, height: 3, ready: /^/ });
    await client.waitForStatus("idle");
    const env = { HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
    const sent = hivemind(home, ["send", client.paneId, "hello"], { env });
    expect([sent.code, sent.stdout]).toEqual([
      4,
      expect.stringMatching(
        /no input box is visible: its pane is too small, 100x3: hivemind size lock team 200x50/,
      ),
    ]);
  });
});
