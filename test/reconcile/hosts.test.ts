import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock } from "../../src/base/files/lock.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";

const [first, second, third] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
  "2d65a42d-0000-4000-8000-00000000000a",
] as const;

function write(home: TestHome, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home.config, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
}

/** A conversation with records whose process is long gone. */
function writeTranscript(home: TestHome, uuid: string): void {
  const folder = join(home.claude, "projects", "-work");
  mkdirSync(folder, { recursive: true });
  const message = {
    type: "user",
    uuid: first,
    parentUuid: null,
    sessionId: uuid,
    cwd: "/work",
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: "hello" },
  };
  writeFileSync(join(folder, `${uuid}.jsonl`), `${JSON.stringify(message)}\n`);
}

const repairs = [
  ["consistency", "fix", "--yes"],
  ["consistency", "reconcile", "--apply"],
  ["registry", "refresh"],
];

/** Five teams that can be restored, each in another way, with roles, sessions and messages. */
function awayTeams(home: TestHome): void {
  const folder = join(home.work, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "hivemind.yaml"), "project: site\nsession: filed\n");
  writeFileSync(join(folder, "mine.yaml"), "project: named\nsession: named-so\n");
  writeTranscript(home, first);
  write(home, {
    "hivemind.teams.env": "saved|one\nlaid|two\nspoken|three\nfiled|four\nnamed-so|five\n",
    "hivemind.roles.env": "saved:0.0|po\nlaid:0.0|po\nspoken:0.0|po\nfiled:0.0|po\n",
    "hivemind.sessions.env": `saved:0.0|${second}\nspoken:0.0|${first}\n`,
    "hivemind.projects.env": `site|${folder}\nnamed|${folder}/mine.yaml\n`,
    "hivemind.snapshot.20260101T000000.env": `# version: 1\nsaved|0.0|po||po|/work||claude\n`,
    "otmux/laid.layout.env": "OTMUX_LAYOUT_SESSION='laid'\n",
    "hivemind.queue/saved_0_0.queue": "1000|inform|long ago\n",
    "hivemind.queue/spoken_0_3.queue": "9999999999|inform|for whom\n",
  });
}

test("without a tmux server, or with only an unrelated tmux session, no restorable team is removed (incident 66)", () => {
  const home = testHome();
  awayTeams(home);
  // Rows of other programs are imported once.
  hivemind(home, ["registry", "refresh"]);
  const before = contentsOf(home.config);
  for (const when of ["no server", "an unrelated session"]) {
    if (when !== "no server") tmuxTeam(home, "unrelated");
    expect(hivemind(home, ["consistency", "audit"])).toMatchObject({ code: 0, stdout: "nothing is wrong\n" });
    for (const command of repairs) expect(hivemind(home, command)).toMatchObject({ code: 0 });
    expect(contentsOf(home.config)).toEqual(before);
  }
});

test("an abandoned team is never removed without a tmux server (incident 66)", () => {
  const home = testHome();
  write(home, { "hivemind.teams.env": "web|\nlost|gone\n", "hivemind.roles.env": "lost:0.0|po\n" });
  const before = contentsOf(home.config);
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(1);
  expect(contentsOf(home.config)).toEqual(before);
  tmuxTeam(home, "web");
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(0);
  expect(contentsOf(home.config)).toMatchObject({ "hivemind.teams.env": "web|\n", "hivemind.roles.env": "" });
});

test("an unreadable snapshot may have the team", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  write(home, {
    "hivemind.teams.env": "web|\nlost|gone\n",
    "hivemind.snapshot.20260101T000000.env": "# version: 2\nwhatever\n",
    "hivemind.snapshot.20260102T000000.env": "# version: 1\nweb|0.0|po||po|/work||shell\n",
  });
  const before = contentsOf(home.config);
  expect(hivemind(home, ["consistency", "fix", "--yes"])).toMatchObject({
    code: 0,
    stdout: "nothing is wrong\n",
  });
  expect(contentsOf(home.config)).toEqual(before);
});

test("[RA2] if tmux is unreachable the exit code is 3 and nothing is written (incident 64)", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  write(home, { "hivemind.teams.env": "web|\nlost|\n", "hivemind.roles.env": "web:0.7|old\n" });
  const before = contentsOf(home.config);
  writeFileSync(join(home.root, "tmux"), "#!/bin/sh\necho 'lost server' >&2\nexit 1\n", { mode: 0o755 });
  const env = { PATH: `${home.root}:${home.env.PATH}` };
  for (const command of [["consistency", "audit", "--json"], ...repairs])
    expect(hivemind(home, command, { env })).toMatchObject({ code: 3, stdout: "" });
  expect(contentsOf(home.config)).toEqual(before);
});

test("with unreadable transcripts the exit code is 3, even if nothing is wrong", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  hivemind(home, ["registry", "set", "web:0.0", "po"]);
  write(home, { "hivemind.teams.env": "web|\n", "hivemind.sessions.env": `web:0.0|${first}\n` });
  mkdirSync(join(home.claude, "projects"));
  symlinkSync("-loop", join(home.claude, "projects", "-loop"));
  const before = contentsOf(home.config);
  for (const command of [
    ["consistency", "audit"],
    ["consistency", "fix", "--yes"],
  ]) {
    const { code, stderr } = hivemind(home, command);
    expect(code).toBe(3);
    expect(stderr).toContain("could not read");
  }
  expect(contentsOf(home.config)).toEqual(before);
});

test("[RA3] a team that another hivemind is changing is left alone and reported, the others are repaired (incident 65)", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  tmuxTeam(home, "net");
  write(home, {
    "hivemind.teams.env": "web|\nnet|\n",
    "hivemind.queue/web_0_7.queue": "1000|inform|late\n",
    "hivemind.queue/net_0_7.queue": "1000|inform|late\n",
  });
  const queues = () => Object.keys(contentsOf(home.config)).filter((name) => name.endsWith("_0_7.queue"));
  const lock = await acquireLock(join(home.config, "hivemind.lock.web"));
  const { code, stderr } = hivemind(home, ["consistency", "fix", "--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`skipped web: web is being changed by process ${process.pid}`);
  expect(queues()).toEqual(["hivemind.queue/web_0_7.queue"]);
  lock.release();
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(0);
  expect(queues()).toEqual([]);
});

test("without --yes and without a terminal nothing changes, and the output has the command to type", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  write(home, { "hivemind.teams.env": "web|\n", "hivemind.roles.env": "web:0.7|old\n" });
  const before = contentsOf(home.config);
  for (const [words, hint] of [
    [["fix", "web"], "consistency fix web --yes"],
    [["reconcile"], "consistency reconcile --apply"],
    [["audit"], "consistency fix"],
  ] as const) {
    const { code, stdout, stderr } = hivemind(home, ["consistency", ...words]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^high +I1 +S1 +remove +web:0\.7 +– +old$/m);
    expect(stderr).toContain(hint);
    expect(contentsOf(home.config)).toEqual(before);
  }
});

test("fix drops sessions that nothing can open and keeps them as broken in S5; silent agents keep theirs", async () => {
  const home = testHome();
  writeTranscript(home, second);
  startAgents(home, "web", ["--session-id", third, "-n", "silent"]);
  await idleAgents(home, 1);
  for (let count = 0; count < 2; count++) home.tmux("split-window", "-d", "-t", "=web:0.0", "cat");
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  const at = (uuid: string, pane: string) => {
    hivemind(home, ["registry", "set", pane, pane === "web:0.1" ? "gone" : "there"]);
    write(home, {
      "hivemind.sessions.env": `${contentsOf(home.config)["hivemind.sessions.env"]}${pane}|${uuid}\n`,
    });
  };
  at(first, "web:0.1");
  at(second, "web:0.2");
  expect(hivemind(home, ["consistency", "audit"]).code).toBe(0);
  const { dropped } = json<{ dropped: object[] }>(home, ["consistency", "fix", "--yes"]);
  expect(dropped).toMatchObject([{ pane: "web:0.1", uuid: first }]);
  const files = contentsOf(home.config);
  expect(files["hivemind.sessions.env"]).toBe(`web:0.0|${third}\nweb:0.2|${second}\n`);
  expect(files["hivemind.forks.env"]).toMatch(new RegExp(`Z\\|web:0\\.1\\|gone\\|${first}\\|broken\\|\\n$`));
  expect(hivemind(home, ["consistency", "fix", "--yes"])).toMatchObject({
    code: 0,
    stdout: "nothing is wrong\n",
  });
  expect(contentsOf(home.config)).toEqual(files);
});

test("with an unmounted disk no session or team is dropped, and the output says what to do (incident 64)", () => {
  const home = testHome();
  writeTranscript(home, second);
  tmuxTeam(home, "web");
  hivemind(home, ["registry", "set", "web:0.0", "po"]);
  const account = join(home.root, "account");
  mkdirSync(account);
  symlinkSync(join(home.root, "disk"), join(account, "projects"));
  write(home, {
    "hivemind.teams.env": "web|\nlost|\n",
    "hivemind.roles.env": "web:0.0|po\nlost:0.0|po\n",
    "hivemind.sessions.env": `web:0.0|${first}\n`,
    "hivemind.accounts.env": `${account}\n`,
    "hivemind.projects.env": `site|${join(home.root, "disk", "site")}\n`,
  });
  const before = contentsOf(home.config);
  const away = hivemind(home, ["consistency", "fix", "--yes"]);
  expect(away).toMatchObject({ code: 1, stdout: expect.stringMatching(/I3 +S3 +report +lost/) });
  expect(away.stderr).toContain(`mkdir -p ${join(account, "projects")}`);
  expect(away.stderr).toContain(`could not read ${join(home.root, "disk", "site")}`);
  expect(contentsOf(home.config)).toEqual(before);
  mkdirSync(join(home.root, "disk", "site"), { recursive: true });
  writeFileSync(join(home.root, "disk", "site", "hivemind.yaml"), "project: site\n");
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(0);
  expect(contentsOf(home.config)).toMatchObject({
    "hivemind.teams.env": "web|\n",
    "hivemind.sessions.env": "",
  });
});

test("a silent fork, an unnamed agent and one role in two teams: no false alarm, and no repair undoes another", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", first, "-n", "po"], []);
  startAgents(home, "net", ["--session-id", third, "-n", "po"]);
  await idleAgents(home, 3);
  home.tmux("send-keys", "-t", "=web:0.0", "-l", "hello");
  home.tmux("send-keys", "-t", "=web:0.0", "Enter");
  await until("a transcript", () => hivemind(home, ["session", "state", "web:0.0"]).stdout === "live\n");
  startAgents(home, "forks", ["--resume", first, "--fork-session", "--session-id", second, "-n", "dev"]);
  await idleAgents(home, 4);
  for (const team of ["web", "net", "forks"]) hivemind(home, ["team", "register", team]);
  hivemind(home, ["registry", "refresh"]);
  const { "hivemind.forks.env": _, ...before } = contentsOf(home.config);
  for (const command of [["consistency", "audit"], ...repairs, ...repairs])
    expect(hivemind(home, command)).toMatchObject({ code: 0 });
  const { "hivemind.forks.env": __, ...after } = contentsOf(home.config);
  expect(after).toEqual(before);
});

test.each<[string, (home: TestHome) => string, string[]]>([
  ["a caller with another CLAUDE_CONFIG_DIR than the agents", ({ claude }) => claude, repairs[2]!],
  ["[RA6] such a caller after a repair made their rows", ({ claude }) => claude, repairs[0]!],
  ["such a caller, with agents in the standard folder,", ({ home }) => join(home, ".claude"), repairs[2]!],
])("%s still finds their conversations", async (_, folderIn, registering) => {
  const made = testHome();
  const home = { ...made, env: { ...made.env, CLAUDE_CONFIG_DIR: folderIn(made) } };
  startAgents(home, "web", ["--session-id", first, "-n", "po"]);
  await idleAgents(home, 1);
  home.tmux("send-keys", "-t", "=web:0.0", "-l", "hello");
  home.tmux("send-keys", "-t", "=web:0.0", "Enter");
  await until("a transcript", () => hivemind(home, ["session", "state", "web:0.0"]).stdout === "live\n");
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, registering);
  home.tmux("respawn-pane", "-k", "-t", "=web:0.0", "cat");
  const other = join(home.root, "other");
  mkdirSync(join(other, "projects"), { recursive: true });
  const before = contentsOf(home.config);
  const ran = hivemind(home, ["consistency", "fix", "--yes"], { env: { CLAUDE_CONFIG_DIR: other } });
  expect(ran).toMatchObject({ code: 0, stdout: "nothing is wrong\n" });
  expect(contentsOf(home.config)).toEqual(before);
});
