// Conversations that the client runs without a pane of their own, and panes that show them: 2.1.325 and later.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { edgesOf, readRecord } from "../../src/fleet/lineage/lineage-of.js";
import { openHive } from "../../src/hive/hive.js";
import type { SessionId } from "../../src/names/gates.js";
import { hivemind, json } from "../command.js";
import { paneVariables, until } from "../home.js";
import { clientEnv, type RealClient } from "./client.js";
import { installClient } from "./install.js";
import { answered, lookAt, newId, sees } from "./sees.js";
import { type ClientWorld, testWorld } from "./world.js";

const version = "2.1.325";

interface Background {
  uuid: string;
  name: string;
  job: string;
  parent: string | null;
}

/** The stores lie outside the home, in which nobody but a client may write. */
async function backgroundWorld(): Promise<ClientWorld> {
  const world = await testWorld();
  world.home.env.HIVEMIND_CONFIG_DIR = join(world.home.root, "stores");
  return world;
}

function status({ home }: ClientWorld) {
  return json<{ background: Background[]; teams: { agents: { uuid: string; activity: string }[] }[] }>(home, [
    "status",
  ]);
}

async function talked(world: ClientWorld, name: string): Promise<RealClient> {
  world.api.when(/first/, { text: "answer to first" });
  const client = await world.start(version, { args: ["--session-id", newId(), "-n", name] });
  await answered(client, "first");
  await client.settled();
  return client;
}

/** What a person runs in another terminal. */
async function inBackground({ home, api }: ClientWorld, name: string): Promise<Background> {
  const program = await installClient(version);
  const env = clientEnv(home, api);
  execFileSync(program, ["--bg", "-n", name, "work on this"], { env, cwd: home.work, timeout: 60_000 });
  return until(`${name} in the background`, () =>
    status({ home } as ClientWorld).background.find((each) => each.name === name),
  );
}

async function enter(client: RealClient, text: string): Promise<void> {
  await client.settled();
  await client.submit(text);
}

it("a parked conversation is followed into the background, and the list of agents is never idle", async () => {
  const world = await backgroundWorld();
  const { home } = world;
  const client = await talked(world, "lead");
  const before = client.registryFile()!.sessionId!;
  client.keys("Left");
  await client.waitForScreen(/moved to the background/);
  const parked = await until("the job", async () => {
    const { uuid } = await lookAt(home, client);
    return uuid !== null && uuid !== before ? uuid : null;
  });
  await sees(home, client, { uuid: parked, source: "registry", activity: "parked" });
  expect(client.registryFile()!.sessionId).toBe(before);
  expect(hivemind(home, ["send", client.paneId, "hello"])).toMatchObject({ code: 4 });
  expect(hivemind(home, ["queue", "clear", client.paneId]).code).toBe(0);

  // On a busy machine the job is still starting, and the client asks to try again.
  await until("its conversation", async () => {
    if (client.screen().some((line) => line.startsWith("❯\u00a0"))) return true;
    client.keys("Escape");
    await new Promise((rest) => setTimeout(rest, 1_000));
    return false;
  });
  await sees(home, client, { uuid: parked, source: "registry", activity: "idle", title: "lead" });
  world.api.next({ text: "done at last", held: true });
  await enter(client, "work");
  await sees(home, client, { uuid: parked, activity: "busy" });
  await world.api.release();
  await client.waitForScreen(/done at last/);
  await sees(home, client, { uuid: parked, activity: "idle" });

  await enter(client, "/rename boss");
  await sees(home, client, { uuid: parked, title: "boss" });
  await enter(client, "/clear");
  const cleared = await until("another session", async () => {
    const { uuid } = await lookAt(home, client);
    return uuid !== parked ? uuid : null;
  });
  world.api.when(/a word after it/, { text: "heard" });
  const sent = hivemind(home, ["send", client.paneId, "a word after it"]);
  expect({ code: sent.code, stderr: sent.stderr }).toEqual({ code: 0, stderr: "" });
  await until("the word on disk", () =>
    JSON.stringify(client.transcript(cleared)).includes("a word after it"),
  );
  expect(JSON.stringify(client.transcript(before))).not.toContain("a word after it");
});

it("a conversation that was cleared, moved and shown again is known, before and after its first answer", async () => {
  const world = await backgroundWorld();
  const { home, api } = world;
  const client = await talked(world, "lead");
  await enter(client, "/clear");
  await client.settled();
  api.when(/./, { text: "well" });
  const hands = async (text: string) => {
    expect(hivemind(home, ["send", client.paneId, text, "--now"])).toMatchObject({ code: 0, stderr: "" });
    await client.waitForScreen(new RegExp(`${text}[^]*● well`));
    await client.settled();
  };
  await hands("word one");
  const before = client.registryFile()!.sessionId!;
  const moves = async () => {
    client.keys("Left");
    await client.waitForScreen(/moved to the background/);
    await sees(home, client, { activity: "parked" });
    const { uuid } = await lookAt(home, client);
    expect(uuid).not.toBe(before);
    // The client swallows keys that are pressed while it draws.
    await until("the conversation instead of the list", async () => {
      if (/word one/.test(client.screen().join("\n"))) return true;
      client.keys("Escape");
      await client.settled();
      return null;
    });
    // What is handed to it is seen in the pane: it is the conversation that the pane shows.
    await sees(home, client, { uuid, source: "registry", activity: "idle" });
    return uuid;
  };
  const moved = await moves();
  await hands("word two");
  expect(await moves()).toBe(moved);
  await hands("word three");
  expect(JSON.stringify(client.transcript(moved!))).toMatch(/word two.*word three/);
});

it("a pane that opens another conversation of the list is in that one", async () => {
  const world = await backgroundWorld();
  const { home } = world;
  const client = await talked(world, "lead");
  const other = await inBackground(world, "other");
  await client.settled();
  client.keys("Left");
  await client.waitForScreen(/moved to the background/);
  await client.settled();
  // Headings stand between the rows; the footer tells where the cursor is.
  await until("the row of the other one", async () => {
    if (/enter to open/.test(client.screen().join("\n"))) return true;
    client.keys("Down");
    await client.settled();
    return null;
  });
  const titleNow = () => home.tmux("display-message", "-p", "-t", client.paneId, "#{pane_title}").trim();
  // The client swallows keys that are pressed while it draws.
  const title = await until("a conversation instead of the list", async () => {
    if (!titleNow().includes("agents")) return titleNow();
    client.keys("Enter");
    await client.settled();
    return null;
  });
  expect(title).toBe("other");
  await sees(home, client, { uuid: other.uuid as SessionId });
  const names = () => status(world).background.map(({ name }) => name);
  await until("only the other one there", () => names().length === 1);
  expect(names()).toEqual(["lead"]);
});

it("/fork and --bg run without a pane, with their parents, in status, sessions and lineage", async () => {
  const world = await backgroundWorld();
  const { home } = world;
  const client = await talked(world, "lead");
  const parent = client.registryFile()!.sessionId!;
  await enter(client, "/fork");
  const fork = await until("the fork, with a parent", () =>
    status(world).background.find((each) => each.parent !== null),
  );
  expect(fork.parent).toBe(parent);
  const alone = await inBackground(world, "alone");
  expect(alone.parent).toBeNull();
  await until("both", () => status(world).background.length === 2);
  await sees(home, client, { uuid: parent, source: "registry" });

  const sessions = json<{ sessions: { id: string; lifecycle: string; parent: string | null }[] }>(home, [
    "sessions",
    "--all",
  ]).sessions;
  for (const id of [parent, fork.uuid, alone.uuid])
    expect(sessions.find((each) => each.id === id)).toMatchObject({ lifecycle: "running" });
  const hive = openHive({ env: home.env });
  const fleet = await hive.observe();
  const edges = edgesOf(fleet, await hive.parentsByMessages(fleet), readRecord(hive.stores.forks.scan()));
  expect(edges.find(({ child }) => child === fork.uuid)).toMatchObject({ parent, inferred: false });
  expect(hivemind(home, ["status"]).stdout).toMatch(/background/);
});

it("a pane that attaches to a background conversation is in it; one that only lists them is in none", async () => {
  const world = await backgroundWorld();
  const { home, api } = world;
  const program = await installClient(version);
  const client = await talked(world, "lead");
  const alone = await inBackground(world, "alone");
  const open = (team: string, ...args: string[]) => {
    const env = paneVariables(clientEnv(home, api));
    const place = ["new-session", "-d", "-s", team, "-x", "150", "-y", "40", "-c", home.work];
    const paneId = home.tmux(...place, ...env, "-P", "-F", "#{pane_id}", "env", program, ...args).trim();
    return { paneId: paneId as RealClient["paneId"] };
  };
  const attached = open("attached", "attach", alone.job);
  await sees(home, attached, { kind: "claude", uuid: alone.uuid as SessionId, activity: "idle" });
  expect(status(world).background).toEqual([]);
  const list = open("list", "agents");
  await sees(home, list, { kind: "claude", uuid: null, activity: "parked" });
  await sees(home, client, { uuid: client.registryFile()!.sessionId! });
});
