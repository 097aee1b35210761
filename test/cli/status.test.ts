import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shellWord } from "../../src/base/text/shell-word.js";
import { hivemind, json, mainProgram, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { paneVariables, testHome, until } from "../home.js";
import { startAgents } from "./agents.js";

interface Status {
  teams: { team: string; running: boolean; registered: boolean; agents: Record<string, unknown>[] }[];
}

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";

test("every tmux session is listed with its panes, with every JSON key", async () => {
  const home = testHome();
  tmuxTeam(home, "plain", 2);
  startAgents(home, "web", ["--session-id", uuid, "-n", "mgr"]);
  hivemind(home, ["team", "register", "web", "The web"]);
  hivemind(home, ["registry", "set", "web:0.0", "mgr"]);
  // Its screen shows that it is idle before it reports it, with the time.
  const web = await until("the agent reports that it is idle", () =>
    json<Status>(home, ["status"]).teams.find(
      ({ team, agents }) => team === "web" && agents[0]?.activity === "idle" && agents[0].since !== null,
    ),
  );
  expect(web).toMatchObject({ running: true, registered: true, active: false, description: "The web" });
  expect(web.agents).toEqual([
    {
      agent: expect.stringMatching(/^[a-z2-7]{10}$/),
      standing: "present",
      pane: "web:0.0",
      paneId: expect.stringMatching(/^%\d+$/),
      role: "mgr",
      kind: "demo",
      uuid,
      state: "stable",
      activity: "idle",
      since: expect.stringMatching(/Z$/),
      waitingFor: null,
      requests: [],
      about: null,
      until: null,
      activityEvidence: [
        { source: "registry", activity: "idle", chosen: true, reason: "the client's registry" },
      ],
      model: null,
      context: null,
      queued: 0,
      cwd: home.work,
      title: expect.stringContaining("mgr"),
      lastWords: null,
    },
  ]);
  const plain = json<Status>(home, ["status", "plain"]).teams;
  expect(plain).toMatchObject([
    { team: "plain", registered: false, agents: [{ kind: "shell" }, { kind: "shell" }] },
  ]);
});

test("moved agents are shown at their current panes before any store is written (incident 45)", () => {
  const home = testHome();
  tmuxTeam(home, "alpha", 3);
  hivemind(home, ["registry", "set", "alpha:0.0", "first"]);
  hivemind(home, ["registry", "set", "alpha:0.2", "last"]);
  hivemind(home, ["queue", "append", "alpha:0.2", "for the last one"]);
  home.tmux("swap-pane", "-s", "=alpha:0.0", "-t", "=alpha:0.2");
  home.tmux("rename-session", "-t", "=alpha", "omega");
  const before = contentsOf(home.config);
  const [team] = json<Status>(home, ["status"]).teams;
  expect(team?.agents.map(({ pane, role, queued }) => [pane, role, queued])).toEqual([
    ["omega:0.0", "last", 1],
    ["omega:0.1", null, 0],
    ["omega:0.2", "first", 0],
  ]);
  expect(contentsOf(home.config)).toEqual(before);
});

test("a registered team that does not run is shown with the command that restores it", () => {
  const home = testHome();
  mkdirSync(home.config);
  writeFileSync(join(home.config, "hivemind.teams.env"), "gone|A team\n");
  writeFileSync(join(home.config, "hivemind.roles.env"), "gone:0.0|po\n");
  writeFileSync(join(home.config, "hivemind.sessions.env"), `gone:0.0|${uuid}\n`);
  const [team] = json<Status>(home, ["status"]).teams;
  expect(team).toMatchObject({
    team: "gone",
    running: false,
    agents: [{ pane: "gone:0.0", paneId: null, role: "po", uuid }],
  });
});

test("at a terminal the last line of the glance names top", async () => {
  const home = testHome();
  tmuxTeam(home, "plain");
  expect(hivemind(home, []).stdout).not.toMatch(/ top$/m);
  const program = [process.execPath, mainProgram].map(shellWord).join(" ");
  home.tmux(
    "new-session",
    "-d",
    "-x",
    "200",
    "-y",
    "50",
    "-s",
    "person",
    ...paneVariables(home.env),
    `${program}; cat`,
  );
  const screen = await until("it has printed", () => {
    const text = home.tmux("capture-pane", "-p", "-t", "=person:").trimEnd();
    return / top$/.test(text) && text;
  });
  expect(screen).toContain("answer, send and watch on one screen: ");
});

test("without tmux sessions the stored teams are listed", () => {
  const home = testHome();
  expect(hivemind(home, []).stdout).toMatch(/^No tmux sessions running\.\nNo teams registered yet\.\n/);
  mkdirSync(home.config);
  writeFileSync(
    join(home.config, "hivemind.teams.env"),
    "ooshTeam|OOSH development team\nweb4team|Web4 architecture team\n",
  );
  const { stdout, code } = hivemind(home, []);
  expect(code).toBe(0);
  expect(stdout).toContain(
    `No tmux sessions running.\nPersisted teams from ${join(home.config, "hivemind.teams.env")}:\n`,
  );
  expect(stdout).toMatch(
    / {2}TEAM +DESCRIPTION\n[ -]+\n {2}ooshTeam +OOSH development team\n {2}web4team +Web4/,
  );
  expect(stdout).toMatch(/^Restart one: .* team restart ooshTeam$/m);
  // One that a team file describes comes back by it.
  writeFileSync(join(home.work, "hivemind.yaml"), "project: oosh\nsession: ooshTeam\nagents:\n  lead:\n");
  writeFileSync(join(home.config, "hivemind.projects.env"), `oosh|${home.work}\n`);
  const written = hivemind(home, []).stdout;
  expect(written).toMatch(/^Restart one: .* team restart web4team$/m);
  expect(written).toContain(` up --file ${home.work}\n`);
});

test("status creates nothing: no folder, no file, no lock", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  const reads = [
    [],
    ["status"],
    ["team", "list"],
    ["registry", "list"],
    ["queue", "list"],
    ["forks", "list"],
    ["events"],
  ];
  for (const args of reads) expect(hivemind(home, args).code).toBe(0);
  expect(contentsOf(home.home)).toEqual({});
});

test("a pane's title is escaped for the terminal", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  mkdirSync(home.config);
  writeFileSync(join(home.config, "hivemind.teams.env"), "alpha|fine\n");
  home.tmux("select-pane", "-t", "=alpha:0.0", "-T", "\u202eevil\u2066");
  expect(hivemind(home, ["status"]).stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2066]/);
});

test("a tmux that does not answer is not an empty fleet: exit code 3 (incident 64)", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  writeFileSync(join(home.root, "tmux"), "#!/bin/sh\necho 'lost server' >&2\nexit 1\n", { mode: 0o755 });
  const { code, stdout, stderr } = hivemind(home, ["status"], {
    env: { PATH: `${home.root}:${home.env.PATH}` },
  });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain("lost server");
});
