// Starts of the real program with our arguments, in conversations that its server made before.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openServer, type Server } from "../../../src/agents/codex/app-server.js";
import { sessionArguments } from "../../../src/agents/codex/arguments.js";
import { codexTranscripts } from "../../../src/agents/codex/find.js";
import { launchArguments } from "../../../src/agents/codex/launch.js";
import { heldSessions } from "../../../src/agents/codex/live-session.js";
import { codexLines } from "../../../src/agents/codex/transcript/lines.js";
import type { Launch } from "../../../src/agents/launch.js";
import type { SessionId } from "../../../src/names/gates.js";
import { newSearch } from "../../../src/transcripts/find.js";
import { type Facts, noFacts } from "../../../src/transcripts/transcript.js";
import { until } from "../../home.js";
import { type CodexWorld, testCodex } from "./driver.js";

const served = <T>(world: CodexWorld, act: (server: Server) => Promise<T>) =>
  world.serve(async (wire) => act(await openServer(wire)));

function factsOf(world: CodexWorld, id: SessionId): Facts {
  const bytes = Buffer.from(world.rollout(id) ?? "");
  const facts = noFacts();
  codexLines.addFacts(facts, bytes, 0, bytes.length);
  return facts;
}

const answered = (world: CodexWorld, id: SessionId, words: string) =>
  until(`the answer ${words}`, () => {
    const { lastTurn } = factsOf(world, id);
    return lastTurn?.end === "answer" && lastTurn.words === words;
  });

test("a new conversation has its id before the start, and its name, model and first message", async () => {
  const world = await testCodex();
  const { home, api, folder } = world;
  execFileSync("git", ["init", "-q", "-b", "topic", home.work]);
  const id = await served(world, (server) => server.create(home.work, "po"));
  expect(codexTranscripts.findSessions(folder, new Set([id]), newSearch()).map((found) => found.id)).toEqual([
    id,
  ]);
  api.next({ text: "hello", usage: { input_tokens: 1_200, cached_tokens: 1_000, output_tokens: 34 } });
  const prompt = "-- first words\n  and a second line";
  const launch: Launch = {
    session: { how: "create", id },
    name: "po",
    model: "gpt-5.4",
    permissionMode: "read-only",
    mcpServer: [process.execPath, "-e", ""],
    prompt,
  };
  const codex = await world.start({ args: [...launchArguments(launch)] });
  await answered(world, id, "hello");
  expect(heldSessions(folder, codex.process)).toEqual([id]);
  expect(sessionArguments(codex.process.args)).toMatchObject({ began: id, model: "gpt-5.4" });
  expect(api.requests.some(({ lastText }) => lastText === prompt)).toBe(true);
  const facts = factsOf(world, id);
  expect(facts).toMatchObject({
    firstCwd: home.work,
    lastCwd: home.work,
    model: "gpt-5.4",
    messages: 2,
    usedTokens: 1_234,
    largestTokens: 1_234,
    version: "0.166.0",
  });
  const lines = world.rollout(id)!;
  expect(facts.windowTokens).toBeGreaterThan(100_000);
  expect(lines).toContain('"sandbox_policy":{"type":"read-only"');
  await until("its name in the title", () => codex.title().startsWith("po | "));
});

test("a fork has its id before the start, and names its parent", async () => {
  const world = await testCodex();
  const { home, folder } = world;
  const parent = await served(world, (server) => server.create(home.work, "po"));
  const launch = (id: SessionId): Launch => ({ session: { how: "resume", id }, name: null, prompt: "hello" });
  const first = await world.start({ args: launchArguments(launch(parent)) });
  await answered(world, parent, "ok");
  // The parent goes on in its pane.
  const id = await served(world, (server) => server.fork(parent, home.work));
  const second = await world.start({ args: launchArguments(launch(id)) });
  await answered(world, id, "ok");
  expect(heldSessions(folder, first.process)).toEqual([parent]);
  expect(heldSessions(folder, second.process)).toEqual([id]);
  expect(factsOf(world, id)).toMatchObject({ forkedFrom: { sessionId: parent }, messages: 2 });
  expect(factsOf(world, parent)).toMatchObject({ forkedFrom: null, messages: 2 });
});

test("a conversation resumes in another folder without a question, in the same file", async () => {
  const world = await testCodex();
  const { home, folder } = world;
  const id = await served(world, (server) => server.create(home.work, "po"));
  const other = join(home.root, "other");
  mkdirSync(other);
  const launch: Launch = { session: { how: "resume", id }, name: null, prompt: "hello" };
  await world.start({ args: launchArguments(launch), cwd: other });
  await answered(world, id, "ok");
  expect(factsOf(world, id)).toMatchObject({ firstCwd: home.work, lastCwd: other });
  expect(codexTranscripts.findSessions(folder, new Set([id]), newSearch())).toHaveLength(1);
});
