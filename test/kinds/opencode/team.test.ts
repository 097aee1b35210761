// Teams of the real OpenCode: started, seen, killed, restored and forked.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasEnded } from "../../client/end-all.js";
import { until } from "../../home.js";
import { type OpencodeWorld, testOpencode } from "./driver.js";

/** Says something, and waits for the answer in its conversation. */
async function talk(world: OpencodeWorld, role: string, words: string): Promise<void> {
  const { done, agent, api, conversation } = world;
  api.when(new RegExp(`\\b${words}\\b`), { text: `answer to ${words}` });
  await done("send", role, words);
  const { uuid } = await agent(role);
  await until(`the answer to ${words}`, () => conversation(uuid!).includes(`answer to ${words}`));
}

/** The clients may live on without a terminal. */
async function killServer({ home }: OpencodeWorld): Promise<void> {
  const pid = Number(home.tmux("display-message", "-p", "#{pid}").trim());
  process.kill(pid, "SIGKILL");
  await until("the end of tmux", () => hasEnded(pid));
}

test("two agents in one folder are told apart, also after one was killed", async () => {
  const world = await testOpencode();
  const { done, agent, conversation, becomes } = world;
  await done("team", "setup", "shop", "po", "dev", "--kind", "opencode");
  const [po, dev] = [await becomes("po", "idle"), await becomes("dev", "idle")];
  expect([po.kind, dev.kind]).toEqual(["opencode", "opencode"]);
  expect(po.uuid).toMatch(/^ses_/);
  expect(new Set([po.uuid, dev.uuid])).toHaveProperty("size", 2);
  await talk(world, "po", "aardvark");
  expect(conversation(po.uuid!)).toContain("aardvark");
  expect(conversation(dev.uuid!)).not.toContain("aardvark");
  await done("agent", "kill", "po", "--yes");
  expect(await agent("dev")).toMatchObject({ uuid: dev.uuid, activity: "idle" });
});

test("a killed tmux server: restore brings each agent back into its own conversation", async () => {
  const world = await testOpencode();
  const { done, agent } = world;
  await done("team", "setup", "shop", "po", "dev", "--kind", "opencode");
  await talk(world, "po", "aardvark");
  const before = [await agent("po"), await agent("dev")].map(({ uuid }) => uuid);
  await done("save");
  await killServer(world);
  expect(await done("restore", "--dry-run")).toContain("opencode");
  await done("restore");
  expect([await agent("po"), await agent("dev")].map(({ uuid }) => uuid)).toEqual(before);
  await talk(world, "po", "caribou");
  const asked = world.api.requests.findLast(({ lastText }) => lastText.includes("caribou"))!;
  expect(JSON.stringify(asked.body)).toContain("answer to aardvark");
});

test("a fork knows what its parent knew, and its parent is in the lineage without our own stores", async () => {
  const world = await testOpencode();
  const { done, agent, json, api, conversation, home } = world;
  await done("team", "setup", "shop", "po", "--kind", "opencode");
  await talk(world, "po", "aardvark");
  const parent = (await agent("po")).uuid!;
  await done("agent", "fork", "po", "--as", "second");
  const child = (await agent("second")).uuid!;
  expect(child).not.toBe(parent);
  await talk(world, "second", "bandicoot");
  const asked = api.requests.findLast(({ lastText }) => lastText.includes("bandicoot"))!;
  expect(JSON.stringify(asked.body)).toContain("answer to aardvark");
  expect(conversation(parent)).not.toContain("bandicoot");
  const edges = async () => {
    const lineage = await json<{ edges: { parent: string; child: string }[] }>("lineage");
    return lineage.edges.map((edge) => [edge.parent, edge.child]);
  };
  expect(readFileSync(join(home.config, "hivemind.forks.env"), "utf8")).toMatch(
    new RegExp(`${child}\\|\\w+\\|${parent}`),
  );
  expect(await edges()).toEqual([[parent, child]]);
  rmSync(join(home.config, "hivemind.forks.env"));
  expect(await edges()).toEqual([[parent, child]]);
});

test("a team file: up, down and up again in the same conversation", async () => {
  const world = await testOpencode();
  const { done, agent, conversation, home } = world;
  mkdirSync(join(home.work, "roles"));
  writeFileSync(join(home.work, "roles", "po.md"), "You are the zebra.\n");
  writeFileSync(
    join(home.work, "hivemind.yaml"),
    "project: web\nsession: shop\ndefaults:\n  kind: opencode\nagents:\n" +
      "  po:\n    prompt: roles/po.md\n  dev:\n    model: stub/stand-in\n",
  );
  await done("up");
  const before = [await agent("po"), await agent("dev")];
  await until("the role prompt", () => conversation(before[0]!.uuid!).includes("You are the zebra."));
  await talk(world, "dev", "aardvark");
  expect(await agent("dev")).toMatchObject({ model: "stub/stand-in" });
  const plan = await done("plan");
  expect(plan).toContain("everything runs as the file says");
  await done("down", "--yes");
  await done("up");
  const after = [await agent("po"), await agent("dev")];
  expect(after.map(({ uuid }) => uuid)).toEqual(before.map(({ uuid }) => uuid));
});
