import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock } from "../../src/base/files/lock.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";
import { idleAgents, startAgents } from "./agents.js";

const uuids = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
  "2d65a42d-0000-4000-8000-00000000000a",
] as const;
const [first, second, third] = uuids;

const lines = (home: TestHome, name: string) => {
  const path = join(home.config, name);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean).sort() : [];
};
const roles = (home: TestHome) => lines(home, "hivemind.roles.env").map((row) => row.replace(/\|\d+$/, ""));
const sessions = (home: TestHome) => lines(home, "hivemind.sessions.env");
const queued = (home: TestHome, standing = "present") =>
  json<{ queues: { pane: string; standing: string; messages: { text: string }[] }[] }>(home, [
    "queue",
    "list",
  ])
    .queues.filter((queue) => queue.standing === standing)
    .flatMap(({ pane, messages }) => messages.map(({ text }) => `${pane} ${text}`));
const eventNames = (home: TestHome) =>
  json<{ events: { event: string }[] }>(home, ["events"]).events.map(({ event }) => event);
const named = (name: string, uuid: string) => ["--session-id", uuid, "-n", name];

/** A registered team of three agents that have their roles, each with a message waiting. */
async function teamOfThree(home: TestHome): Promise<void> {
  startAgents(home, "web", named("po", first), named("dev", second), named("qa", third));
  await idleAgents(home, 3);
  hivemind(home, ["team", "register", "web", "The web"]);
  expect(hivemind(home, ["registry", "refresh"])).toEqual({
    code: 0,
    stdout: "updated=3 broken=0\n",
    stderr: "",
  });
  for (const [at, name] of ["po", "dev", "qa"].entries())
    hivemind(home, ["queue", "append", `web:0.${at}`, `for ${name}`]);
}

test("running agents get roles from their titles, once; a second refresh changes only S5", async () => {
  const home = testHome();
  await teamOfThree(home);
  expect(roles(home)).toEqual(["web:0.0|po", "web:0.1|dev", "web:0.2|qa"]);
  expect(sessions(home)).toEqual(uuids.map((uuid, at) => `web:0.${at}|${uuid}`));
  const rowsOfS5 = lines(home, "hivemind.forks.env").filter((row) => !row.startsWith("#"));
  expect(rowsOfS5.map((row) => row.replace(/^[^|]+\|/, ""))).toEqual([
    `web:0.0|po|${first}|stable|`,
    `web:0.1|dev|${second}|stable|`,
    `web:0.2|qa|${third}|stable|`,
  ]);
  const { "hivemind.forks.env": forksBefore, ...before } = contentsOf(home.config);
  expect(hivemind(home, ["registry.refresh", "web"]).stdout).toBe("updated=3 broken=0\n");
  const { "hivemind.forks.env": forksAfter, ...after } = contentsOf(home.config);
  expect(after).toEqual(before);
  expect(forksAfter!.split("\n").length).toBe(forksBefore!.split("\n").length + 3);
});

/** Roles, sessions, messages and options of panes all say that these agents sit at these places. */
function expectPlaces(home: TestHome, places: Record<string, "po" | "dev" | "qa">): void {
  const all = Object.entries(places);
  const uuidOf = { po: first, dev: second, qa: third };
  expect(roles(home)).toEqual(all.map(([pane, role]) => `${pane}|${role}`));
  expect(sessions(home)).toEqual(all.map(([pane, role]) => `${pane}|${uuidOf[role]}`));
  expect(queued(home)).toEqual(all.map(([pane, role]) => `${pane} for ${role}`));
  const marks = home.tmux(
    "list-panes",
    "-a",
    "-F",
    "#{pane_id} #{session_name}:#{window_index}.#{pane_index} #{@hivemind}",
  );
  const isMarked = marks
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
  expect(isMarked.map(([id, at, mark]) => [at, mark, id])).toEqual(
    isMarked.map(([id, at]) => [at, `${id}|${at}|${places[at!]}`, id]),
  );
}

test("changes made with tmux are followed in rows, messages, options and events (incident 45)", async () => {
  const home = testHome();
  await teamOfThree(home);
  const since = (count: number) => eventNames(home).slice(count);
  const step = (places: Parameters<typeof expectPlaces>[1], events: string[], ...act: string[]) => {
    const before = eventNames(home).length;
    home.tmux(...act);
    const { code, stderr, stdout } = hivemind(home, ["registry", "refresh"]);
    const updated = `updated=${Object.keys(places).length} broken=0\n`;
    expect({ code, stderr, stdout }, act.join(" ")).toEqual({ code: 0, stderr: "", stdout: updated });
    expectPlaces(home, places);
    expect(since(before), act.join(" ")).toEqual(events);
  };

  step(
    { "web:0.0": "qa", "web:0.1": "dev", "web:0.2": "po" },
    ["panes.swapped"],
    "swap-pane",
    "-d",
    "-s",
    "=web:0.0",
    "-t",
    "=web:0.2",
  );
  step(
    { "net:0.0": "qa", "net:0.1": "dev", "net:0.2": "po" },
    ["team.renamed"],
    "rename-session",
    "-t",
    "=web",
    "net",
  );
  expect(lines(home, "hivemind.teams.env")).toEqual(["net|The web"]);
  step(
    { "net:0.0": "qa", "net:0.1": "po", "net:1.0": "dev" },
    ["panes.shifted"],
    "break-pane",
    "-d",
    "-s",
    "=net:0.1",
    "-t",
    "=net:",
  );
  step(
    { "net:0.0": "qa", "net:0.1": "po", "net:7.0": "dev" },
    ["pane.moved"],
    "move-window",
    "-s",
    "=net:1",
    "-t",
    "=net:7",
  );
  step(
    { "net:0.0": "dev", "net:0.1": "qa", "net:0.2": "po" },
    ["panes.shifted"],
    "join-pane",
    "-d",
    "-b",
    "-s",
    "=net:7.0",
    "-t",
    "=net:0.0",
  );
  step({ "net:0.0": "dev", "net:0.1": "po" }, ["pane.moved", "agent.killed"], "kill-pane", "-t", "=net:0.1");
  expect(queued(home, "away")).toEqual(["net:0.1 for qa"]);

  const { "hivemind.forks.env": _, ...before } = contentsOf(home.config);
  hivemind(home, ["registry", "refresh"]);
  const { "hivemind.forks.env": __, ...after } = contentsOf(home.config);
  expect(after).toEqual(before);
});

test("several moves between two refreshes are followed too (incident 45)", async () => {
  const home = testHome();
  await teamOfThree(home);
  home.tmux("swap-pane", "-d", "-s", "=web:0.0", "-t", "=web:0.2");
  home.tmux("rename-session", "-t", "=web", "net");
  home.tmux("break-pane", "-d", "-s", "=net:0.1", "-t", "=net:");
  home.tmux("move-window", "-s", "=net:1", "-t", "=net:7");
  expect(hivemind(home, ["registry", "refresh"])).toMatchObject({ code: 0, stderr: "" });
  expectPlaces(home, { "net:0.0": "qa", "net:0.1": "po", "net:7.0": "dev" });
  expect(eventNames(home).slice(-2)).toEqual(["team.renamed", "panes.shifted"]);
});

test("a new pane at an agent's old address gets neither its role nor its messages (incident 45)", () => {
  const home = testHome();
  tmuxTeam(home, "web", 3);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "po"]);
  hivemind(home, ["registry", "set", "web:0.2", "qa"]);
  hivemind(home, ["queue", "append", "web:0.0", "for po"]);
  home.tmux("kill-pane", "-t", "=web:0.0");
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
  expect(roles(home)).toEqual(["web:0.1|qa"]);
  expect(queued(home)).toEqual([]);
  expect(queued(home, "away")).toEqual(["web:0.0 for po"]);
});

test("a new session in a pane is one change, with one S5 row that names its parent", async () => {
  const home = testHome();
  startAgents(home, "web", named("po", first));
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  for (const text of ["/clear", "hello"]) {
    home.tmux("send-keys", "-t", "=web:0.0", "-l", text);
    home.tmux("send-keys", "-t", "=web:0.0", "Enter");
    if (text === "/clear")
      await until(
        "a new session",
        () => hivemind(home, ["session", "current", "web:0.0"]).stdout.trim() !== first,
      );
  }
  await until("its transcript", () => hivemind(home, ["session", "state", "web:0.0"]).stdout === "live\n");
  await idleAgents(home, 1);
  const before = lines(home, "hivemind.forks.env").length;
  const { agents, events } = json<{ agents: object[]; events: object[] }>(home, ["registry", "refresh"]);
  expect(events).toMatchObject([{ name: "session.changed", pane: "web:0.0", old: first, cause: "clear" }]);
  expect(agents).toMatchObject([{ pane: "web:0.0", role: "po", state: "live", parent: first }]);
  expect(lines(home, "hivemind.forks.env")).toHaveLength(before + 1);
  expect(json(home, ["registry", "refresh"])).toMatchObject({ events: [], agents: [{ parent: first }] });
});

/** As the hooks of the agent in this pane would: it went to `third` for a moment, and came back. */
function reportVisit(home: TestHome, pane: string, own: string): void {
  const folder = join(home.config, "hivemind.hooks");
  const format = "#{pane_id} #{pane_pid} #{socket_path},#{pid},0";
  const [id, pid, tmux] = home.tmux("display-message", "-p", "-t", pane, format).trim().split(" ");
  const said = [
    ["SessionEnd", own],
    ["SessionStart", third],
    ["SessionEnd", third],
    ["SessionStart", own],
  ] as const;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [at, [event, session]] of said.entries()) {
    const path = join(folder, `${pid}-${at}.json`);
    const about = { event, pid: Number(pid), tmux, pane: id };
    const input = { session_id: session, hook_event_name: event, source: "resume" };
    writeFileSync(path, `${JSON.stringify(about)}\n${JSON.stringify(input)}\n`, { mode: 0o600 });
    const seconds = Date.now() / 1000 + at / 10;
    utimesSync(path, seconds, seconds);
  }
}

test("a hook report becomes one S5 row, however often the team is refreshed, at its team's turn", async () => {
  const home = testHome();
  startAgents(home, "web", named("po", first));
  startAgents(home, "other", named("qa", second));
  await idleAgents(home, 2);
  reportVisit(home, "=web:0.0", first);
  reportVisit(home, "=other:0.0", second);
  const visits = () =>
    lines(home, "hivemind.forks.env")
      .flatMap((row) => /\|(.*\|stale)\|$/.exec(row)?.[1] ?? [])
      .sort();
  const seen = (pane: string, role: string) => `${pane}|${role}|${third}|stale`;

  hivemind(home, ["team", "register", "web"]);
  const [reports, aside] = [join(home.config, "hivemind.hooks"), join(home.root, "aside")];
  cpSync(reports, aside, { recursive: true, preserveTimestamps: true });
  for (const args of [["web"], ["web"], [], []]) hivemind(home, ["registry", "refresh", ...args]);
  expect(visits()).toEqual([seen("web:0.0", "po")]);
  expect(readdirSync(reports)).toHaveLength(readdirSync(aside).length - 3);

  // As if all had been killed before they swept.
  cpSync(aside, reports, { recursive: true, preserveTimestamps: true });
  hivemind(home, ["team", "register", "other"]);
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
  expect(visits()).toEqual([seen("other:0.0", "qa"), seen("web:0.0", "po")]);
});

test("an unnamed agent is listed without a guess, and one session in two panes is reported (incident 27)", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", second], named("po", first));
  await idleAgents(home, 2);
  home.tmux("send-keys", "-t", "=web:0.1", "-l", "hello");
  home.tmux("send-keys", "-t", "=web:0.1", "Enter");
  await until("a transcript", () => hivemind(home, ["session", "state", "web:0.1"]).stdout === "live\n");
  startAgents(home, "other", ["--resume", first]);
  await idleAgents(home, 3);
  hivemind(home, ["team", "register", "web"]);
  const { code, stdout, stderr } = hivemind(home, ["registry", "refresh"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "updated=1 broken=0\n" });
  expect(stderr).toContain(" agent adopt web:0.0 --role ROLE");
  expect(stderr).toMatch(new RegExp(`warning: .*${first} is in .*other:0.0`));
  expect(stderr).toContain("hivemind team register other");
  expect(roles(home)).toEqual(["web:0.1|po"]);
  expect(lines(home, "hivemind.forks.env")).toEqual(
    expect.arrayContaining([expect.stringMatching(/\|web:0\.0\|\|b63de03a/)]),
  );
});

test("a team that does not run keeps its rows, and so do all teams while tmux does not answer (incident 64)", () => {
  const home = testHome();
  tmuxTeam(home, "web", 1);
  mkdirSync(home.config);
  writeFileSync(join(home.config, "hivemind.teams.env"), "web|\ngone|away\n");
  writeFileSync(join(home.config, "hivemind.roles.env"), "gone:0.0|po\nweb:0.7|old\nother:0.7|theirs\n");
  writeFileSync(join(home.config, "hivemind.sessions.env"), `gone:0.0|${first}\n`);
  const before = contentsOf(home.config);
  const rows = ["gone:0.0|po", "other:0.7|theirs"];

  writeFileSync(join(home.root, "tmux"), "#!/bin/sh\necho 'lost server' >&2\nexit 1\n", { mode: 0o755 });
  const failed = hivemind(home, ["registry", "refresh"], { env: { PATH: `${home.root}:${home.env.PATH}` } });
  expect(failed).toMatchObject({ code: 3, stdout: "" });
  expect(contentsOf(home.config)).toEqual(before);

  expect(hivemind(home, ["registry", "refresh", "gone"])).toMatchObject({
    code: 0,
    stdout: "updated=0 broken=0\n",
  });
  // Rows of a team that nobody registered stay as well (incident 65).
  expect(roles(home)).toEqual(rows);
  expect(sessions(home)).toEqual([`gone:0.0|${first}`]);
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
  expect(roles(home)).toEqual(rows);
  home.tmux("kill-server");
  expect(hivemind(home, ["registry", "refresh"]).stdout).toBe("updated=0 broken=0\n");
  expect(roles(home)).toEqual([...rows, "web:0.7|old"]);
});

test("refresh waits for a team that another hivemind is changing", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  mkdirSync(home.config);
  writeFileSync(join(home.config, "hivemind.teams.env"), "web|\n");
  const lock = await acquireLock(join(home.config, "hivemind.lock.web"));
  const limits = { lockWaitMs: 500 };
  const { code, stdout, stderr } = hivemind(home, ["registry", "refresh"], { limits });
  lock.release();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`web is being changed by process ${process.pid}`);
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
});

test("refresh does not wait for the lock of a team that does not run", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  mkdirSync(home.config);
  writeFileSync(join(home.config, "hivemind.teams.env"), "web|\nasleep|\n");
  const lock = await acquireLock(join(home.config, "hivemind.lock.asleep"));
  expect(hivemind(home, ["registry", "refresh"])).toMatchObject({ code: 0, stderr: "" });
  lock.release();
});

test("an unknown team and an invalid name are refused", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  for (const [team, why] of [
    ["we", /there is no team "we"\n {2}teams: web/],
    ["a|b", /a team name is/],
  ] as const) {
    const { code, stdout, stderr } = hivemind(home, ["registry", "refresh", team]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(why);
  }
  expect(contentsOf(home.config)).toEqual({});
});
