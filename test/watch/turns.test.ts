import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HiveError } from "../../src/base/errors.js";
import { limits } from "../../src/limits.js";
import type { PaneAddress, TeamName } from "../../src/names/gates.js";
import { openStores } from "../../src/stores/stores.js";
import { writeLaunches } from "../../src/up/launch.js";
import { openRecorded } from "../../src/watch/recorded.js";
import { openSaves } from "../../src/watch/saves.js";
import { openTurns } from "../../src/watch/turn.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";
import { agent, seated } from "../up/made.js";
import { agentId, stageOf } from "./made.js";
import { becomes, tickMs, ticks, wishes } from "./ticks.js";

const web = "web" as TeamName;

test("a minute with 100 agents and nothing happening is two looks, four glances and no write (incident 62)", async () => {
  const home = testHome();
  const stage = await stageOf(home, 100);
  await ticks(stage, 1);
  const [before, first] = [contentsOf(home.config), { ...stage.calls }];
  expect(first).toEqual({ observe: 1, screens: 1, save: 1 });
  await ticks(stage, 60_000 / tickMs);
  expect(stage.calls).toEqual({ observe: 1 + 2, screens: 1 + 2, save: 1, glance: 4 });
  expect(contentsOf(home.config)).toEqual(before);
});

test("a glance that finds a pane gone is followed by a look", async () => {
  const stage = await stageOf(testHome(), 2);
  await ticks(stage, 1);
  const told = await ticks(stage, 3, (tick) => {
    if (tick === 1) stage.agents.pop();
  });
  expect(told).toMatchObject([{ kind: "ended", pane: "web:1.0" }]);
});

test.each(["busy", "waiting"])("while an agent is %s, every tick is a look", async (activity) => {
  const stage = await stageOf(testHome(), 2);
  becomes(stage, 0, activity);
  await ticks(stage, 1);
  const { observe } = stage.calls;
  await ticks(stage, 3);
  expect(stage.calls).toMatchObject({ observe: observe! + 3 });
  expect(stage.calls.glance).toBeUndefined();
});

test("a failing look is reported once, and again when it is well", async () => {
  const stage = await stageOf(testHome(), 2);
  const { observe } = stage.world;
  const turn = openTurns(stage.world, wishes);
  const kinds = async () => (await turn()).facts.map(({ kind }) => kind);
  expect(await kinds()).toEqual(["saved"]);
  stage.world.observe = async () => {
    throw new HiveError("tmux hangs");
  };
  expect([await kinds(), await kinds()]).toEqual([["trouble"], []]);
  stage.world.observe = observe;
  expect([await kinds(), await kinds()]).toEqual([["well"], []]);
});

test("a fact from a time without looks is reported afterwards, and a failed look ends nothing", async () => {
  const stage = await stageOf(testHome(), 2);
  const { observe } = stage.world;
  const turn = openTurns(stage.world, wishes);
  await turn();
  stage.world.observe = () => Promise.reject(new HiveError("tmux hangs"));
  becomes(stage, 1, "waiting");
  await turn();
  stage.world.observe = observe;
  expect((await turn()).facts).toMatchObject([
    { kind: "well", text: "looking: well again" },
    { kind: "waiting", role: "agent1" },
  ]);
});

test("a step that fails does not keep the others from being done; a bug ends the loop", async () => {
  const stage = await stageOf(testHome(), 1);
  await stage.stores.queues.append(agentId(0), "inform", "hello");
  stage.world.drain = () => Promise.reject(new HiveError("the pane hangs"));
  const turn = openTurns(stage.world, wishes);
  expect((await turn()).facts).toMatchObject([
    { kind: "trouble", text: "delivering messages: the pane hangs" },
    { kind: "saved" },
  ]);
  stage.world.drain = () => Promise.reject(new TypeError("a bug"));
  await expect(turn()).rejects.toThrow("a bug");
});

test("events of others during the steps count at the next look and are reported once; our own do not count", async () => {
  const home = testHome();
  const stage = await stageOf(home, 3);
  const killed = (at: number) => {
    const pane = `web:${at}.0` as PaneAddress;
    return { name: "agent.killed", pane, cause: "asked", agent: agentId(at) } as const;
  };
  await stage.stores.queues.append(agentId(0), "inform", "hello");
  const turn = openTurns(stage.world, wishes);
  stage.world.drain = async () => {
    await openStores(home.env).events.log([killed(1), killed(2)]);
    await stage.stores.events.log([killed(0), killed(2)]);
    return { fates: [], stopped: { kind: "held", why: "a draft" } };
  };
  const first = await turn();
  expect(first.facts.filter(({ kind }) => kind === "event")).toHaveLength(4);
  const { observe } = stage.world;
  stage.world.observe = () => Promise.reject(new HiveError("tmux hangs"));
  await turn();
  stage.world.observe = observe;
  stage.agents.splice(0, 3);
  const second = await turn();
  expect(second.facts).toMatchObject([
    { kind: "well" },
    { kind: "ended", pane: "web:0.0", about: "its pane is gone" },
  ]);
});

test("the messages of an agent that is away are left alone, whoever is at its address (incident 45)", async () => {
  const stage = await stageOf(testHome(), 1);
  await stage.stores.queues.append(agentId(7), "inform", "hello");
  await openTurns(stage.world, wishes)();
  expect(stage.calls.drain).toBeUndefined();
  await stage.stores.queues.append(agentId(0), "inform", "hello");
  await openTurns(stage.world, wishes)();
  expect(stage.calls.drain).toBe(1);
});

test("the queue of an agent that took no message is not tried at the next turn", async () => {
  const stage = await stageOf(testHome(), 1);
  await stage.stores.queues.append(agentId(0), "inform", "hello");
  const { drain } = stage.world;
  stage.world.drain = async (each) => {
    await drain(each);
    return { fates: [], stopped: { kind: "held", why: "a draft" } };
  };
  const turn = openTurns(stage.world, wishes);
  await turn();
  await turn();
  expect(stage.calls.drain).toBe(1);
});

test("S5 is read when it has changed, not at every turn", async () => {
  const { stores } = await stageOf(testHome(), 1);
  let scans = 0;
  const recorded = openRecorded({
    ...stores.forks,
    lastOfEach() {
      scans += 1;
      return stores.forks.lastOfEach();
    },
  });
  const [row] = [...stores.forks.scan()];
  expect([recorded().has(row!), recorded().has(row!), scans]).toEqual([true, true, 1]);
  const other = { ...row!, parent: row!.uuid };
  expect(recorded().has(other)).toBe(false);
  await stores.forks.append([other]);
  expect([recorded().has(other), scans]).toEqual([true, 2]);
});

test("only autosaves are pruned, and none that is a team's newest", async () => {
  const { stores, world } = await stageOf(testHome(), 1);
  const fleet = await world.observe();
  const { rows } = await world.save(fleet, [web]);
  const other = rows.map((row) => ({ ...row, team: "old" as TeamName }));
  const create = (autosaved: boolean, nowMs: number, saved = rows) =>
    stores.snapshots.create(saved, { isAutosave: autosaved, nowMs });
  const oldest = await create(true, Date.now(), other);
  const byHand = await create(false, Date.now());
  const saves = openSaves(stores.snapshots);
  expect([...saves.newest().keys()].sort()).toEqual(["old", "web"]);
  for (let count = 0; count < limits.autosaves + 5; count++) await create(true, Date.now());
  await saves.prune();
  const left = stores.snapshots.list().map(({ path }) => path);
  expect(left).toHaveLength(limits.autosaves + 2);
  expect(left).toEqual(expect.arrayContaining([oldest, byHand]));
});

test("each snapshot is read once", async () => {
  const { stores, world } = await stageOf(testHome(), 1);
  let reads = 0;
  const read = (path: string) => {
    reads += 1;
    return stores.snapshots.read(path);
  };
  const saves = openSaves({ ...stores.snapshots, read });
  for (let count = 1; count <= 3; count++) {
    await world.save(await world.observe(), [web]);
    saves.newest();
    expect([saves.newest().has(web), reads]).toEqual([true, count]);
  }
});

test("a snapshot that cannot be read is not pruned, and hides no other", async () => {
  const { stores, world } = await stageOf(testHome(), 1);
  await world.save(await world.observe(), [web]);
  const broken = `${stores.paths.folder}/hivemind.snapshot.29990101T000000.env`;
  writeFileSync(broken, "# version: 9\n# autosave\n");
  const saves = openSaves(stores.snapshots);
  await saves.prune();
  expect([...saves.newest().keys()]).toEqual(["web"]);
  expect(stores.snapshots.list().map(({ path }) => path)).toContain(broken);
});

test("a crashed agent that shall not come back is checked once, without a report", async () => {
  const stage = await stageOf(testHome(), 1);
  const lead = agent("agent0", { restart: "on-crash" });
  const [crashed, , , launch] = seated(0, lead, null);
  const { agent: known } = stage.agents[0]!;
  stage.agents[0] = { ...stage.agents[0]!, ...crashed, agent: known };
  await writeLaunches(stage.stores, new Map([[agentId(0), launch!]]));
  let asked = 0;
  stage.world.heal = async () => {
    asked += 1;
    return false;
  };
  const told = await ticks(stage, 20);
  expect(asked).toBe(1);
  expect(JSON.stringify(told)).not.toContain("brought back");
});
