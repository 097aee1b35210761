// hivemind is killed with -9 at seeded moments that are spread over its work.

import { spawn } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isAgent } from "../../src/fleet/roster/role-of.js";
import { openHive } from "../../src/hive/hive.js";
import type { PaneAddress, SessionId } from "../../src/names/gates.js";
import type { Problem } from "../../src/stores/file/error.js";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, mainProgram, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { killedBefore } from "../killed-before.js";
import { expectWhole, killServer, panesOf, picture, restore, smallFleet, startFleet } from "./fleets.js";

const demo = ["--team", "web", "--kind", "demo"];

/** How long it takes without interference. */
function timed(run: () => { code: number | null; stderr: string }): number {
  const begun = Date.now();
  expect(run()).toMatchObject({ code: 0, stderr: "" });
  return Date.now() - begun;
}

/** One in each of `count` equal parts of the time. */
function moments(lengthMs: number, count: number, seed: number): number[] {
  const within = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: count, seed });
  return within.map((part, at) => Math.round(((at + part) / count) * lengthMs));
}

async function killedAfter(home: TestHome, delayMs: number, args: readonly string[]): Promise<void> {
  const options = { env: home.env, cwd: home.work, stdio: "ignore" } as const;
  const child = spawn(process.execPath, [mainProgram, ...args], options);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const timer = setTimeout(() => child.kill("SIGKILL"), delayMs);
  await ended;
  clearTimeout(timer);
}

/** Every store is readable, the roster and its views know every agent, and no session is open twice. */
async function expectAccepted(home: TestHome, when: string): Promise<void> {
  const problems: Problem[] = [];
  const stores = openStores(home.env, (problem) => problems.push(problem));
  const roles = new Map(stores.roles.read().rows.map(({ pane, role }) => [pane, role]));
  const sessions = new Map(stores.sessions.read().rows.map(({ pane, uuid }) => [pane, uuid]));
  stores.teams.read();
  for (const agent of stores.queues.agents()) stores.queues.read(agent);
  for (const { path } of stores.snapshots.list()) stores.snapshots.read(path);
  for (const team of stores.layouts.list()) stores.layouts.read(team);
  expect([...stores.forks.scan()].length, when).toBeGreaterThan(0);
  expect(problems, when).toEqual([]);

  const open: (SessionId | null)[] = [];
  for (const pane of (await openHive({ env: home.env }).panes()).panes.filter(isAgent)) {
    const address = pane.address as PaneAddress;
    expect(roles.get(address), when).toBeDefined();
    expect(pane.agent, when).toMatchObject({ address, role: roles.get(address) });
    expect(sessions.get(address), when).toBe(pane.arguments?.began);
    open.push(pane.arguments?.began ?? null);
  }
  expect(new Set(open).size, when).toBe(open.length);
}

/** The same command again completes it, or reports that it is done; then the agent exists once. */
async function expectDone(home: TestHome, args: readonly string[], role: string, when: string) {
  const { code, stderr } = hivemind(home, args);
  if (code !== 0) expect(stderr, when).toMatch(new RegExp(` (is|agent) ${role} already`));
  await expectAccepted(home, when);
  const mine = panesOf(home).filter((pane) => pane.role === role);
  expect(mine, when).toMatchObject([{ kind: "demo", uuid: expect.any(String) }]);
  return mine[0]!;
}

async function team(): Promise<TestHome> {
  const home = testHome();
  tmuxTeam(home, "web");
  hivemind(home, ["team", "register", "web"]);
  return home;
}

test("a spawn killed at any moment leaves a state that the next run accepts, and no unknown agent", async () => {
  const home = await team();
  const lengthMs = timed(() => hivemind(home, ["agent", "spawn", "first", ...demo]));
  for (const [round, delayMs] of moments(lengthMs, 5, 1).entries()) {
    const args = ["agent", "spawn", `agent${round}`, ...demo];
    const when = `round ${round}, killed after ${delayMs} of ${lengthMs} ms`;
    await killedAfter(home, delayMs, args);
    await expectAccepted(home, when);
    expect(hivemind(home, ["registry", "refresh"]), when).toMatchObject({ code: 0, stderr: "" });
    await expectDone(home, args, `agent${round}`, when);
  }
}, 120_000);

test("a fork killed at any moment is completed by the same command, and has its parent", async () => {
  const home = await team();
  expect(hivemind(home, ["agent", "bootstrap", "po", ...demo]).code).toBe(0);
  const parent = panesOf(home).find(({ role }) => role === "po")!.uuid!;
  const hive = openHive({ env: home.env });
  await until("its transcript", async () => (await hive.observe()).index.byId.has(parent));
  const lengthMs = timed(() => hivemind(home, ["agent", "fork", "po", "--as", "first"]));
  for (const [round, delayMs] of moments(lengthMs, 4, 2).entries()) {
    const args = ["agent", "fork", "po", "--as", `scout${round}`];
    const when = `round ${round}, killed after ${delayMs} of ${lengthMs} ms`;
    await killedAfter(home, delayMs, args);
    await expectAccepted(home, when);
    expect(hivemind(home, ["registry", "refresh"]), when).toMatchObject({ code: 0, stderr: "" });
    const { uuid } = await expectDone(home, args, `scout${round}`, when);
    expect([...hive.stores.forks.scan({ uuid: uuid! })][0], when).toMatchObject({ parent });
  }
}, 120_000);

/** Killed before its first change, then before the second remaining change, and so on to the end. */
function killedOnAndOn(home: TestHome, args: readonly string[]): number {
  let operation = 1;
  while (killedBefore(home, operation, args)) operation++;
  return operation - 1;
}

const standing = (home: TestHome) =>
  panesOf(home).map(({ pane, role, kind, activity }) => [pane, role, kind, activity]);

test("a setup killed at every step continues each time, and leaves only the wanted team", () => {
  const home = testHome();
  const args = ["team", "setup", "web", "lead", "dev", "--kind", "demo"];
  expect(killedOnAndOn(home, args)).toBeGreaterThan(5);
  expect(hivemind(home, args)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ lead was already in web:0\.0\n✓ dev was already in web:0\.1\n/),
    stderr: "",
  });
  expect(standing(home)).toEqual([
    ["web:0.0", "lead", "demo", "idle"],
    ["web:0.1", "dev", "demo", "idle"],
  ]);
});

test("a spawn or fork killed at every step leaves one pane, with its agent", async () => {
  const home = await team();
  expect(killedOnAndOn(home, ["agent", "spawn", "po", ...demo])).toBeGreaterThan(3);
  expect(killedOnAndOn(home, ["agent", "spawn", "sh", "--team", "web", "--kind", "shell"])).toBeGreaterThan(
    3,
  );
  expect(hivemind(home, ["send", "po", "hello"]).code).toBe(0);
  const hive = openHive({ env: home.env });
  await until("its transcript", async () => (await hive.observe()).index.transcripts.length > 0);
  // Once the child has started, the same command would make another one.
  const hasBegun = () => standing(home).some(([, role, kind]) => role === "po-2" && kind === "demo");
  for (let operation = 1; !hasBegun(); operation++) killedBefore(home, operation, ["agent", "fork", "po"]);
  await until("its child", () => standing(home)[3]?.[3] === "idle");
  expect(standing(home)).toEqual([
    ["web:0.0", null, "shell", expect.anything()],
    ["web:0.1", "po", "demo", "idle"],
    ["web:0.2", "sh", "shell", expect.anything()],
    ["web:0.3", "po-2", "demo", "idle"],
  ]);
});

test("a restore killed at any moment is completed by the next one", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  const before = picture(home);
  await killServer(home);
  const lengthMs = timed(() => restore(home));
  for (const [round, delayMs] of moments(lengthMs, 4, 3).entries()) {
    await killServer(home);
    await killedAfter(home, delayMs, ["teams", "restore"]);
    await expectAccepted(home, `round ${round}, killed after ${delayMs} of ${lengthMs} ms`);
    expectWhole(home, before);
  }
}, 180_000);
