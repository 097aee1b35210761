import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { attacks, rowStores, storesOf } from "../../test/stores/samples.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, SessionId, TeamName } from "../names/gates.js";
import type { Problem } from "./file/error.js";
import { lastSteps, type Receipt } from "./receipts.js";
import { openStores } from "./stores.js";

const agent = "aaaaaaaaaa" as AgentId;
const row = { id: agent, role: null, kind: "", session: null, seat: null, address: null, epoch: 1 };
const receipt: Receipt = {
  at: "2026-04-22T08:52:40Z",
  id: `${agent}@7.2`,
  pane: "a:0.1",
  step: "typing",
  detail: "size 7",
};

describe("all stores", () => {
  test("create nothing when they are opened and read: no folder, file or lock", () => {
    const home = testHome();
    const stores = storesOf(home);
    for (const [, pick] of rowStores) expect(pick(stores).read().rows).toEqual([]);
    expect(stores.snapshots.list()).toEqual([]);
    expect([...stores.forks.scan()]).toEqual([]);
    expect(stores.roster.read().agents).toEqual([]);
    expect(stores.queues.agents()).toEqual([]);
    expect(stores.queues.foreignQueues()).toEqual([]);
    expect(stores.queues.read(agent).messages).toEqual([]);
    expect(stores.activeTeam.read()).toBeNull();
    expect(stores.layouts.list()).toEqual([]);
    expect(stores.layouts.read("a" as TeamName)).toBeNull();
    expect(stores.events.read().rows).toEqual([]);
    expect(stores.receipts.read().rows).toEqual([]);
    expect(stores.hookReports.read().reports).toEqual([]);
    expect(existsSync(home.config)).toBe(false);
  });

  test.each(rowStores)("%s: written rows are read, and foreign lines stay", async (_, pick, row) => {
    const home = testHome();
    const file = pick(storesOf(home));
    const foreign = fc.constantFrom<string[]>("# note", "", "|||||||||", "\0", "not a row at all");
    const rows = fc.array(row, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(foreign, { maxLength: 4 }), rows, rows, async (lines, first, second) => {
        mkdirSync(home.config, { recursive: true });
        writeFileSync(file.path, lines.map((line) => `${line}\n`).join(""));
        for (const wanted of [first, second]) {
          const { rows: after } = await file.update(() => wanted);
          expect(file.read().rows).toEqual(after);
          for (const each of after) expect(wanted).toContainEqual(each);
          // Of rows with one key the last counts, so there may be fewer, and the last is always there.
          if (wanted.length > 0) expect(after).toContainEqual(wanted.at(-1));
        }
        const kept = readFileSync(file.path, "utf8").split("\n");
        expect(kept.filter((line) => lines.includes(line) && line !== "")).toEqual(
          lines.filter((line) => line !== ""),
        );
      }),
      { numRuns: 15 },
    );
  });

  test.each(attacks)("refuse the name %j in every row, and write nothing", async (attack) => {
    const home = testHome();
    const stores = storesOf(home);
    const pane = `${attack}:0.1` as PaneAddress;
    const uuid = "00000001-0000-4000-8000-000000000000" as SessionId;
    const bad = attack as never;
    const tries: (() => Promise<unknown>)[] = [
      () => stores.roles.update(() => [{ pane, role: "x" as never, epoch: 1 }]),
      () => stores.roles.update(() => [{ pane: "a:0.1", role: bad, epoch: 1 }]),
      () => stores.sessions.update(() => [{ pane, uuid }]),
      () => stores.sessions.update(() => [{ pane: "a:0.1", uuid: bad }]),
      () => stores.teams.update(() => [{ team: bad, description: "" }]),
      () => stores.viewerWindows.update(() => [{ window: 1, team: bad }]),
      () => stores.sizeLocks.update(() => [{ team: bad, width: 80, height: 40 }]),
      () =>
        stores.holds.update(() => [{ agent: bad, word: "HELD", since: "2026-04-22T08:52:40Z", by: "me" }]),
      () => stores.launches.update(() => [{ agent: bad, cwd: null, launch: "x" }]),
      () =>
        stores.roster.update(() => ({
          agents: [{ ...row, team: bad }],
          views: { roles: [], sessions: [] },
          afterCommit: async () => {},
        })),
      () => stores.projects.update(() => [{ project: "p", folder: attack }]),
      () => stores.sessionOverrides.update(() => [{ project: "p", agent: bad, uuid }]),
      () => stores.accounts.update(() => [{ kind: "claude", folder: attack }]),
      () =>
        stores.forks.append([
          { at: "2026-04-22T08:52:40Z", pane, role: null, uuid, state: "live", parent: null },
        ]),
      () => stores.queues.append(bad, "inform", "x"),
      () => stores.activeTeam.write(bad),
      () => stores.layouts.write({ team: bad, windows: [] }),
      () => stores.events.log([{ name: "team.destroyed", team: bad }]),
      () => stores.receipts.append([{ ...receipt, pane }]),
      () =>
        stores.snapshots.create(
          [
            {
              agent: null,
              team: bad,
              window: 0,
              pane: 0,
              role: null,
              uuid: null,
              title: "",
              cwd: "",
              model: "",
              kind: "shell",
            },
          ],
          { isAutosave: false },
        ),
    ];
    for (const attempt of tries)
      await expect((async () => attempt())(), String(attempt)).rejects.toThrow(/refused/);
    for (const path of Object.values(stores.paths))
      if (path !== home.config) expect(existsSync(path)).toBe(false);
  });

  test("report each bad row once, however often it is read", async () => {
    const home = testHome();
    const heard: Problem[] = [];
    const stores = openStores(home.env, (problem) => heard.push(problem));
    mkdirSync(home.config);
    writeFileSync(stores.paths.teams, "bad row|x|y\na|\nbad too\n");
    for (let times = 0; times < 3; times++) stores.teams.read();
    await stores.teams.update((rows) => [...rows, { team: "b" as TeamName, description: "" }]);
    expect(heard.map(({ line }) => line)).toEqual([1, 3]);
    expect(stores.problems()).toEqual(heard);
  });

  test("of a file full of bad rows report the first few, and that there are more", () => {
    const home = testHome();
    const heard: Problem[] = [];
    const stores = openStores(home.env, (problem) => heard.push(problem));
    mkdirSync(home.config);
    writeFileSync(stores.paths.teams, Array.from({ length: 500 }, (_, at) => `bad row ${at}|x|y\n`).join(""));
    stores.teams.read();
    expect(heard).toHaveLength(limits.badRowsTold + 1);
    expect(heard.at(-1)?.why).toContain("further bad rows");
    expect(stores.problems()).toHaveLength(500);
  });

  test("read the older forms: a role without its time, a size with an x, an id in upper case", () => {
    const home = testHome();
    const stores = storesOf(home);
    mkdirSync(home.config);
    writeFileSync(stores.paths.roles, "a:0.1|dev\nb:00.2|dev|\n");
    writeFileSync(stores.paths.sizeLocks, "a|80x40\nb|80×40\n");
    writeFileSync(stores.paths.sessions, "a:0.1|0000000A-0000-4000-8000-000000000000\n");
    expect(stores.roles.read().rows).toEqual([
      { pane: "a:0.1", role: "dev", epoch: null },
      { pane: "b:0.2", role: "dev", epoch: null },
    ]);
    expect(stores.sizeLocks.read().rows.map(({ width, height }) => [width, height])).toEqual([
      [80, 40],
      [80, 40],
    ]);
    expect(stores.sessions.read().rows[0]?.uuid).toBe("0000000a-0000-4000-8000-000000000000");
  });
});

describe("logs", () => {
  test("of events are rows of time, event and arguments", async () => {
    const stores = storesOf(testHome());
    await stores.events.log([{ name: "team.created", team: "web" as TeamName, description: "two words" }]);
    expect(readFileSync(stores.paths.events, "utf8")).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\|team\.created\|web two\\ words\n$/,
    );
    expect(stores.events.read().rows[0]?.event).toEqual({
      name: "team.created",
      team: "web",
      description: "two words",
    });
  });

  test("of receipts give the last step of a message", async () => {
    const stores = storesOf(testHome());
    await stores.receipts.append([receipt, { ...receipt, step: "accepted", detail: "" }]);
    await stores.receipts.append([{ ...receipt, id: `${agent}@8` }]);
    const steps = lastSteps(stores.receipts.read().rows);
    expect([...steps].map(([id, { step }]) => [id, step])).toEqual([
      [`${agent}@7.2`, "accepted"],
      [`${agent}@8`, "typing"],
    ]);
    await expect(stores.receipts.append([{ ...receipt, detail: "a|b" }])).rejects.toThrow(/refused/);
  });
});
