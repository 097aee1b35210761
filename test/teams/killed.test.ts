// hivemind is killed with -9 in the middle of its work, at seeded moments that are spread over all of it.

import { spawn } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isAgent } from "../../src/fleet/role-of.js";
import { openHive } from "../../src/hive.js";
import type { PaneAddress, SessionId } from "../../src/names/gates.js";
import type { Problem } from "../../src/stores/error.js";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, mainProgram, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { killedBefore } from "../killed-before.js";
import { expectWhole, killServer, panesOf, picture, restore, smallFleet, startFleet } from "./fleets.js";

const demo = ["--team", "web", "--kind", "demo"];

/** How long it takes when nobody interferes. */
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

/** Every store can be read, every agent is known by rows and mark, and no session is open twice. */
async function expectAccepted(home: TestHome, when: string): Promise<void> {
  const problems: Problem[] = [];
  const stores = openStores(home.env, (problem) => problems.push(problem));
  const roles = new Map(stores.roles.read().rows.map(({ pane, role }) => [pane, role]));
  const sessions = new Map(stores.sessions.read().rows.map(({ pane, uuid }) => [pane, uuid]));
  stores.teams.read();
  for (const pane of stores.queues.panes()) stores.queues.read(pane);
  for (const { path } of stores.snapshots.list()) stores.snapshots.read(path);
  for (const team of stores.layouts.list()) stores.layouts.read(team);
  expect([...stores.forks.scan()].length, when).toBeGreaterThan(0);
  expect(problems, when).toEqual([]);

  const open: (SessionId | null)[] = [];
  for (const pane of (await openHive({ env: home.env }).panes()).panes.filter(isAgent)) {
    const address = pane.address as PaneAddress;
    expect(roles.get(address), when).toBeDefined();
    expect(pane.mark, when).toMatchObject({ address, role: roles.get(address) });
    expect(sessions.get(address), when).toBe(pane.arguments?.began);
    open.push(pane.arguments?.began ?? null);
  }
  expect(new Set(open).size, when).toBe(open.length);
}

/** The same command once more does it now, or says that it is done; then the agent is there, once. */
async function expectDone(home: TestHome, args: readonly string[], role: string, when: string) {
  const { code, stderr } = hivemind(home, args);
  if (code !== 0) expect(stderr, when).toMatch(new RegExp(` is ${role} already`));
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

test("a spawn killed at any moment leaves what the next run accepts, and no agent that nobody knows", async () => {
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

test("a fork killed at any moment is done by the same command, and has its parent", async () => {
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

/** Killed before its first changing operation, then before the second of what is left to do, and so on to the end. */
function killedOnAndOn(home: TestHome, args: readonly string[]): number {
  let operation = 1;
  while (killedBefore(home, operation, args)) operation++;
  return operation - 1;
}

const standing = (home: TestHome) =>
  panesOf(home).map(({ pane, role, kind, activity }) => [pane, role, kind, activity]);

test("[SU5] a setup killed at every step on its way goes on each time, and leaves only what was asked for", () => {
  const home = testHome();
  const args = ["team", "setup", "web", "lead", "dev", "--kind", "demo"];
  expect(killedOnAndOn(home, args)).toBeGreaterThan(5);
  expect(hivemind(home, args)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ lead was in web:0\.0 already\n✓ dev was in web:0\.1 already\n/),
    stderr: "",
  });
  expect(standing(home)).toEqual([
    ["web:0.0", "lead", "demo", "idle"],
    ["web:0.1", "dev", "demo", "idle"],
  ]);
});

test("[TSP3] a spawn or fork killed at every step on its way leaves one pane, with its agent", async () => {
  const home = await team();
  expect(killedOnAndOn(home, ["agent", "spawn", "po", ...demo])).toBeGreaterThan(3);
  expect(killedOnAndOn(home, ["agent", "spawn", "sh", "--team", "web", "--kind", "shell"])).toBeGreaterThan(
    3,
  );
  expect(hivemind(home, ["send", "po", "hello"]).code).toBe(0);
  const hive = openHive({ env: home.env });
  await until("its transcript", async () => (await hive.observe()).index.transcripts.length > 0);
  // Once the child has begun, the same command would make another one.
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

test("[RT2] a restore killed at any moment is made whole by the next one", async () => {
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
