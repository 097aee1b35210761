// How full a conversation is and which file is a pane's own, judged by the client's own status line.

import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handler, launchSettings, statusLineCommand } from "../../src/agents/claude/hooks/handler.js";
import { contextIn, windowsOf } from "../../src/fleet/activity/context.js";
import { openHive } from "../../src/hive/hive.js";
import type { SessionId } from "../../src/names/gates.js";
import { hivemind, json } from "../command.js";
import { type TestHome, until } from "../home.js";
import type { Usage } from "./api.js";
import { type ClientOptions, type RealClient, skipFirstRun } from "./client.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { type ClientWorld, testWorld } from "./world.js";

const newId = () => randomUUID() as string as SessionId;
const [ordinary, large] = [200_000, 1_000_000];

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

async function lookAt(home: TestHome, { paneId }: Pick<RealClient, "paneId">) {
  const fleet = await openHive({ env: home.env }).observe();
  const pane = fleet.panes.find(({ id }) => id === paneId)!;
  const { uuid, context, isCompacted } = contextIn(pane, fleet, windowsOf({}));
  return {
    uuid,
    used: context?.used ?? null,
    window: context?.window ?? null,
    percent: context?.percent ?? null,
    isCompacted,
  };
}

type Seen = Awaited<ReturnType<typeof lookAt>>;

/** The client writes its files some moments after its screen: the expectation is waited for, then held. */
async function sees(home: TestHome, client: Pick<RealClient, "paneId">, expected: Partial<Seen>) {
  const isIt = (seen: Seen) =>
    Object.entries(expected).every(([key, value]) => seen[key as keyof Seen] === value);
  let last: Seen | null = null;
  await until("the reader sees it", async () => {
    last = await lookAt(home, client);
    return isIt(last);
  }).catch(() => expect(last).toMatchObject(expected));
}

async function says(client: RealClient, text: string, answer: string): Promise<void> {
  await client.submit(text);
  await client.waitForScreen(new RegExp(answer));
  await client.waitForStatus("idle");
  await client.settled();
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
const sonnet = "claude-sonnet-4-6";

/** One agent of that model, for `--agents`. */
function agents(model: string): string {
  return JSON.stringify({ rev: { description: "d", prompt: "p", model } });
}

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

const used = (tokens: number): Partial<Usage> => ({ input_tokens: tokens });

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
  });

  it("has the window that its own status line reported", async () => {
    const { home: own, api, start } = await testWorld();
    const home = { ...own, env: { ...own.env, HIVEMIND_CONFIG_DIR: join(own.root, "stores") } };
    const { hookReports } = openHive({ env: home.env }).stores;
    hookReports.placeHandler(handler);
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

  it("is the main conversation's, whatever a sub-agent used", async () => {
    const { home, api, start } = await testWorld();
    const client = await start(version, {
      args: ["--model", "opus[1m]", "--permission-mode", "default", "--allowedTools", "Agent,Task"],
    });
    api.when(/look around/, { text: "nothing there", usage: used(77_000) });
    api.when(/go on/, { text: "went on", usage: used(4_000) });
    const input = { description: "look", prompt: "look around", subagent_type: "general-purpose" };
    api.next({ tool: "Agent", input, usage: used(3_000) });
    await client.submit("send somebody");
    await until("the sub-agent has answered", () =>
      api.requests.some(({ lastText }) => lastText.includes("look around")),
    );
    await client.waitForStatus("idle");
    await client.settled();
    await says(client, "go on", "went on");
    await sees(home, client, { used: 4_000, window: large });
  });

  it("is unknown from a compaction to the next answer, in a fork too", async () => {
    const { home, api, start } = await testWorld();
    const [id, child] = [newId(), newId()];
    const client = await start(version, { args: ["--session-id", id, "--model", "opus[1m]"] });
    api.next({ text: "zeroth answer", usage: used(80_000) });
    await says(client, "zeroth", "zeroth answer");
    api.next({ text: "first answer", usage: used(90_000) });
    await says(client, "first", "first answer");
    await sees(home, client, { used: 90_000, percent: 9, isCompacted: false });
    await client.submit("/compact");
    await until("the summary", () =>
      client.transcript(id).some((record) => record.isCompactSummary === true),
    );
    const unknown = { used: null, window: null, percent: null, isCompacted: true };
    await sees(home, client, { uuid: id, ...unknown });
    await client.settled();

    const { code, stdout, stderr } = hivemind(home, ["context", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).contexts).toMatchObject([
      { uuid: id, used: null, percent: null, compacted: true },
    ]);
    expect(hivemind(home, ["context", client.paneId]).stderr).toContain("was compacted");

    // The fork copies the answers that the compaction kept, with no count in them.
    const fork = await start(version, {
      args: ["--resume", id, "--fork-session", "--session-id", child],
      team: "fork",
    });
    api.when(/held back/, { text: "said at last", held: true, usage: used(7_000) });
    await fork.submit("held back");
    await until("the fork's words on disk", () =>
      JSON.stringify(fork.transcript(child)).includes("held back"),
    );
    await sees(home, fork, { uuid: child, used: null });
    await api.release();
    await sees(home, fork, { used: 7_000, isCompacted: false });

    api.next({ text: "second answer", usage: used(2_500) });
    await says(client, "second", "second answer");
    await sees(home, client, { used: 2_500, isCompacted: false });
    await client.submit("/clear");
    await sees(home, client, { used: null, isCompacted: false });
  });

  it("is unknown while an answer waits behind a compaction that the client made itself", async () => {
    const { home, api, start } = await testWorld();
    const client = await start(version, { args: ["--model", sonnet] });
    api.next({ text: "first answer", usage: used(500) });
    await says(client, "first", "first answer");
    api.next({ text: "second answer", usage: used(195_000) });
    await says(client, "second", "second answer");
    await sees(home, client, { used: 195_000, window: ordinary });
    api.when(/third/, { text: "third answer", held: true, usage: used(8_000) });
    await client.submit("third");
    await sees(home, client, { used: null, isCompacted: true });
    await api.release();
    await sees(home, client, { used: 8_000, window: ordinary });
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

interface Listed {
  title: string | null;
  pane: string | null;
  context: { used: number } | null;
}

/** Which panes have which file, as `sessions` lists them and a search for a word finds them. */
function filesOf(home: TestHome, word: string) {
  const words = ({ title, pane, context }: Listed) => `${pane}: ${title}, ${context?.used ?? "no"} tokens`;
  const { sessions } = json<{ sessions: Listed[] }>(home, ["sessions", "--all"]);
  const { sessions: found } = json<{ sessions: Listed[] }>(home, ["sessions", "search", "--all", word]);
  return { listed: sessions.map(words).sort(), found: found.map(({ title }) => title) };
}

describe.each(clientVersions)("one session id with two files, of the real client %s", (version) => {
  it("gives each pane the file under its own folder", async () => {
    const { home, api, start } = await testWorld();
    const id = newId();
    const clients = [];
    for (const [at, name] of ["one", "two"].entries()) {
      const cwd = join(home.work, name);
      mkdirSync(cwd);
      const args = ["--session-id", id, "-n", `in-${name}`];
      const client = await start(version, { args, cwd, team: name });
      api.next({ text: `answer ${name}`, usage: used(1_000 * (at + 1)) });
      await sees(home, client, { uuid: id, used: null });
      await says(client, `word${name}`, `answer ${name}`);
      clients.push(client);
    }
    const [one, two] = clients as [RealClient, RealClient];
    await sees(home, two, { uuid: id, used: 2_000 });
    await sees(home, one, { uuid: id, used: 1_000 });
    api.next({ text: "once more", usage: used(3_000) });
    await says(one, "again", "once more");
    await sees(home, one, { used: 3_000 });
    await sees(home, two, { used: 2_000 });
    expect(filesOf(home, "wordtwo")).toEqual({
      listed: ["one:0.0: in-one, 3000 tokens", "two:0.0: in-two, 2000 tokens"],
      found: ["in-two"],
    });
  });

  it("gives each pane the file in its own config folder", async () => {
    const { home, api, start } = await testWorld();
    const id = newId();
    const other = join(home.root, "second");
    mkdirSync(other);
    skipFirstRun(other, home.work, true);
    const one = await start(version, { args: ["--session-id", id, "-n", "first"], team: "one" });
    api.next({ text: "answer one", usage: used(1_000) });
    await says(one, "wordone", "answer one");
    const two = await start(version, {
      args: ["--session-id", id, "-n", "second"],
      team: "two",
      env: { CLAUDE_CONFIG_DIR: other },
      ready: /❯/,
    });
    await sees(home, two, { uuid: id, used: null });
    api.next({ text: "answer two", usage: used(2_000) });
    await two.submit("wordtwo");
    await two.waitForScreen(/answer two/);
    await sees(home, two, { uuid: id, used: 2_000 });
    await sees(home, one, { uuid: id, used: 1_000 });
    expect(filesOf(home, "wordone")).toEqual({
      listed: ["one:0.0: first, 1000 tokens", "two:0.0: second, 2000 tokens"],
      found: ["first"],
    });
  });

  it.runIf(version === "2.1.325")("keeps to the file of the folder that it was resumed from", async () => {
    const { home, api, start } = await testWorld();
    const id = newId();
    const folders = ["old", "new"].map((name) => join(home.work, name));
    for (const folder of folders) mkdirSync(folder);
    const [from, to] = folders as [string, string];
    const first = await start(version, { args: ["--session-id", id], cwd: from, team: "first" });
    api.next({ text: "answer one", usage: used(1_000) });
    await says(first, "one", "answer one");
    await first.end();
    const resumed = await start(version, { args: ["--resume", id], cwd: to, team: "resumed" });
    await sees(home, resumed, { uuid: id, used: 1_000 });
    // Nothing lies under the slug of the new folder yet, so another client may create a file there.
    const created = await start(version, { args: ["--session-id", id], cwd: to, team: "created" });
    await sees(home, created, { uuid: id, used: null });
    api.next({ text: "answer two", usage: used(2_000) });
    await says(created, "two", "answer two");
    await sees(home, created, { used: 2_000 });
    await sees(home, resumed, { used: 1_000 });
    api.next({ text: "answer three", usage: used(3_000) });
    await says(resumed, "three", "answer three");
    await sees(home, resumed, { used: 3_000 });
    await sees(home, created, { used: 2_000 });
  });
});
