// Teams of the real Codex: started, seen, killed, restored, forked, and kept in a file.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasEnded } from "../../client/end-all.js";
import { until } from "../../home.js";
import { type Commands, testCommands } from "./commands.js";
import { approval } from "./scenes.js";

/** Says something, and waits for the answer in its conversation. */
async function talk({ done, world, agent }: Commands, role: string, words: string): Promise<void> {
  world.api.when(new RegExp(`\\b${words}\\b`), { text: `answer to ${words}` });
  await done("send", role, words);
  const { uuid } = await agent(role);
  await until(`the answer to ${words}`, () => world.rollout(uuid!)?.includes(`answer to ${words}`));
}

async function killServer({ world: { home } }: Commands): Promise<void> {
  const pid = Number(home.tmux("display-message", "-p", "#{pid}").trim());
  const panes = home.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);
  process.kill(pid, "SIGKILL");
  for (const each of [pid, ...panes]) await until(`process ${each} ends`, () => hasEnded(each));
}

test("two agents in one folder are told apart, also after one was killed", async () => {
  const commands = await testCommands();
  const { done, agent, world, run } = commands;
  await done("team", "setup", "shop", "po", "dev", "--kind", "codex");
  const [po, dev] = [await agent("po"), await agent("dev")];
  expect([po.kind, dev.kind]).toEqual(["codex", "codex"]);
  expect([po.activity, dev.activity]).toEqual(["idle", "idle"]);
  expect(new Set([po.uuid, dev.uuid])).toHaveProperty("size", 2);
  await talk(commands, "po", "aardvark");
  expect(world.rollout(po.uuid!)).toContain("aardvark");
  expect(world.rollout(dev.uuid!)).not.toContain("aardvark");
  await done("agent", "kill", "po", "--yes");
  expect(await agent("dev")).toMatchObject({ uuid: dev.uuid, state: "live", activity: "idle" });
  const table = (await done("status", "shop")).split("\n");
  expect(table.find((row) => row.includes("dev"))).toContain(`codex  idle`);
  const chosen = await run(
    "agent",
    "spawn",
    "two",
    "--team",
    "shop",
    "--kind",
    "codex",
    "--session",
    po.uuid!,
  );
  expect(chosen).toMatchObject({ code: 1, stderr: expect.stringContaining("chooses the ids") });
});

test("a killed tmux server: restore brings each agent back into its own conversation", async () => {
  const commands = await testCommands();
  const { done, agent } = commands;
  await done("team", "setup", "shop", "po", "dev", "--kind", "codex");
  await talk(commands, "po", "aardvark");
  await talk(commands, "dev", "bandicoot");
  const before = [await agent("po"), await agent("dev")].map(({ uuid }) => uuid);
  await done("save");
  await killServer(commands);
  expect(await done("restore", "--dry-run")).toContain("codex");
  const restored = await done("restore");
  expect(restored).toMatch(/po[\s\S]*dev/);
  expect([await agent("po"), await agent("dev")].map(({ uuid }) => uuid)).toEqual(before);
  await talk(commands, "po", "caribou");
});

test("a fork knows what its parent knew, and its parent is in the lineage", async () => {
  const commands = await testCommands();
  const { done, agent, json, world } = commands;
  await done("team", "setup", "shop", "po", "--kind", "codex");
  await talk(commands, "po", "aardvark");
  const parent = (await agent("po")).uuid!;
  await done("agent", "fork", "po", "--as", "second");
  const child = (await agent("second")).uuid!;
  expect(child).not.toBe(parent);
  await talk(commands, "second", "bandicoot");
  const asked = world.api.requests.findLast(({ lastText }) => lastText.includes("bandicoot"))!;
  expect(JSON.stringify(asked.body)).toContain("answer to aardvark");
  expect(world.rollout(parent)).not.toContain("bandicoot");
  const { edges } = await json<{ edges: { parent: string; child: string }[] }>("lineage");
  expect(edges.map((edge) => [edge.parent, edge.child])).toEqual([[parent, child]]);
});

test("a team file: up, down and up again in the same conversation", async () => {
  const commands = await testCommands();
  const { done, agent, world } = commands;
  mkdirSync(join(world.home.work, "roles"));
  writeFileSync(join(world.home.work, "roles", "po.md"), "You are the zebra.\n");
  writeFileSync(
    join(world.home.work, "hivemind.yaml"),
    "project: web\nsession: shop\ndefaults:\n  kind: codex\nagents:\n" +
      "  po:\n    prompt: roles/po.md\n  dev:\n    model: gpt-5.4\n",
  );
  await done("up");
  const before = [await agent("po"), await agent("dev")];
  expect(before.map(({ kind }) => kind)).toEqual(["codex", "codex"]);
  await until("the role prompt", () => world.rollout(before[0]!.uuid!)?.includes("You are the zebra."));
  await talk(commands, "dev", "aardvark");
  expect(await agent("dev")).toMatchObject({ model: "gpt-5.4" });
  const plan = await done("plan");
  expect(plan).toContain("everything runs as the file says");
  expect(plan).not.toContain("moved on");
  await done("down", "--yes");
  await done("up");
  expect([await agent("po"), await agent("dev")].map(({ uuid }) => uuid)).toEqual(
    before.map(({ uuid }) => uuid),
  );
});

test("busy, waiting, approved and idle; context with its window", async () => {
  const { done, agent, becomes, world, json } = await testCommands();
  await done("team", "setup", "shop", "po", "--kind", "codex");
  world.api.next({ text: "late", held: true, usage: { input_tokens: 25_000, output_tokens: 840 } });
  await done("send", "po", "think");
  expect(await becomes("po", "busy")).toMatchObject({ kind: "codex" });
  await world.api.release();
  await becomes("po", "idle");
  const { contexts } = await json<{ contexts: object[] }>("context");
  expect(contexts).toMatchObject([{ used: 25_840, window: 258_400, percent: 10, source: "transcript" }]);

  world.api.next(approval, { text: "made" });
  await done("send", "po", "make it");
  const asking = await becomes("po", "waiting");
  expect(asking.waitingFor).toContain("touch made");
  expect(await done("inbox")).toContain("touch made");
  await done("approve", "po", "--yes");
  await becomes("po", "idle");
  expect(await agent("po")).toMatchObject({ lastWords: "made" });
});
