// Messages into the real OpenCode, what it does meanwhile, and what its conversations look like from outside.

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMessageOf } from "../../../src/agents/opencode/message-id.js";
import { loopbackPorts } from "../../../src/base/system/listening.js";
import { until } from "../../home.js";
import { type OpencodeWorld, testOpencode } from "./driver.js";

/** Every command that answers an agent ends in words, and names the one that helps. */
async function allRefused({ run }: OpencodeWorld, role: string): Promise<void> {
  for (const [command, ...words] of [
    ...[["approve"], ["approve", "--always"], ["reject"], ["reject", "not so"]],
    ...[["answer", "1"], ["option", "1"], ["dismiss"]],
  ]) {
    const { code, stdout, stderr } = await run(command!, role, ...words);
    expect([command, code, stdout]).toEqual([command, 1, ""]);
    expect(stderr).toContain("cannot answer its questions\n  answer in its pane: hivemind go NAME\n");
    expect(stderr).not.toContain("    at ");
  }
}

test("a message is recorded once, under our own id: idle, in a turn, and beside a draft", async () => {
  const { done, agent, becomes, api, conversation, home, screen } = await testOpencode();
  await done("team", "setup", "shop", "po", "--kind", "opencode");
  const { uuid, paneId } = await becomes("po", "idle");
  api.next({ text: "late", held: true });
  await done("send", "po", "first words");
  await becomes("po", "busy");
  home.tmux("send-keys", "-t", paneId, "-l", "my draft");
  await done("send", "po", "second words");
  await until("the queued message", async () => (await screen("po")).includes("QUEUED"));
  await api.release();
  await until("both answers", () => conversation(uuid!).split('"role":"assistant"').length === 3);
  await becomes("po", "idle");
  expect(await screen("po")).toContain("my draft");
  await done("queue", "drain", "po").catch(() => "");
  const lines = conversation(uuid!)
    .split("\n")
    .filter((line) => line.includes('"role":"user"'));
  const users = lines.map((line) => JSON.parse(line) as { id: string; parts: { text: string }[] });
  expect(users.map(({ parts }) => parts.map(({ text }) => text))).toEqual([
    ["first words"],
    ["second words"],
  ]);
  const receipts = readFileSync(join(home.config, "hivemind.receipts.log"), "utf8");
  const ids = [...new Set([...receipts.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!))];
  for (const { id } of users) expect(ids.filter((letter) => isMessageOf(id, letter))).toHaveLength(1);
  expect((await agent("po")).uuid).toBe(uuid);
});

test("busy, waiting and idle; a failed turn; the context; no answer by key", async () => {
  const world = await testOpencode();
  const { done, agent, becomes, api, json, home, screen } = world;
  await done("team", "setup", "shop", "po", "--kind", "opencode");
  await becomes("po", "idle");
  await allRefused(world, "po");
  api.next({ text: "late", held: true, usage: { prompt_tokens: 25_000, completion_tokens: 40 } });
  await done("send", "po", "think");
  expect(await becomes("po", "busy")).toMatchObject({ kind: "opencode" });
  await api.release();
  await becomes("po", "idle");
  const { contexts } = await json<{ contexts: object[] }>("context");
  expect(contexts).toMatchObject([{ used: 25_000, window: null, model: "stub/stand-in" }]);

  api.next({ tool: "bash", input: { command: "touch made", description: "makes it" } }, { text: "made" });
  await done("send", "po", "make it");
  expect((await becomes("po", "waiting")).waitingFor).toContain("Permission required");
  const { paneId } = await agent("po");
  expect(await done("inbox")).toContain(`Permission required\n  → hivemind go ${paneId}\n`);
  await allRefused(world, "po");
  expect(await screen("po")).toContain("Permission required");
  home.tmux("send-keys", "-t", paneId, "Enter");
  await until("its tool", () => readdirSync(home.work).includes("made"));
  await becomes("po", "idle");

  api.next({ error: 400, message: "the model is asleep" });
  await done("send", "po", "wake up");
  const failed = await becomes("po", "error");
  expect(JSON.stringify(failed)).toContain("the model is asleep");
});

test("[KEY1] its password is in a private file and in no argument, and its server asks for it", async () => {
  const { done, agent, home } = await testOpencode();
  await done("team", "setup", "shop", "po", "--kind", "opencode");
  const { paneId, uuid } = await agent("po");
  const path = join(home.config, "hivemind.keys", uuid!);
  const key = readFileSync(path, "utf8").trim();
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  const pid = Number(home.tmux("display-message", "-p", "-t", paneId, "#{pane_pid}"));
  expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toContain(key);
  expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(key);
  expect(home.tmux("display-message", "-p", "-t", paneId, "#{pane_start_command}")).not.toContain(key);
  for (const name of readdirSync(home.config, { recursive: true, encoding: "utf8" })) {
    const each = join(home.config, name);
    if (each !== path && lstatSync(each).isFile()) expect(readFileSync(each, "utf8")).not.toContain(key);
  }
  const [port] = loopbackPorts(pid)!;
  expect((await fetch(`http://127.0.0.1:${port}/session`)).status).toBe(401);
});

test("a client that shows another conversation is unknown, and gets no message", async () => {
  const { done, run, agent, becomes, home, screen, conversation } = await testOpencode();
  await done("team", "setup", "shop", "po", "--kind", "opencode");
  const { uuid, paneId } = await becomes("po", "idle");
  home.tmux("send-keys", "-t", paneId, "-l", "/new");
  await until("the menu", async () => (await screen("po")).includes("New session"));
  home.tmux("send-keys", "-t", paneId, "Enter");
  const title = () => home.tmux("display-message", "-p", "-t", paneId, "#{pane_title}").trim();
  await until("another title", () => title() === "OpenCode");
  expect(await agent("po")).toMatchObject({ state: "unknown" });
  const sent = await run("send", "po", "lost words");
  expect([sent.code, sent.stdout]).toEqual([4, expect.stringContaining("queued")]);
  expect(conversation(uuid!)).not.toContain("lost words");
});

test("a conversation is listed, shown, found and exported, and what it cannot do is said in words", async () => {
  const { done, run, agent, api, screen } = await testOpencode();
  await done("team", "setup", "shop", "po", "--kind", "opencode");
  const { uuid } = await agent("po");
  api.next({ text: "The pangolin is awake." });
  await done("send", "po", "--wait", "how is the pangolin");
  const row = (await done("sessions")).split("\n").find((line) => line.includes(uuid!));
  expect(row).toMatch(/opencode +running shop:0\.0 .* po$/);
  const shown = await done("sessions", "show", uuid!);
  expect(shown).toMatch(/user .* how is the pangolin/);
  expect(shown).toMatch(/assistant .* The pangolin is awake\./);
  expect(await done("sessions", "search", "pangolin")).toContain("The pangolin is awake.");
  expect(await done("sessions", "export", uuid!)).toContain("The pangolin is awake.");
  for (const args of [
    ["fork", uuid!],
    ["keep", uuid!],
    ["rm", uuid!, "--yes"],
  ]) {
    const { code, stdout, stderr } = await run("sessions", ...args);
    expect([args, code, stdout]).toEqual([args, 1, ""]);
    expect(stderr).toMatch(/hivemind cannot (?:copy|archive) an OpenCode conversation|is running/);
    expect(stderr).not.toContain("    at ");
  }
  // The role changes, and nothing is typed: the conversation keeps its title, and is still known.
  expect(await done("agent", "rename", "po", "lead")).toContain("is lead now (was po)");
  expect(await agent("lead")).toMatchObject({ uuid, activity: "idle" });
  expect(await screen("lead")).not.toContain("rename");
  await done("agent", "rename", "lead", "po");
  const probe = await run("sessions", "probe", "po");
  expect([probe.code, probe.stderr]).toEqual([1, expect.stringContaining("OpenCode shows the id")]);
  await done("agent", "kill", "po", "--yes");
  expect(await done("sessions", "show", uuid!)).toContain(`opencode -s ${uuid}`);
});
