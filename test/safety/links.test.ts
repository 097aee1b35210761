import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { acquireLock } from "../../src/base/lock.js";
import { limits } from "../../src/limits.js";
import type { Host, TeamName } from "../../src/names/gates.js";
import type { BoxPage } from "../../src/stores/box-page.js";
import { openStores, type Stores } from "../../src/stores/stores.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";

const team = "a" as TeamName;
const layout = { team, windows: [] };
const facts = { isAutosave: false, silent: new Set<never>() };
type Use = (stores: Stores) => unknown;

/** Each store's file, how it is read, and how it is written. */
const files: [string, (stores: Stores) => string, Use, Use][] = [
  ["S1", ({ paths }) => paths.roles, (s) => s.roles.read(), (s) => s.roles.update(() => [])],
  ["S2", ({ paths }) => paths.sessions, (s) => s.sessions.read(), (s) => s.sessions.update(() => [])],
  ["S3", ({ paths }) => paths.teams, (s) => s.teams.read(), (s) => s.teams.update(() => [])],
  ["S5", ({ paths }) => paths.forks, (s) => [...s.forks.scan()], (s) => s.forks.append([fork])],
  [
    "S6",
    (s) => s.queues.fileOf("a:0.1"),
    (s) => s.queues.read("a:0.1"),
    (s) => s.queues.append("a:0.1", "inform", "x"),
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
  ["holds", ({ paths }) => paths.holds, (s) => s.holds.read(), (s) => s.holds.update(() => [])],
  ["projects", ({ paths }) => paths.projects, (s) => s.projects.read(), (s) => s.projects.update(() => [])],
  ["moved", ({ paths }) => paths.moved, (s) => s.moved.read(), (s) => s.moved.update(() => [])],
  ["accounts", ({ paths }) => paths.accounts, (s) => s.accounts.read(), (s) => s.accounts.update(() => [])],
];

const at = "2026-04-22T08:52:40Z";
const fork = { at, pane: "a:0.1", role: null, uuid: null, state: "unknown", parent: null } as const;
const receipt = { at, id: "a:0.1@1", pane: "a:0.1", step: "queued", detail: "" } as const;

/** Folders that hivemind names itself, each with a way to read and to write in it. */
const folders: [string, (stores: Stores) => string, Use, Use][] = [
  [
    "queues",
    ({ paths }) => paths.queueFolder,
    (s) => s.queues.panes(),
    (s) => s.queues.append("a:0.1", "inform", "x"),
  ],
  [
    "dead letters",
    ({ paths }) => paths.deadQueueFolder,
    (s) => s.queues.clear("a:0.1"),
    (s) => s.queues.append("a:0.1", "inform", "x"),
  ],
  ["layouts", ({ paths }) => paths.layoutFolder, (s) => s.layouts.list(), (s) => s.layouts.write(layout)],
  [
    "hook reports",
    ({ paths }) => paths.hookFolder,
    (s) => s.hookReports.read(),
    (s) => s.hookReports.placeHandler({ name: "handler.sh", text: "" }),
  ],
  ["tasks", ({ paths }) => paths.taskFolder, (s) => s.tasks.write("a", "x"), (s) => s.tasks.write("b", "y")],
  [
    "the trash",
    ({ paths }) => paths.trashFolder,
    (s) => s.trash.list(),
    (s) => s.trash.put(owner, async (take) => take(s.paths.teams)),
  ],
  ["kept sessions", ({ paths }) => paths.keptFolder, (s) => s.kept.list(), (s) => s.kept.keep(owner, [])],
  [
    "boxes",
    ({ paths }) => paths.pulledFolder,
    (s) => s.pulled.missing({ host }, page),
    (s) => s.pulled.receive({ host }, page, async () => {}),
  ],
  [
    "one box",
    ({ paths }) => join(paths.pulledFolder, host),
    (s) => s.pulled.missing({ host }, page),
    (s) => s.pulled.receive({ host }, page, async () => {}),
  ],
  [
    "a box that arrives",
    ({ paths }) => join(paths.pulledFolder, `.${host}.arriving`),
    (s) => s.pulled.missing({ host }, page),
    (s) => s.pulled.receive({ host }, page, async () => {}),
  ],
  [
    "moves that were begun",
    ({ paths }) => paths.rekeyFolder,
    (s) => s.rekeying.finish(async () => {}),
    (s) => s.rekeying.rehearse(),
  ],
];

const host = "beta" as Host;
const owner = { id: "x", agent: "claude", title: null, workspace: null, within: "/" };
const page: BoxPage = { version: 1, host, packedAt: at, savedAt: null, teams: [team], files: [] };

const refused = expect.objectContaining({
  name: "StoreError",
  exitCode: 3,
  message: expect.stringContaining("symbolic link"),
});

async function isRefused(use: Use, stores: Stores): Promise<void> {
  await expect((async () => use(stores))()).rejects.toEqual(refused);
}

/** Somebody else's folder and file, which no store may read or change. */
function elsewhere() {
  const home = testHome();
  const outside = join(home.root, "outside");
  mkdirSync(outside);
  // Larger than what a log may have, so that a rotation would be due.
  writeFileSync(join(outside, "precious"), `a\n${"#".repeat(limits.logRotateBytes)}\n`);
  return { home, outside, stores: openStores(home.env), before: contentsOf(outside) };
}

describe("a symbolic link", () => {
  test.each(files)("in the place of the file of %s is refused", async (_, pathOf, read, write) => {
    const { outside, stores, before } = elsewhere();
    const path = pathOf(stores);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(outside, "precious"), path);
    await isRefused(read, stores);
    await isRefused(write, stores);
    expect(contentsOf(outside)).toEqual(before);
    expect(readdirSync(dirname(path)).filter((name) => /\.lock$|tmp$/.test(name))).toEqual([]);
  });

  test.each(folders)("[AF6] in the place of the folder of %s is refused", async (_, pathOf, read, write) => {
    const { outside, stores, before } = elsewhere();
    const path = pathOf(stores);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(outside, path);
    await isRefused(read, stores);
    await isRefused(write, stores);
    expect(contentsOf(outside)).toEqual(before);
  });

  test("[PTA4] in the place of what was put aside is reported, and nothing is taken from behind it", () => {
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

  test("in the place of a snapshot is refused, and a save does not write through it", async () => {
    const { home, outside, stores, before } = elsewhere();
    mkdirSync(home.config);
    const nowMs = Date.UTC(2026, 3, 22, 8, 52, 40);
    const path = join(home.config, "hivemind.snapshot.20260422T085240.env");
    symlinkSync(join(outside, "precious"), path);
    expect(() => stores.snapshots.read(path)).toThrow(refused);
    expect(await stores.snapshots.create([], { ...facts, nowMs })).not.toBe(path);
    expect(contentsOf(outside)).toEqual(before);
  });

  test("in the place of a lock is waited for like a lock of a stranger, and never followed", async () => {
    const { home, outside, stores, before } = elsewhere();
    mkdirSync(home.config);
    symlinkSync(join(outside, "precious"), `${stores.paths.teams}.lock`);
    const waiting = acquireLock(`${stores.paths.teams}.lock`, { waitMs: 10 });
    await expect(waiting).rejects.toThrow("something that is no process");
    expect(contentsOf(outside)).toEqual(before);
  });

  test("as the config folder itself is a person's own choice, and followed", async () => {
    const { home, outside, stores } = elsewhere();
    symlinkSync(outside, home.config);
    await stores.teams.update(() => [{ team, description: "" }]);
    await stores.queues.append("a:0.1", "inform", "x");
    await stores.layouts.write(layout);
    expect(readFileSync(join(outside, "hivemind.teams.env"), "utf8")).toBe("a|\n");
    expect(existsSync(join(outside, "otmux/a.layout.env"))).toBe(true);
  });
});
