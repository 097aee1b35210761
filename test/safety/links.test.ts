import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { acquireLock } from "../../src/base/files/lock.js";
import { limits } from "../../src/limits.js";
import type { AgentId } from "../../src/names/agent-id.js";
import type { Host, Role, TeamName } from "../../src/names/gates.js";
import { openStores, type Stores } from "../../src/stores/stores.js";
import type { Manifest } from "../../src/stores/text/bundle.js";
import type { AgentRow } from "../../src/stores/text/roster-rows.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";

const team = "a" as TeamName;
const agent = "aaaaaaaaaa" as AgentId;
const layout = { team, windows: [] };
const facts = { isAutosave: false, silent: new Set<never>() };
type Use = (stores: Stores) => unknown;

/** Each store's file, and how it is read and written. */
const files: [string, (stores: Stores) => string, Use, Use][] = [
  ["S0", ({ paths }) => paths.roster, (s) => s.roster.read(), (s) => s.roster.update(() => nobody)],
  ["S1", ({ paths }) => paths.roles, (s) => s.roles.read(), (s) => s.roles.update(() => [])],
  ["S2", ({ paths }) => paths.sessions, (s) => s.sessions.read(), (s) => s.sessions.update(() => [])],
  ["S3", ({ paths }) => paths.teams, (s) => s.teams.read(), (s) => s.teams.update(() => [])],
  ["S5", ({ paths }) => paths.forks, (s) => [...s.forks.scan()], (s) => s.forks.append([fork])],
  [
    "S6",
    (s) => s.queues.fileOf(agent),
    (s) => s.queues.read(agent),
    (s) => s.queues.append(agent, "inform", "x"),
  ],
  ["S7", ({ paths }) => paths.activeTeam, (s) => s.activeTeam.read(), (s) => s.activeTeam.write(team)],
  [
    "S8",
    ({ paths }) => paths.viewerWindows,
    (s) => s.viewerWindows.read(),
    (s) => s.viewerWindows.update(() => []),
  ],
  ["S9", ({ paths }) => paths.sizeLocks, (s) => s.sizeLocks.read(), (s) => s.sizeLocks.update(() => [])],
  ["S10", (s) => s.layouts.fileOf(team), (s) => s.layouts.read(team), (s) => s.layouts.write(layout)],
  [
    "events",
    ({ paths }) => paths.events,
    (s) => s.events.read(),
    (s) => s.events.log([{ name: "team.destroyed", team }]),
  ],
  ["receipts", ({ paths }) => paths.receipts, (s) => s.receipts.read(), (s) => s.receipts.append([receipt])],
  ["launches", ({ paths }) => paths.launches, (s) => s.launches.read(), (s) => s.launches.update(() => [])],
  ["holds", ({ paths }) => paths.holds, (s) => s.holds.read(), (s) => s.holds.update(() => [])],
  ["projects", ({ paths }) => paths.projects, (s) => s.projects.read(), (s) => s.projects.update(() => [])],
  [
    "moved",
    ({ paths }) => paths.moved,
    (s) => s.sessionOverrides.read(),
    (s) => s.sessionOverrides.update(() => []),
  ],
  ["accounts", ({ paths }) => paths.accounts, (s) => s.accounts.read(), (s) => s.accounts.update(() => [])],
];

const nobody = { agents: [], views: { roles: [], sessions: [] }, afterCommit: async () => {} };
const row: AgentRow = {
  id: agent,
  team,
  role: "po" as Role,
  kind: "",
  session: null,
  seat: null,
  address: "a:0.1",
  epoch: 1,
};
const withView = {
  agents: [row],
  views: { roles: [{ pane: "a:0.1", role: "po" as Role, epoch: 1 }], sessions: [] },
  afterCommit: async () => {},
} as const;
const at = "2026-04-22T08:52:40Z";
const fork = { at, pane: "a:0.1", role: null, uuid: null, state: "unknown", parent: null } as const;
const receipt = { at, id: `${agent}@1`, pane: "a:0.1", step: "queued", detail: "" } as const;

/** Folders that hivemind names itself, each with a way to read and to write in it. */
const folders: [string, (stores: Stores) => string, Use, Use][] = [
  [
    "queues",
    ({ paths }) => paths.queueFolder,
    (s) => s.queues.agents(),
    (s) => s.queues.append(agent, "inform", "x"),
  ],
  [
    "dead letters",
    ({ paths }) => paths.deadQueueFolder,
    (s) => s.queues.clear(agent),
    (s) => s.queues.append(agent, "inform", "x"),
  ],
  ["layouts", ({ paths }) => paths.layoutFolder, (s) => s.layouts.list(), (s) => s.layouts.write(layout)],
  [
    "hook reports",
    ({ paths }) => paths.hookFolder,
    (s) => s.hookReports.read(),
    (s) => s.hookReports.placeHandlers([{ name: "handler.sh", text: "" }]),
  ],
  ["tasks", ({ paths }) => paths.taskFolder, (s) => s.tasks.write("a", "x"), (s) => s.tasks.write("b", "y")],
  [
    "the trash",
    ({ paths }) => paths.trashFolder,
    (s) => s.trash.list(),
    (s) => s.trash.put(owner, async (take) => take(s.paths.teams)),
  ],
  [
    "kept sessions",
    ({ paths }) => paths.keptFolder,
    (s) => s.sessionCopies.list(),
    (s) => s.sessionCopies.keep(owner, []),
  ],
  [
    "boxes",
    ({ paths }) => paths.pulledFolder,
    (s) => s.received.missing({ host }, page),
    (s) => s.received.receive({ host }, page, async () => {}),
  ],
  [
    "one box",
    ({ paths }) => join(paths.pulledFolder, host),
    (s) => s.received.missing({ host }, page),
    (s) => s.received.receive({ host }, page, async () => {}),
  ],
  [
    "a box that arrives",
    ({ paths }) => join(paths.pulledFolder, `.${host}.arriving`),
    (s) => s.received.missing({ host }, page),
    (s) => s.received.receive({ host }, page, async () => {}),
  ],
  [
    "copies of views",
    ({ paths }) => paths.viewFolder,
    (s) => s.roster.update(() => withView),
    (s) => s.roster.update(() => withView),
  ],
];

const host = "beta" as Host;
const owner = { id: "x", agent: "claude", title: null, workspace: null, within: "/" };
const page: Manifest = { version: 1, host, packedAt: at, savedAt: null, teams: [team], files: [] };

const refused = expect.objectContaining({
  name: "StoreError",
  exitCode: 3,
  message: expect.stringContaining("symbolic link"),
});

async function isRefused(use: Use, stores: Stores): Promise<void> {
  await expect((async () => use(stores))()).rejects.toEqual(refused);
}

/** A folder and a file outside the stores, which no store may read or change. */
function elsewhere() {
  const home = testHome();
  const outside = join(home.root, "outside");
  mkdirSync(outside);
  // Larger than a log may be, so that a rotation would be due.
  writeFileSync(join(outside, "precious"), `a\n${"#".repeat(limits.logRotateBytes)}\n`);
  return { home, outside, stores: openStores(home.env), before: contentsOf(outside) };
}

describe("a symbolic link", () => {
  test.each(files)("in place of the file of %s is refused", async (_, pathOf, read, write) => {
    const { outside, stores, before } = elsewhere();
    const path = pathOf(stores);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(outside, "precious"), path);
    await isRefused(read, stores);
    await isRefused(write, stores);
    expect(contentsOf(outside)).toEqual(before);
    expect(readdirSync(dirname(path)).filter((name) => /\.lock$|tmp$/.test(name))).toEqual([]);
  });

  test.each(folders)("[AF6] in place of the folder of %s is refused", async (_, pathOf, read, write) => {
    const { outside, stores, before } = elsewhere();
    const path = pathOf(stores);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(outside, path);
    await isRefused(read, stores);
    await isRefused(write, stores);
    expect(contentsOf(outside)).toEqual(before);
  });

  test("in place of an archived file is reported, and its target is not touched", () => {
    const { home, outside } = elsewhere();
    const [trash, precious] = [join(home.config, "hivemind.trash"), join(outside, "precious")];
    const facts = { ...owner, version: 1, atMs: 1, files: [{ name: "precious", from: precious }] };
    writeFileSync(join(outside, "manifest.json"), JSON.stringify(facts));
    mkdirSync(trash, { recursive: true });
    symlinkSync(outside, join(trash, "20260422T085240-x"));
    const told: string[] = [];
    expect(openStores(home.env, ({ why }) => void told.push(why)).trash.list()).toEqual([]);
    expect(told).toEqual(["it is a symbolic link"]);
  });

  test("in place of a snapshot is refused, and a save does not write through it", async () => {
    const { home, outside, stores, before } = elsewhere();
    mkdirSync(home.config);
    const nowMs = Date.UTC(2026, 3, 22, 8, 52, 40);
    const path = join(home.config, "hivemind.snapshot.20260422T085240.env");
    symlinkSync(join(outside, "precious"), path);
    expect(() => stores.snapshots.read(path)).toThrow(refused);
    expect(await stores.snapshots.create([], { ...facts, nowMs })).not.toBe(path);
    expect(contentsOf(outside)).toEqual(before);
  });

  test("in place of a lock counts as a foreign lock, and is never followed", async () => {
    const { home, outside, stores, before } = elsewhere();
    mkdirSync(home.config);
    symlinkSync(join(outside, "precious"), `${stores.paths.teams}.lock`);
    const waiting = acquireLock(`${stores.paths.teams}.lock`, { waitMs: 10 });
    await expect(waiting).rejects.toThrow("an unknown holder");
    expect(contentsOf(outside)).toEqual(before);
  });

  test("as the config folder itself is allowed and followed", async () => {
    const { home, outside, stores } = elsewhere();
    symlinkSync(outside, home.config);
    await stores.teams.update(() => [{ team, description: "" }]);
    await stores.queues.append(agent, "inform", "x");
    await stores.layouts.write(layout);
    expect(readFileSync(join(outside, "hivemind.teams.env"), "utf8")).toBe("a|\n");
    expect(existsSync(join(outside, "otmux/a.layout.env"))).toBe(true);
  });
});
