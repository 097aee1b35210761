// Older clients have no registry: there the title algorithm must be right, or answer unknown.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { testHome, until } from "../home.js";
import { chosen, lookAt, sayBlind, sessionsIn, uuid } from "./look.js";

const old = { DEMO_NO_REGISTRY: "1", DEMO_VERSION: "2.0.14" };

test("a renamed session is found by its last title", async () => {
  const home = testHome();
  const agent = startAgent(home, ["-n", "first"], { env: old });
  await agent.sees("❯");
  await sayBlind(agent, "a word");
  agent.type("/rename second");
  agent.press("Enter");
  await until("the title has changed", () => agent.title().includes("second"));
  const found = await until("the transcript has the title", async () => {
    const look = await lookAt(home, agent.pane);
    return look.title === "second" ? look : null;
  });
  expect(chosen(found)).toEqual({ uuid: expect.any(String), source: "title" });
});

test("a fork and its parent of one title: arguments and the copied beginning distinguish them (incident 24)", async () => {
  const home = testHome();
  const parent = startAgent(home, ["--session-id", uuid(1), "-n", "po"], { env: old });
  await parent.sees("❯");
  await sayBlind(parent, "remember this");
  const fork = startAgent(home, ["--resume", uuid(1), "--fork-session"], { env: old });
  await fork.sees("❯");
  expect(await sessionsIn(home, parent, fork)).toEqual([uuid(1), null]);
  await sayBlind(fork, "another word");
  const [parentId, forkId] = await sessionsIn(home, parent, fork);
  expect(parentId).toBe(uuid(1));
  expect(forkId).not.toBeNull();
  expect(forkId).not.toBe(uuid(1));
});

test.each([
  ["2.1.197", { uuid: null, source: undefined }],
  ["2.1.325", { uuid: expect.any(String), source: "records" }],
])(
  "after /clear without a registry the records of %s decide, never the arguments",
  async (version, expected) => {
    const home = testHome();
    const env = { DEMO_NO_REGISTRY: "1", DEMO_VERSION: version };
    const agent = startAgent(home, ["--session-id", uuid(1), "-n", "po"], { env });
    await agent.sees("❯");
    await sayBlind(agent, "a word");
    agent.type("/clear");
    agent.press("Enter");
    await until("a cleared screen", () => !agent.screen().includes("Heard: a word"));
    await sayBlind(agent, "a word after it");
    const found = await lookAt(home, agent.pane);
    expect(chosen(found)).toEqual(expected);
    expect(found.uuid).not.toBe(uuid(1));
  },
);

test("one title in two folders: each pane has the one of its folder (incident 15)", async () => {
  const home = testHome();
  const folders = ["left", "right"].map((name) => join(home.work, name));
  for (const folder of folders) mkdirSync(folder);
  const agents = folders.map((cwd) => startAgent(home, ["-n", "po"], { cwd, env: old }));
  for (const agent of agents) {
    await agent.sees("❯");
    await sayBlind(agent, "a word");
  }
  const [left, right] = await sessionsIn(home, ...agents);
  const cwdOf = async (pane: string) => hivemind(home, ["session", "discover", pane, "--explain"]).stderr;
  expect(left).not.toBeNull();
  expect(right).not.toBeNull();
  expect(left).not.toBe(right);
  expect(await cwdOf(agents[0]!.pane)).toContain(left);
});

test("two of one title in one folder, started by hand: ambiguous, not guessed (incident 26)", async () => {
  const home = testHome();
  const agents = [1, 2].map(() => startAgent(home, ["-n", "po"], { env: old }));
  for (const agent of agents) {
    await agent.sees("❯");
    await sayBlind(agent, "a word");
  }
  expect(await sessionsIn(home, ...agents)).toEqual([null, null]);
  const { stdout, stderr } = hivemind(home, ["session", "discover", agents[0]!.pane, "--explain"]);
  expect(stdout).toBe("|unknown|po\n");
  expect(stderr).toContain("ambiguous");
  expect(hivemind(home, ["session", "current", agents[0]!.pane]).code).toBe(1);
});
