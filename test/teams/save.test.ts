import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

const [x, y, z] = ["a", "b", "c"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);

interface Saved {
  path: string;
  layouts: string[];
  teams: object[];
  problems: string[];
}

/** Two teams with one agent `po` each, one of them with a second window of shells. */
async function startFleet(home: TestHome): Promise<void> {
  startAgents(
    home,
    "web",
    ["--session-id", x!, "-n", "po"],
    ["--session-id", y!, "-n", "dev", "--model", "opus"],
  );
  startAgents(home, "web2", ["--session-id", z!, "-n", "po"]);
  home.tmux(
    "new-window",
    "-d",
    "-t",
    "=web:4",
    "-n",
    "it's a | shell",
    "-c",
    home.work,
    ...paneVariables(home.env),
    "cat",
  );
  await idleAgents(home, 3);
  for (const team of ["web", "web2"]) hivemind(home, ["team", "register", team]);
  for (const [pane, role] of [
    ["web:0.0", "po"],
    ["web:0.1", "dev"],
    ["web2:0.0", "po"],
  ]) {
    hivemind(home, ["registry", "set", pane!, role!]);
  }
}

test("a fleet is saved with every pane, including the same role in two teams (incident 19)", async () => {
  const home = testHome();
  await startFleet(home);
  tmuxTeam(home, "plain");
  home.tmux("select-pane", "-t", "=web:4.0", "-T", "a|b");
  const { path, layouts, teams, problems } = json<Saved>(home, ["teams", "save"]);
  expect({ teams, problems }).toEqual({
    teams: [
      { team: "web", agents: 2, shells: 1 },
      { team: "web2", agents: 1, shells: 0 },
    ],
    problems: [],
  });
  const [version, at, fields, ...more] = readFileSync(path, "utf8").trimEnd().split("\n");
  const rows = more.filter((line) => !line.startsWith("#"));
  expect(more.slice(0, 3)).toEqual([x, y, z].map((uuid) => `# no word yet ${uuid}`));
  const ids = more.flatMap((line, index) => {
    const [, id, address] = /^# agent ([a-z2-7]{10}) (\S+)$/.exec(line) ?? [];
    return id === undefined ? [] : [[address, more[index + 1]!.split("|").slice(0, 2).join(":")]];
  });
  expect(ids).toEqual(["web:0.0", "web:0.1", "web2:0.0"].map((address) => [address, address]));
  expect([version, fields]).toEqual(["# version: 1", "# session|address|role|uuid|title|cwd|model|kind"]);
  expect(at).toMatch(/^# hiveMind snapshot \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(rows.map((row) => row.split("|").toSpliced(4, 1))).toEqual([
    ["web", "0.0", "po", x, home.work, "", "demo"],
    ["web", "0.1", "dev", y, home.work, "opus", "demo"],
    ["web", "4.0", "", "", home.work, "", "shell"],
    ["web2", "0.0", "po", z, home.work, "", "demo"],
  ]);
  expect(rows[2]).toContain("|a b|");
  expect(layouts).toEqual(["web", "web2"].map((team) => join(home.config, "otmux", `${team}.layout.env`)));
  expect(readFileSync(layouts[0]!, "utf8")).toContain("OTMUX_WINDOW_4_NAME='it'\\''s a | shell'\n");

  const said = hivemind(home, ["teams", "save", "web2"]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toMatch(/^saved web2: 1 agent, 0 shells\n {2}\/.*hivemind\.snapshot\./);
  expect(json<{ snapshots: object[] }>(home, ["teams", "list"]).snapshots).toMatchObject([
    { isAutosave: false, teams: [{ team: "web2" }], badRows: 0, problem: null },
    { path, teams: [{ team: "web" }, { team: "web2" }] },
  ]);
});

test("an empty save is refused, so that it never becomes the newest", () => {
  const home = testHome();
  for (const args of [[], ["--all"]]) {
    const { code, stdout, stderr } = hivemind(home, ["teams", "save", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("nothing to save");
    tmuxTeam(home, `plain${args.length}`);
  }
  expect(hivemind(home, ["teams", "save", "web"]).stderr).toContain('no team "web" is running');
  expect(hivemind(home, ["teams", "save", "a/b"]).code).toBe(1);
  expect(contentsOf(home.home)).toEqual({});
});

test("an agent that ended in its pane is saved as an agent; a team that lost its agents is reported", async () => {
  const home = testHome();
  tmuxTeam(home, "keep");
  home.tmux("set-option", "-g", "remain-on-exit", "on");
  startAgents(home, "web", ["--session-id", x!, "-n", "po"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "po"]);
  hivemind(home, ["registry", "refresh"]);
  process.kill(Number(home.tmux("display-message", "-p", "-t", "=web:0.0", "#{pane_pid}")), "SIGKILL");
  await until("it has ended", () => home.tmux("list-panes", "-t", "=web:", "-F", "#{pane_dead}") === "1\n");
  const { path, teams } = json<Saved>(home, ["teams", "save"]);
  expect(teams).toEqual([{ team: "web", agents: 1, shells: 0 }]);
  expect(readFileSync(path, "utf8")).toMatch(new RegExp(`^web\\|0\\.0\\|po\\|${x}\\|.*\\|demo$`, "m"));

  home.tmux("respawn-pane", "-k", "-t", "=web:0.0", "cat");
  const { stderr } = hivemind(home, ["teams", "save", "web"]);
  expect(stderr).toMatch(
    /warning: web has no agents now; the previous snapshot has 1 agent: hivemind\.snapshot\./,
  );
});

function writeSnapshot(home: TestHome, time: string, text: string): void {
  writeFileSync(join(home.config, `hivemind.snapshot.${time}.env`), text);
}

test("old snapshots are removed on request, but never the newest of a team or an unreadable one", () => {
  const home = testHome();
  mkdirSync(home.config);
  const row = (team: string) => `${team}|0.0|po||t|/|opus|claude\n`;
  writeSnapshot(home, "20260101T000000", row("old"));
  writeSnapshot(home, "20260102T000000", row("web"));
  writeSnapshot(home, "20260103T000000", "# version: 2\nwhatever\n");
  writeSnapshot(home, "20260104T000000", row("web"));
  const names = () => readdirSync(home.config).filter((name) => name.endsWith(".env"));
  const before = names();
  expect(hivemind(home, ["teams", "prune"]).code).toBe(2);
  expect(hivemind(home, ["teams", "prune", "--keep", "0"]).code).toBe(2);
  const asked = hivemind(home, ["teams", "prune", "--keep", "1"]);
  expect(asked.code).toBe(1);
  expect(asked.stderr).toContain("this would remove 1 snapshot and keep 3");
  expect(names()).toEqual(before);
  expect(hivemind(home, ["teams", "prune", "--keep", "1", "--yes"]).stdout).toBe(
    "removed 1 snapshot, kept 3\n",
  );
  expect(names()).toEqual(before.filter((name) => !name.includes("20260102")));
  expect(hivemind(home, ["teams", "list"]).stdout).toContain("a snapshot of version 2");
});

test("a cold start prints the saved teams and valid commands", async () => {
  const home = testHome();
  await startFleet(home);
  hivemind(home, ["team", "register", "web2", "The second"]);
  hivemind(home, ["teams", "save"]);
  home.tmux("kill-server");
  const { stdout, code } = hivemind(home, []);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    / {2}TEAM +DESCRIPTION +AGENTS +SAVED\n[ -]+\n {2}web +– +2 +\d+ (s|min) ago\n {2}web2 +The second +1 /,
  );
  for (const [, typed] of stdout.matchAll(/^[A-Z][a-z ]+: +node \S+ (.*)$/gm)) {
    const words = typed!.split(" ").filter((word) => !/^(web2?|HOST)$/.test(word));
    expect(hivemind(home, [...words, "--help"]).code).toBe(0);
  }
});

test("a team renamed in tmux is saved under one name, and comes back once", async () => {
  const home = testHome();
  await startFleet(home);
  home.tmux("rename-session", "-t", "=web", "shop");
  const registered = () => readFileSync(join(home.config, "hivemind.teams.env"), "utf8").split("\n").sort();
  expect(hivemind(home, ["teams", "save"])).toMatchObject({ code: 0, stderr: "" });
  expect(registered()).toEqual(["", "shop|", "web2|"]);
  home.tmux("kill-server");
  expect(hivemind(home, ["teams", "restore", "--dry-run"]).stdout).not.toMatch(/^web /m);
});
