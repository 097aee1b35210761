// Messages to the real Codex through the product: each one arrives once, whatever the agent does.

import { expect, test } from "vitest";
import { openServer } from "../../../src/agents/codex/app-server.js";
import { mainProgram } from "../../command.js";
import { until } from "../../home.js";
import { type Commands, testCommands } from "./commands.js";
import { approval } from "./scenes.js";

async function spawned(...roles: string[]): Promise<Commands> {
  const commands = await testCommands();
  await commands.done("team", "setup", "shop", ...roles, "--kind", "codex");
  return commands;
}

/** How often a conversation has these words as a message. */
function timesIn(rollout: string | null, words: string): number {
  const lines = (rollout ?? "").split("\n").filter((line) => line.includes('"type":"UserMessage"'));
  return lines.filter((line) => line.includes(words)).length;
}

test("to an idle agent the message is typed, and its answer is waited for", async () => {
  const { done, agent, world } = await spawned("po");
  world.api.next({ text: "I am well." });
  expect(await done("send", "po", "--wait", "how are you")).toContain("I am well.");
  expect(timesIn(world.rollout((await agent("po")).uuid!), "how are you")).toBe(1);
});

test("a busy agent gets the message into its queue, and takes it once, after its turn", async () => {
  const { done, agent, becomes, world, json } = await spawned("po");
  world.api.next({ text: "late", held: true });
  await done("send", "po", "think");
  const { uuid } = await becomes("po", "busy");
  expect(await done("send", "po", "and then this")).toContain("inbox");
  expect(timesIn(world.rollout(uuid!), "and then this")).toBe(0);
  await world.api.release();
  await until("the message", () => timesIn(world.rollout(uuid!), "and then this") === 1);
  await becomes("po", "idle");
  await done("queue", "drain", "po");
  expect(await agent("po")).toMatchObject({ queued: 0 });
  expect(timesIn(world.rollout(uuid!), "and then this")).toBe(1);
  const { queues } = await json<{ queues: object[] }>("queue", "list");
  expect(JSON.stringify(queues)).not.toContain("and then this");
});

test("an open dialog and a draft stay as they are", async () => {
  const { done, becomes, world, screen } = await spawned("po");
  world.api.next(approval, { text: "made" });
  await done("send", "po", "make it");
  const { uuid, pane } = await becomes("po", "waiting");
  const before = await screen("po");
  expect(await done("send", "po", "a word in between")).toContain("inbox");
  expect(await screen("po")).toBe(before);
  await done("approve", "po", "--yes");
  await until("the message", () => timesIn(world.rollout(uuid!), "a word in between") === 1);

  await becomes("po", "idle");
  world.home.tmux("send-keys", "-t", pane, "-l", "my own draft");
  await until("the draft", async () => (await screen("po")).includes("› my own draft"));
  await done("send", "po", "past the draft");
  // An idle client looks into its queue every ten seconds.
  await until("the message", () => timesIn(world.rollout(uuid!), "past the draft") === 1);
  expect(await screen("po")).toContain("› my own draft");
});

test("an agent's message carries its sender, and a command from it is refused", async () => {
  const { done, agent, world, becomes } = await spawned("po", "dev");
  const main = `${process.execPath} ${mainProgram}`;
  const input = { cmd: `${main} send dev 'is it done?'`, sandbox_permissions: "require_escalated" };
  world.api.next({ tool: "exec_command", input: { ...input, justification: "Talk to dev?" } });
  await done("send", "po", "ask dev");
  await becomes("po", "waiting");
  await done("approve", "po", "--yes");
  const { uuid } = await agent("dev");
  const message = await until("the message", () =>
    (world.rollout(uuid!) ?? "").split("\n").find((line) => /"UserMessage".*is it done\?/.test(line)),
  );
  expect(message).toContain("not from your user");
  expect(message).toMatch(/\[@po shop:0\.\d\] is it done\?/);
});

test("[PT5] what a killed client did not take is withdrawn, and delivered once to the next one", async () => {
  const { done, run, agent, becomes, world } = await spawned("po");
  world.api.next({ text: "never", held: true });
  await done("send", "po", "think");
  const { uuid, pane } = await becomes("po", "busy");
  await done("send", "po", "for later");
  const pid = Number(world.home.tmux("display-message", "-p", "-t", pane, "#{pane_pid}").trim());
  process.kill(pid, "SIGTERM");
  await until("its end", async () => (await agent("po")).activity !== "busy");
  const { code, stdout, stderr } = await run("queue", "drain", "po");
  expect([code, stdout + stderr]).toEqual([4, expect.stringContaining("1 message queued: its client ended")]);
  const waiting = await world.serve(async (wire) => (await openServer(wire)).waiting(uuid!));
  expect(waiting).toEqual([]);
  await done("agent", "restart", "po");
  expect(await agent("po")).toMatchObject({ uuid });
  await done("queue", "drain", "po");
  await until("the message", () => timesIn(world.rollout(uuid!), "for later") === 1);
  await becomes("po", "idle");
  await done("queue", "drain", "po");
  expect(timesIn(world.rollout(uuid!), "for later")).toBe(1);
});

test("a cleared queue also clears what its client had not taken", async () => {
  const { done, becomes, world } = await spawned("po");
  world.api.next({ text: "late", held: true });
  await done("send", "po", "think");
  const { uuid } = await becomes("po", "busy");
  await done("send", "po", "forget this");
  await done("queue", "clear", "po");
  const waiting = await world.serve(async (wire) => (await openServer(wire)).waiting(uuid!));
  expect(waiting).toEqual([]);
  await world.api.release();
});
