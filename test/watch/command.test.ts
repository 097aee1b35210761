import {
  chmodSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock } from "../../src/base/files/lock.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { startWatching } from "./watching.js";

const named = (name: string, at: number) => [
  ...["--session-id", `2d65a42d-0000-4000-8000-00000000000${at}`],
  ...["-n", name],
];

/** A registered team of demo agents that the stores know. */
async function teamOf(home: TestHome, ...roles: string[]): Promise<void> {
  startAgents(home, "web", ...roles.map(named));
  home.tmux("set-option", "-g", "remain-on-exit", "on");
  await idleAgents(home, roles.length);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
}

const snapshots = (home: TestHome) =>
  json<{ snapshots: { isAutosave: boolean; teams: { agents: number }[] }[] }>(home, ["teams", "list"])
    .snapshots;
const rowsOf = (home: TestHome, name: string) =>
  existsSync(join(home.config, name))
    ? readFileSync(join(home.config, name), "utf8").split("\n").filter(Boolean)
    : [];
const lock = (home: TestHome) =>
  lstatSync(join(home.config, "hivemind.watching.lock"), { throwIfNoEntry: false });

test("a second watch is refused with the process of the first; after the first was killed another may start", async () => {
  const home = testHome();
  const first = await startWatching(home);
  const second = hivemind(home, ["watch", "--once"]);
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 1, stdout: "" });
  expect(second.stderr).toContain(`a watcher runs already: process ${first.pid}`);
  await first.ends("SIGKILL");
  expect(hivemind(home, ["watch", "--once"])).toMatchObject({ code: 0, stderr: "" });
});

test("[RCH4] while the watch of an earlier version runs, no other begins and nothing is changed; its process is named", async () => {
  const home = testHome();
  await teamOf(home, "po");
  const lock = await acquireLock(join(home.config, "hivemind.watch.lock"));
  const why = `an earlier version of hivemind watches these stores: process ${process.pid}`;
  for (const words of ["watch --once", "registry refresh", "agent rename po lead"])
    expect(hivemind(home, words.split(" ")), words).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(why),
    });
  expect(hivemind(home, ["status"])).toMatchObject({ code: 0 });
  expect(hivemind(home, ["teams", "save"])).toMatchObject({ code: 0, stderr: "" });
  lock.release();
  expect(hivemind(home, ["watch", "--once"])).toMatchObject({ code: 0, stderr: "" });
});

test("the doctor does not take a loop that runs since yesterday for a stuck writer", async () => {
  const home = testHome();
  const watching = await startWatching(home);
  const path = join(home.config, "hivemind.watching.lock");
  const yesterday = new Date(Date.now() - 86_400_000);
  lutimesSync(path, yesterday, yesterday);
  const locks = () => hivemind(home, ["doctor"]).stdout.includes("hivemind.watching.lock is held");
  expect(locks()).toBe(false);
  await watching.ends("SIGKILL");
  expect(hivemind(home, ["doctor"]).stdout).toContain("lock of dead processes");
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it whole, with exit code 0", async (signal) => {
  const home = testHome();
  const watching = await startWatching(home);
  expect(lock(home)).toBeDefined();
  expect(await watching.ends(signal)).toBe(0);
  expect(lock(home)).toBeUndefined();
});

test("the notify program runs once when an agent waits and once when it crashes, without a shell", async () => {
  const home = testHome();
  await teamOf(home, "po", "dev");
  const program = join(home.root, "tell");
  const told = join(home.root, "told");
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s|' "$#" "$@" "$HIVEMIND_FACT" "$HIVEMIND_PANE" >> ${told}\necho >> ${told}\n`,
  );
  chmodSync(program, 0o700);
  const watching = await startWatching(home, ["--notify", program]);
  await watching.tells("saved", "web");
  home.tmux("send-keys", "-t", "web:0.0", "-l", "please [ask]");
  home.tmux("send-keys", "-t", "web:0.0", "Enter");
  expect(await watching.tells("waiting", "po")).toMatchObject({
    pane: "web:0.0",
    about: "Bash: touch demo",
  });
  const pid = Number(home.tmux("display-message", "-p", "-t", "web:0.1", "#{pane_pid}"));
  process.kill(pid, "SIGKILL");
  home.tmux("run-shell", "-b", "true");
  expect(await watching.tells("crashed", "dev")).toMatchObject({ role: "dev", pane: "web:0.1", team: "web" });
  const lines = () => (existsSync(told) ? readFileSync(told, "utf8").split("\n").slice(0, -1) : []);
  await until("two words", () => lines().length >= 2);
  expect(lines()).toEqual([
    "2|hivemind: po (web:0.0) waits|Bash: touch demo|waiting|web:0.0|",
    "2|hivemind: dev (web:0.1) crashed|its program ended without an exit code, as by a signal|crashed|web:0.1|",
  ]);
  const alarms = watching.facts().filter(({ fact }) => fact === "crashed" || fact === "waiting");
  expect(alarms).toHaveLength(2);
});

test("queued messages reach idle agents, and new agents enter the roster", async () => {
  const home = testHome();
  await teamOf(home, "po");
  const watching = await startWatching(home);
  hivemind(home, ["queue", "append", "po", "good morning"]);
  await watching.tells("sent", /^[a-z2-7]{10}@\d+ accepted/);
  expect(home.tmux("capture-pane", "-p", "-t", "web:0.0")).toContain("good morning");
  startAgents(home, "ops", named("late", 7));
  hivemind(home, ["team", "register", "ops"]);
  expect(await watching.tells("event", /agent\.spawned/)).toMatchObject({
    event: "agent.spawned",
    args: { pane: "ops:0.0", role: "late" },
  });
});

test("an agent without a name that a command ends is no alarm", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", "2d65a42d-0000-4000-8000-000000000001"], named("po", 2));
  await idleAgents(home, 2);
  hivemind(home, ["team", "register", "web"]);
  const watching = await startWatching(home, [], { limits: { autosaveGapMs: 2_000 } });
  await watching.tells("saved", "web");
  expect(hivemind(home, ["agent", "kill", "web:0.0", "--yes"]).code).toBe(0);
  await watching.tells("event", /agent\.killed web:0\.0 asked/);
  home.tmux("new-window", "-d", "-t", "=web:", "cat");
  await until("another autosave", () => snapshots(home).length > 1, 30_000);
  expect(watching.facts().filter(({ fact }) => fact === "ended" || fact === "unsaved")).toEqual([]);
});

test("a server that goes away and comes back: rows stay, nothing is saved over what was (incident 64)", async () => {
  const home = testHome();
  await teamOf(home, "po", "dev");
  const watching = await startWatching(home);
  await watching.tells("saved", "web");
  const roles = rowsOf(home, "hivemind.roles.env");
  home.tmux("kill-server");
  await watching.tells("server", "the tmux server has ended");
  tmuxTeam(home, "other");
  await watching.tells("server", "a tmux server started");
  expect(rowsOf(home, "hivemind.roles.env")).toEqual(roles);
  tmuxTeam(home, "web");
  await watching.tells("unsaved", /^web: (po, dev|dev, po) ended without a command/);
  expect(snapshots(home)).toMatchObject([{ isAutosave: true, teams: [{ agents: 2 }] }]);
});

test("--once is one turn: S5 and the log stay as they are where nothing changed", async () => {
  const home = testHome();
  await teamOf(home, "po", "dev");
  const first = hivemind(home, ["watch", "--once", "--json"]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(
    first.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ version: 1, fact: "saved", pane: null, event: null }]);
  const before = [rowsOf(home, "hivemind.forks.env"), rowsOf(home, "hivemind.events.log")];
  expect(hivemind(home, ["watch", "--once"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect([rowsOf(home, "hivemind.forks.env"), rowsOf(home, "hivemind.events.log")]).toEqual(before);
  expect(snapshots(home)).toHaveLength(1);
});

test("--once that could not look has exit code 3 (incident 64)", () => {
  const home = testHome();
  writeFileSync(join(home.root, "tmux"), "#!/bin/sh\necho 'lost server' >&2\nexit 1\n", { mode: 0o755 });
  const ran = hivemind(home, ["watch", "--once"], { env: { PATH: `${home.root}:${home.env.PATH}` } });
  expect(ran).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("lost server") });
  expect(lock(home)).toBeUndefined();
});

test("--reconcile repairs what a look can repair; without it that is left alone, and --quiet says nothing of a save", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  hivemind(home, ["team", "register", "web"]);
  const windows = join(home.config, "tronMonitor.env");
  writeFileSync(windows, "4|lost\n", { mode: 0o600 });
  expect(hivemind(home, ["watch", "--once", "--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(snapshots(home)).toHaveLength(1);
  expect(readFileSync(windows, "utf8")).toBe("4|lost\n");
  expect(hivemind(home, ["watch", "--once", "--reconcile"]).stdout).toMatch(/repaired I4: remove .*lost/);
  expect(readFileSync(windows, "utf8")).toBe("");
});

test("a turn spawns tmux once, for one pane as for twelve (incident 61)", () => {
  const spawns = (panes: number) => {
    const home = testHome();
    tmuxTeam(home, "web", panes);
    hivemind(home, ["team", "register", "web"]);
    hivemind(home, ["watch", "--once"]);
    const bin = join(home.root, "bin");
    const count = join(home.root, "count");
    mkdirSync(bin);
    const real = (home.env.PATH ?? "")
      .split(delimiter)
      .map((each) => join(each, "tmux"))
      .find(existsSync);
    writeFileSync(join(bin, "tmux"), `#!/bin/sh\necho x >> ${count}\nexec ${real} "$@"\n`, { mode: 0o700 });
    const PATH = `${bin}${delimiter}${home.env.PATH}`;
    expect(hivemind(home, ["watch", "--once"], { env: { PATH } })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    return readFileSync(count, "utf8").split("\n").length - 1;
  };
  expect([spawns(1), spawns(12)]).toEqual([1, 1]);
});

test.each([
  [["--every", "0"], /--every takes 1 to 3600 seconds, not "0"/],
  [["--every", "often"], /--every takes 1 to 3600 seconds, not "often"/],
  [["--notify", "no-such-program"], /there is no program "no-such-program"/],
  [["--notify", "notify-send -u critical"], /there is no program "notify-send -u critical"/],
  [["--notify", ""], /there is no program ""/],
  [["--notify", "/etc/passwd"], /there is no program/],
  [["--notify", "./tell"], /there is no program/],
])("watch %j is wrong usage", (args, expected) => {
  const home = testHome();
  const { code, stdout, stderr } = hivemind(home, ["watch", ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(expected);
  expect(existsSync(home.config)).toBe(false);
});
