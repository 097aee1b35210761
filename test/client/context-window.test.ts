// Which context window a conversation has, judged by the client's own status line.

import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handlers, launchSettings, statusLineCommand } from "../../src/agents/claude/hooks/handler.js";
import { openHive } from "../../src/hive/hive.js";
import { type TestHome, until } from "../home.js";
import type { ClientOptions, RealClient } from "./client.js";
import { agents, large, lookAt, ordinary, says, sees, sonnet, used } from "./context.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { newId } from "./sees.js";
import { type ClientWorld, testWorld } from "./world.js";

/** What the client itself shows below its box. */
interface Shown {
  used: number;
  window: number;
}

/** A status line that leaves what the client tells it in a file. */
function statusLine({ root }: TestHome) {
  const path = join(root, `${randomUUID()}.json`);
  const command = `cat >${path}.new && mv ${path}.new ${path}`;
  const read = (): Shown | null => {
    try {
      const { total_input_tokens, context_window_size } = JSON.parse(
        readFileSync(path, "utf8"),
      ).context_window;
      return { used: total_input_tokens, window: context_window_size };
    } catch {
      return null;
    }
  };
  return { settings: { statusLine: { type: "command", command } }, read };
}

async function chooses(client: RealClient, model: string): Promise<void> {
  await client.submit(`/model ${model}`);
  await client.waitForScreen(/Set model to|Switch model/);
  await client.settled();
  if (/Switch model\?/.test(client.screen().join("\n"))) client.keys("Enter");
  await client.waitForScreen(/Set model to/);
  await client.settled();
}

interface Start {
  name: string;
  args?: string[];
  env?: Record<string, string>;
  user?: object;
  project?: object;
  local?: object;
  /** A model is chosen inside the client before it answers. */
  chosen?: string;
  /** By version: what the client shows, or null where hivemind may not know it. */
  window: Record<ClientVersion, number | null>;
}

const both = (size: number | null) => ({ "2.1.197": size, "2.1.325": size });
/** The newer client writes the full name of the model down, and gives every newer model the large window. */
const onlyNewer = { "2.1.197": null, "2.1.325": large };

const starts: Start[] = [
  { name: "nothing named", window: onlyNewer },
  { name: "a short name", args: ["--model", "opus"], window: { "2.1.197": ordinary, "2.1.325": large } },
  { name: "a short name with [1m]", args: ["--model", "opus[1m]"], window: both(large) },
  { name: "a name without [1m]", args: ["--model", sonnet], window: both(ordinary) },
  { name: "a name with [1m]", args: ["--model", `${sonnet}[1m]`], window: both(large) },
  { name: "the last of two", args: ["--model", "haiku", "--model", `${sonnet}[1m]`], window: both(large) },
  { name: "a model that nobody knows", args: ["--model", "claude-nova-7"], window: both(null) },
  { name: "[1m] of such a model", args: ["--model", "claude-nova-7[1m]"], window: both(large) },
  { name: "[1m] in the user's settings", user: { model: `${sonnet}[1m]` }, window: both(large) },
  { name: "the user's settings without it", user: { model: sonnet }, window: both(ordinary) },
  {
    name: "the folder's settings before the user's",
    user: { model: sonnet },
    project: { model: `${sonnet}[1m]` },
    window: both(large),
  },
  {
    name: "the folder's local settings before its others",
    project: { model: `${sonnet}[1m]` },
    local: { model: sonnet },
    window: both(ordinary),
  },
  {
    name: "given settings before all files",
    args: ["--settings", JSON.stringify({ model: `${sonnet}[1m]` })],
    local: { model: sonnet },
    window: both(large),
  },
  {
    name: "the environment before settings",
    env: { ANTHROPIC_MODEL: `${sonnet}[1m]` },
    user: { model: sonnet },
    window: both(large),
  },
  {
    name: "arguments before the environment",
    args: ["--model", sonnet],
    env: { ANTHROPIC_MODEL: `${sonnet}[1m]` },
    window: both(ordinary),
  },
  {
    name: "an environment that settings give",
    user: { env: { ANTHROPIC_MODEL: `${sonnet}[1m]` } },
    window: both(large),
  },
  {
    name: "what a short name stands for",
    args: ["--model", "sonnet"],
    env: { ANTHROPIC_DEFAULT_SONNET_MODEL: `${sonnet}[1m]` },
    window: both(large),
  },
  {
    name: "the large window switched off",
    args: ["--model", `${sonnet}[1m]`],
    env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: "1" },
    window: both(ordinary),
  },
  {
    name: "an agent that brings its model",
    args: ["--agent", "rev", "--agents", agents(`${sonnet}[1m]`)],
    window: { "2.1.197": null, "2.1.325": large },
  },
  { name: "/model with [1m]", args: ["--model", sonnet], chosen: `${sonnet}[1m]`, window: both(large) },
  { name: "/model without it", args: ["--model", `${sonnet}[1m]`], chosen: sonnet, window: both(ordinary) },
  { name: "/model of another model", args: ["--model", "opus[1m]"], chosen: sonnet, window: both(ordinary) },
];

/** One that has answered, in a folder of its own. */
async function answered(world: ClientWorld, version: ClientVersion, start: Start, team: string) {
  const { home, api } = world;
  const line = statusLine(home);
  const cwd = join(home.work, team);
  mkdirSync(join(cwd, ".claude"), { recursive: true });
  const settings = { project: "settings.json", local: "settings.local.json" } as const;
  for (const [key, name] of Object.entries(settings)) {
    const content = start[key as keyof typeof settings];
    if (content !== undefined) writeFileSync(join(cwd, ".claude", name), JSON.stringify(content));
  }
  const options: ClientOptions = { team, cwd, settings: { ...line.settings, ...start.user } };
  const client = await world.start(version, { ...options, args: start.args ?? [], env: start.env ?? {} });
  if (start.chosen !== undefined) await chooses(client, start.chosen);
  api.next({ text: "well answered", usage: { input_tokens: 1_000, cache_read_input_tokens: 11_000 } });
  await says(client, "how is it going?", "well answered");
  const shown = await until("the status line shows the answer", () => {
    const seen = line.read();
    return seen?.used === 12_000 ? seen : null;
  });
  return { client, shown, line };
}

describe.each(clientVersions)("the context of the real client %s", (version) => {
  it("has the context window that the client shows, or an unknown one", async () => {
    const world = await testWorld();
    const wrong: string[] = [];
    for (const [at, start] of starts.entries()) {
      const { client, shown } = await answered(world, version, start, `team${at}`);
      const expected = start.window[version];
      if (expected !== null && expected !== shown.window) wrong.push(`${start.name}: shows ${shown.window}`);
      await sees(world.home, client, { used: 12_000 });
      const seen = await lookAt(world.home, client);
      if (seen.window !== expected) wrong.push(`${start.name}: ${seen.window} for ${expected}`);
      await client.end();
    }
    expect(wrong).toEqual([]);
  }, 400_000);

  it("has the window that its own status line reported", async () => {
    const { home: own, api, start } = await testWorld();
    const home = { ...own, env: { ...own.env, HIVEMIND_CONFIG_DIR: join(own.root, "stores") } };
    const { hookReports } = openHive({ env: home.env }).stores;
    hookReports.placeHandlers(handlers);
    const command = statusLineCommand(hookReports.folder);
    const settings = { ...launchSettings(hookReports.folder), statusLine: { type: "command", command } };
    const client = await start(version, {
      settings,
      args: ["--agent", "rev", "--agents", agents("claude-nova-7")],
    });
    api.next({ text: "well answered", usage: used(12_000) });
    await says(client, "how is it going?", "well answered");
    // Of a model that the table does not have only the client itself can tell it.
    await sees(home, client, { used: 12_000, window: { "2.1.197": ordinary, "2.1.325": large }[version] });
  });

  it("goes on with the model of a conversation that is resumed", async () => {
    const world = await testWorld();
    const { home, start } = world;
    const id = newId();
    const args = ["--session-id", id, "--model", `${sonnet}[1m]`];
    const { client } = await answered(world, version, { name: "", args, window: both(large) }, "first");
    await client.end();
    const cwd = join(home.work, "first");
    // The older client forgets `[1m]`: its transcript does not have it.
    const kept = { "2.1.197": ordinary, "2.1.325": large }[version];
    for (const [more, window] of [
      [[], kept],
      [["--model", `${sonnet}[1m]`], large],
      [["--model", sonnet], ordinary],
    ] as const) {
      const line = statusLine(home);
      const again = await start(version, {
        args: ["--resume", id, ...more],
        cwd,
        settings: line.settings,
        team: `again${more.length}${window}`,
      });
      const shown = await until("the status line", () => line.read());
      expect(shown.window).toBe(window);
      await sees(home, again, { uuid: id, used: 12_000, window });
      await again.end();
    }
  });
});
