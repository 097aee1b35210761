// Which conversation the real program has, by the locks it holds.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { heldSessions, shownSession } from "../../../src/agents/codex/live-session.js";
import { readNames } from "../../../src/agents/codex/names.js";
import { recognises } from "../../../src/agents/codex/recognises.js";
import { readStatus } from "../../../src/agents/codex/screen/status-dialog.js";
import { readLastWords } from "../../../src/agents/codex/text/last-words.js";
import { readTitle, titleSetting } from "../../../src/agents/codex/title.js";
import { linuxProcesses } from "../../../src/base/system/linux-processes.js";
import { until } from "../../home.js";
import { type CodexWorld, type RealCodex, testCodex } from "./driver.js";

const held = ({ folder }: CodexWorld, { process }: RealCodex) => heldSessions(folder, process);
const only = (world: CodexWorld, codex: RealCodex) =>
  until("one held conversation", () => (held(world, codex).length === 1 ? held(world, codex)[0]! : null));

test("a process holds its conversation before its first turn; npm's script is not the agent", async () => {
  const world = await testCodex();
  const codex = await world.start();
  const id = await only(world, codex);
  expect(world.rollout(id)).toBeNull();
  expect(recognises(codex.process)).toBe(true);
  const script = linuxProcesses().findProcess(codex.process.ppid)!;
  expect(script.args[1]).toMatch(/codex\.js$/);
  expect(recognises(script)).toBe(false);

  await codex.submit("/status");
  await codex.waitForScreen(/Session:/);
  expect(readStatus(codex.screenWithColours())?.id).toBe(id);
});

test("a crash leaves the lock's file, and nobody holds it", async () => {
  const world = await testCodex();
  const codex = await world.start();
  const id = await only(world, codex);
  const lock = join(world.folder, "thread-writer-locks", `${id}.lock`);
  expect(existsSync(lock)).toBe(true);
  await codex.crash();
  expect(existsSync(lock)).toBe(true);
  expect(held(world, codex)).toEqual([]);
});

test("after /new it holds two conversations, and its title says which one it shows", async () => {
  const world = await testCodex();
  const codex = await world.start({ args: ["--no-daemon", "-c", titleSetting] });
  const first = await only(world, codex);
  await codex.submit("hello");
  await codex.waitForScreen(/Worked for/);
  await until("its id in the title", () => first.startsWith(readTitle(codex.title()).idStart ?? "?"));
  await codex.submit("/new");
  await until("two held conversations", () => held(world, codex).length === 2);
  const second = held(world, codex).find((id) => id !== first)!;
  await until("the new id in the title", () => shownSession(held(world, codex), codex.title()) === second);
  expect(shownSession(held(world, codex), null)).toBeNull();
});

test("the conversation of a sub-agent is not the pane's", async () => {
  const world = await testCodex();
  const codex = await world.start({ args: ["--no-daemon", "--enable", "multi_agent_v2"] });
  const id = await only(world, codex);
  const input = { message: "child task", task_name: "child" };
  world.api.next({ tool: "spawn_agent", namespace: "collaboration", input }, { text: "spawned" });
  await codex.submit("spawn one");
  await codex.waitForScreen(/Completed/);
  const locks = readdirSync(join(world.folder, "thread-writer-locks")).filter((name) =>
    /^[0-9a-f]/.test(name),
  );
  expect(locks).toHaveLength(2);
  expect(held(world, codex)).toEqual([id]);
});

test("a name is in the title, in the index and in its last words", async () => {
  const world = await testCodex();
  const codex = await world.start();
  const id = await only(world, codex);
  await codex.submit("hello");
  await codex.waitForScreen(/Worked for/);
  await codex.submit("/rename my-role");
  await until("its name in the title", () => readTitle(codex.title()).name === "my-role");
  expect(readNames(world.folder).get(id)).toBe("my-role");

  await codex.submit("/quit");
  const rows = () => world.home.tmux("capture-pane", "-p", "-S", "-", "-t", codex.pane).split("\n");
  const words = await until("its last words", () => readLastWords(rows()));
  expect(words).toEqual({ session: id, title: "my-role" });
});

test("the title shows its activity", async () => {
  const world = await testCodex();
  const codex = await world.start();
  world.api.next({ text: "late", held: true });
  await codex.submit("wait");
  await until("busy in the title", () => readTitle(codex.title()).activity === "busy");
  await world.api.release();
  await codex.waitForScreen(/Worked for/);
  await until("a calm title", () => readTitle(codex.title()).activity === null);
});

test("SIGHUP, as a closed pane sends it, ends the process", async () => {
  const world = await testCodex();
  const codex = await world.start();
  await world.start({ args: ["--no-daemon"] });
  world.home.tmux("kill-pane", "-t", codex.pane);
  await until("its end", () => linuxProcesses().findProcess(codex.process.pid) === null);
});
