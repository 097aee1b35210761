import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { limits } from "../../src/limits.js";
import type { AgentId } from "../../src/names/agent-id.js";
import type { TeamName } from "../../src/names/gates.js";
import { openStores, type Stores } from "../../src/stores/stores.js";
import { hivemind, tmuxTeam } from "../command.js";
import { testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";

const team = "a" as TeamName;
const agent = "aaaaaaaaaa" as AgentId;
const nobody = { agents: [], views: { roles: [], sessions: [] }, afterCommit: async () => {} };
type Use = (stores: Stores) => unknown;

/** Each store that is a file of rows, with its read and write. */
const stores: [string, (stores: Stores) => string, Use, Use | null][] = [
  ["roles", ({ paths }) => paths.roles, (s) => s.roles.read(), (s) => s.roles.update(() => [])],
  ["sessions", ({ paths }) => paths.sessions, (s) => s.sessions.read(), (s) => s.sessions.update(() => [])],
  ["teams", ({ paths }) => paths.teams, (s) => s.teams.read(), (s) => s.teams.update(() => [])],
  ["holds", ({ paths }) => paths.holds, (s) => s.holds.read(), (s) => s.holds.update(() => [])],
  ["projects", ({ paths }) => paths.projects, (s) => s.projects.read(), (s) => s.projects.update(() => [])],
  [
    "moved",
    ({ paths }) => paths.moved,
    (s) => s.sessionOverrides.read(),
    (s) => s.sessionOverrides.update(() => []),
  ],
  ["accounts", ({ paths }) => paths.accounts, (s) => s.accounts.read(), (s) => s.accounts.update(() => [])],
  [
    "viewer windows",
    ({ paths }) => paths.viewerWindows,
    (s) => s.viewerWindows.read(),
    (s) => s.viewerWindows.update(() => []),
  ],
  [
    "size locks",
    ({ paths }) => paths.sizeLocks,
    (s) => s.sizeLocks.read(),
    (s) => s.sizeLocks.update(() => []),
  ],
  ["agents", ({ paths }) => paths.roster, (s) => s.roster.read(), (s) => s.roster.update(() => nobody)],
  ["launches", ({ paths }) => paths.launches, (s) => s.launches.read(), (s) => s.launches.update(() => [])],
  ["a queue", (s) => s.queues.fileOf(agent), (s) => s.queues.read(agent), (s) => s.queues.clear(agent)],
  ["a layout", (s) => s.layouts.fileOf(team), (s) => s.layouts.read(team), (s) => s.layouts.remove(team)],
  [
    "a snapshot",
    (s) => `${s.paths.folder}/hivemind.snapshot.x.env`,
    (s) => s.snapshots.read(`${s.paths.folder}/hivemind.snapshot.x.env`),
    null,
  ],
  ["receipts", ({ paths }) => paths.receipts, (s) => s.receipts.read(), null],
  ["events", ({ paths }) => paths.events, (s) => s.events.read(), null],
];

describe.each(stores)("a store of %s", (_, pathOf, read, write) => {
  test.each<[string, (path: string) => void]>([
    ["100 MB", (path) => truncateSync(path, 100 * 1024 * 1024)],
    ["too many lines", (path) => writeFileSync(path, "x\n".repeat(limits.storeLines + 1))],
  ])("that has %s is refused at once, and stays unchanged", async (_, fill) => {
    const home = testHome();
    const opened = openStores(home.env);
    const path = pathOf(opened);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
    fill(path);
    const { size } = statSync(path);
    const refused = expect.objectContaining({
      name: "StoreError",
      exitCode: 3,
      message: expect.stringMatching(/refused: it has (more than \d+ lines|\d+ bytes, more than \d+)$/),
      hint: expect.stringContaining("remove foreign content"),
    });
    await expect((async () => read(opened))()).rejects.toEqual(refused);
    if (write !== null) await expect((async () => write(opened))()).rejects.toEqual(refused);
    expect(statSync(path).size).toBe(size);
    expect(opened.problems()).toEqual([]);
  });
});

const row = (number: number, id = number) =>
  `2026-04-22T08:52:40Z|web:0.${number % 7}|po|${idOf(id)}|stable|${number % 2 === 0 ? "" : idOf(1)}\n`;
const rows = (count: number, idAt: (number: number) => number) =>
  Array.from({ length: count }, (_, number) => row(number, idAt(number))).join("");

function forksWith(text: string) {
  const home = testHome();
  mkdirSync(home.config, { recursive: true });
  const opened = openStores(home.env);
  writeFileSync(opened.paths.forks, text);
  return opened;
}

test("[NP1] of a log with too many different rows the newest are read, and that is reported", () => {
  const count = 2 * Math.ceil(limits.forkWork / limits.forkNewWork);
  const text = rows(count, (number) => number);
  expect(text.length).toBeGreaterThan(limits.forkQuickBytes);
  const { forks, problems } = forksWith(text);
  const all = [...forks.scan()];
  const most = limits.forkWork / limits.forkNewWork;
  expect(all.length).toBeGreaterThan(most / 2);
  expect(all.length).toBeLessThanOrEqual(most);
  expect(all[0]!.uuid).toBe(idOf(count - all.length));
  expect(all.at(-1)!.uuid).toBe(idOf(count - 1));
  expect(forks.lastOfEach()).toEqual(all);
  expect([...forks.scan({ hasParent: true })].at(-1)!.uuid).toBe(idOf(count - 1));
  expect(problems()).toMatchObject([{ why: expect.stringContaining("only its newest rows are read") }]);
  // A query for one session reads every row.
  expect([...forks.scan({ uuid: idOf(5) })]).toHaveLength(1);
});

test("[NP1] a log with few distinct rows is read whole", () => {
  const count = 150_000;
  const text = rows(count, (number) => number % 300);
  expect(text.length).toBeGreaterThan(limits.forkQuickBytes);
  const { forks, problems } = forksWith(text);
  let found = 0;
  for (const _ of forks.scan()) found++;
  expect(found).toBe(count);
  expect(problems()).toEqual([]);
});

test.each<[string, string]>([
  ["no line end", "x"],
  ["nothing but line ends", "\n"],
  ["garbage", "rubbish without an end\n"],
])("[NP1] a log of %s is not a failure, and the row after it is found", (_, filling) => {
  const size = limits.forkQuickBytes * 2;
  const { forks } = forksWith(`${filling.repeat(size / filling.length)}\n${row(1, 9)}`);
  expect([...forks.scan()].map(({ uuid }) => uuid)).toEqual([idOf(9)]);
  expect([...forks.lastOfEach()].map(({ uuid }) => uuid)).toEqual([idOf(9)]);
});

test("a command names the store that is too large, with exit code 3, and changes nothing", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  mkdirSync(home.config, { recursive: true });
  const { paths } = openStores(home.env);
  writeFileSync(paths.roles, "web:0.0|po|1\n".repeat(limits.storeLines + 1));
  const before = readFileSync(paths.roles);
  for (const args of [["status"], ["registry", "set", "web:0.0", "dev"], ["registry", "refresh", "web"]]) {
    const { code, stderr } = hivemind(home, args);
    expect({ args, code }).toEqual({ args, code: 3 });
    expect(stderr).toMatch(
      /hivemind\.roles\.env: refused: it has more than 150000 lines\n {2}hivemind never/,
    );
  }
  expect(readFileSync(paths.roles).equals(before)).toBe(true);
});
