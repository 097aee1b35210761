import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { deriveSessionId } from "../../src/names/session-id.js";
import { loadTeamFile, TeamFileError } from "../../src/teamfile/load-team-file.js";
import { type TestHome, testHome } from "../home.js";

/** A folder with teamctl's files; returns its real path. */
function teamctl(home: TestHome, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home.work, ".team", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return realpathSync(home.work);
}

const hello = `version: 2
project:
  id: hello
  name: Hello
  cwd: ..
channels:
  - name: all
    members: "*"
managers:
  mgr:
    runtime: claude-code
    model: claude-opus-4-7
    role_prompt: roles/mgr.md
    permission_mode: auto
    autonomy: low_risk_only
    can_dm: [dev]
workers:
  dev:
    role_prompt: [roles/_base.md, roles/dev.md]
    reports_to: mgr
    effort: max
  helper:
    runtime: codex
    model: o3
`;
const many = Array.from({ length: 201 }, (_, at) => `  a${at}:\n`).join("");
const compose = (...names: string[]) =>
  `version: 2\nbroker: { type: sqlite }\nprojects:\n${names.map((name) => `  - file: projects/${name}.yaml\n`).join("")}`;

test("the ids and settings are teamctl's own", () => {
  const home = testHome();
  const folder = teamctl(home, { "team-compose.yaml": compose("hello"), "projects/hello.yaml": hello });
  mkdirSync(join(folder, "deep/er"), { recursive: true });
  const team = loadTeamFile({ from: join(folder, "deep/er"), env: home.env });
  expect(team).toMatchObject({
    path: join(folder, ".team/projects/hello.yaml"),
    folder: join(folder, ".team"),
    project: "hello",
    team: "hello",
    layout: "tiled",
  });
  expect(team.agents.map(({ id }) => deriveSessionId(team.project, id))).toEqual([
    "15533422-8bdb-5079-8420-efcdb81dd2e5",
    "b63de03a-6d49-5f14-9be3-0aac60a859ed",
  ]);
  const [mgr, dev] = team.agents;
  const kept = { kind: "claude", cwd: folder, start: "resume", restart: "never" };
  expect(mgr).toMatchObject({
    ...kept,
    model: "claude-opus-4-7",
    permissionMode: "auto",
    promptPaths: [join(folder, ".team/roles/mgr.md")],
    line: 10,
  });
  expect(dev).toMatchObject({
    ...kept,
    model: null,
    reportsTo: "mgr",
    promptPaths: [join(folder, ".team/roles/_base.md"), join(folder, ".team/roles/dev.md")],
  });
});

test("relative paths and an agent's folder start at the folder of team-compose.yaml", () => {
  const home = testHome();
  const folder = teamctl(home, {
    "team-compose.yaml": compose("hello"),
    "projects/hello.yaml": hello
      .replace("cwd: ..", "cwd: ./space")
      .replace("effort: max", "cwd_override: ../dev"),
  });
  const { agents } = loadTeamFile({ from: folder, env: home.env });
  expect(agents.map(({ cwd }) => cwd)).toEqual([join(folder, ".team/space"), join(folder, "dev")]);
});

test("keys without a meaning are reported once; an agent of another runtime is left out", () => {
  const home = testHome();
  const folder = teamctl(home, { "team-compose.yaml": compose("hello"), "projects/hello.yaml": hello });
  expect(loadTeamFile({ from: folder, env: home.env }).notes).toEqual([
    "hivemind does not run `codex`: left out `helper`",
    "unused keys of teamctl's files: broker, channels, autonomy, can_dm, effort",
  ]);
});

test("one of several projects is chosen by its id", () => {
  const home = testHome();
  const folder = teamctl(home, {
    "team-compose.yaml": compose("hello", "two"),
    "projects/hello.yaml": hello,
    "projects/two.yaml": hello.replace("id: hello", "id: my.two").replace("cwd: ..", "cwd: /srv"),
  });
  const from = { from: folder, env: home.env };
  expect(() => loadTeamFile(from)).toThrow(/several projects .*: hello, my\.two/);
  expect(loadTeamFile({ ...from, project: "my.two" })).toMatchObject({ project: "my.two", team: "my_two" });
  expect(loadTeamFile({ ...from, project: "my.two" }).agents[0]?.cwd).toBe("/srv");
  expect(() => loadTeamFile({ ...from, project: "three" })).toThrow(/no project "three"/);
});

test.each([
  [{ "team-compose.yaml": "projects: x\n" }, /team-compose\.yaml:1:11: `projects` must be a list/],
  [{ "team-compose.yaml": "version: 2\n" }, /it has no project/],
  [{ "team-compose.yaml": "projects: [{ file: [a] }]\n" }, /:1:20: `file` must be text/],
  [
    { "team-compose.yaml": compose("gone") },
    /team-compose\.yaml:4:5: there is no file .*projects\/gone\.yaml/,
  ],
  [{ "projects/a.yaml": "managers: { m: }\n" }, /a\.yaml:1:1: it needs `project:` with an `id:`/],
  [{ "projects/a.yaml": "project: { id: a:b }\nmanagers: { m: }\n" }, /`id`: refused `a:b`/],
  [{ "projects/a.yaml": "project: { id: a }\n" }, /no agent that runs claude-code/],
  [{ "projects/a.yaml": "project: { id: a }\nworkers: { 'x y': }\n" }, /refused `x y`: a role/],
  [
    { "projects/a.yaml": "project: { id: a }\nmanagers: { m: }\nworkers: { m: }\n" },
    /:3:12: `m` is already a manager/,
  ],
  [{ "projects/a.yaml": `project: { id: a }\nworkers:\n${many}` }, /there are 201 agents/],
  [{ "projects/a.yaml": "project: { id: a }\nworkers: [m]\n" }, /`workers` must be a mapping/],
  [{ "projects/a.yaml": "project: { id: a }\nworkers: { m: opus }\n" }, /:2:15: a mapping belongs here/],
  [{ "projects/a.yaml": "project: { id: a }\nworkers: { m: { model: --x } }\n" }, /`model`: refused/],
])("an unreadable file is reported with its place %#", (files, why) => {
  const home = testHome();
  const folder = teamctl(home, { "team-compose.yaml": compose("a"), ...files });
  const load = () => loadTeamFile({ from: folder, env: home.env });
  expect(load).toThrow(why);
  expect(load).toThrow(TeamFileError);
});
