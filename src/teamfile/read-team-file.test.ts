import { describe, expect, test } from "vitest";
import { problemLine } from "./problem.js";
import { readTeamFile } from "./read-team-file.js";
import type { TeamFile } from "./team-file.js";

const place = { path: "/srv/web4/hivemind.yaml", folder: "/srv/web4", home: "/home/ann" };

function read(text: string, home: string | null = place.home): TeamFile {
  const result = readTeamFile(text, { ...place, home });
  if ("problems" in result) throw new Error(result.problems.map((each) => problemLine("", each)).join("\n"));
  return result.team;
}

function problems(text: string): string[] {
  const result = readTeamFile(text, place);
  return "problems" in result ? result.problems.map(({ message }) => message) : [];
}

test("an agent without settings", () => {
  expect(read("project: web4\n\nagents:\n  lead:\n")).toEqual({
    path: place.path,
    written: place.folder,
    folder: place.folder,
    project: "web4",
    team: "web4",
    layout: "tiled",
    adopts: false,
    agents: [
      {
        id: "lead",
        kind: "claude",
        model: null,
        cwd: "/srv/web4",
        promptPaths: [],
        permissionMode: null,
        inbound: "hold",
        mcp: false,
        args: [],
        env: {},
        fork: null,
        worktree: null,
        start: "resume",
        restart: "never",
        reportsTo: null,
        line: 4,
      },
    ],
    notes: [],
  });
});

test("agents are in the order of the file", () => {
  const text = "project: web4\nagents: { zoe: , lead: , '10x': , a1: }\n".replace("'10x': ,", "");
  expect(read(text).agents.map(({ id }) => id)).toEqual(["zoe", "lead", "a1"]);
});

test("an agent's own settings override the defaults; env is merged per variable", () => {
  const { agents } = read(`
project: web4
defaults: { model: opus, args: [--verbose, --debug], env: { A: "1", B: "2" }, reports_to: lead, restart: on-crash }
agents:
  lead:
  dev: { model: haiku, args: [], env: { B: "3", C: "4" }, restart: never }
`);
  expect(agents[0]).toMatchObject({
    model: "opus",
    args: ["--verbose", "--debug"],
    env: { A: "1", B: "2" },
    reportsTo: null,
    restart: "on-crash",
  });
  expect(agents[1]).toMatchObject({
    model: "haiku",
    args: [],
    env: { A: "1", B: "3", C: "4" },
    reportsTo: "lead",
    restart: "never",
  });
});

test("`mcp` is true or false, for an agent or for all", () => {
  const { agents } = read("project: a\ndefaults: { mcp: true }\nagents: { lead: , dev: { mcp: false } }\n");
  expect(agents.map(({ mcp }) => mcp)).toEqual([true, false]);
  for (const [wrong, what] of [
    ['"true"', "is a text"],
    ["yes", "is a text"],
    ["1", "is a number"],
    ["", "has no value"],
  ])
    expect(problems(`project: a\nagents:\n  lead:\n    mcp: ${wrong}\n`)).toEqual([
      `\`mcp\` ${what}: it must be \`true\` or \`false\`, without quotes`,
    ]);
});

test("a shell takes only defaults that are not about a conversation", () => {
  const { agents } = read(`
project: web4
defaults: { model: opus, prompt: a.md, permission_mode: plan, inbound: accept, mcp: true, args: [--verbose], start: fresh, cwd: src, env: { A: b }, restart: on-crash }
agents:
  sh: { kind: shell }
`);
  expect(agents[0]).toMatchObject({
    model: null,
    promptPaths: [],
    permissionMode: null,
    inbound: "hold",
    mcp: false,
    args: [],
    start: "resume",
  });
  expect(agents[0]).toMatchObject({ cwd: "/srv/web4/src", env: { A: "b" }, restart: "on-crash" });
});

test("a shell with a conversation setting is refused", () => {
  expect(problems("project: a\nagents:\n  sh: { kind: shell, model: opus }\n")).toEqual([
    "`sh` is a shell, which has no conversation: `model` does not apply to it",
  ]);
});

describe("a path", () => {
  test.each([
    ["src", "/srv/web4/src"],
    ["./src/", "/srv/web4/src"],
    ["../other", "/srv/other"],
    ["/abs", "/abs"],
    ['"~"', "/home/ann"],
    ["~/src", "/home/ann/src"],
    ["a b", "/srv/web4/a b"],
    ["$HOME/x", "/srv/web4/$HOME/x"],
    ["./~x", "/srv/web4/~x"],
  ])("%s is %s", (written, expected) => {
    const { agents } = read(`project: a\nagents:\n  lead: { cwd: ${written}, prompt: ${written} }\n`);
    expect(agents[0]).toMatchObject({ cwd: expected, promptPaths: [expected] });
  });

  test("under an unknown home folder is one named ~", () => {
    expect(read("project: a\nagents: { lead: { cwd: ~/x } }\n", null).agents[0]?.cwd).toBe("/srv/web4/~/x");
  });
});

test("fork and reports_to must refer to another agent of the file", () => {
  const [fork, report] = problems("project: a\nagents:\n  dev: { fork: laed, reports_to: dev }\n  lead:\n");
  expect(fork).toBe("`fork`: there is no agent `laed` in this file: did you mean `lead`?");
  expect(report).toBe("`reports_to`: `dev` refers to itself");
});

test("a fork of another kind, and forks in a cycle", () => {
  expect(problems("project: a\nagents:\n  a: { fork: b }\n  b: { kind: demo }\n")).toEqual([
    "`fork`: a claude cannot start as a fork of `b`, a demo",
  ]);
  expect(problems("project: a\nagents:\n  a: { fork: b }\n  b: { fork: a }\n  c: { fork: a }\n")).toEqual([
    "`fork`: the forks form a cycle, a ← b ← a",
    "`fork`: the forks form a cycle, b ← a ← b",
  ]);
});

test("one wrong value does not hide another", () => {
  expect(problems("project: 1\nagents:\n  a: { model: [x], kind: x, env: { 1a: 2 } }\n")).toHaveLength(5);
});

test("a wrong key or value is reported with the nearest one, or with all choices", () => {
  const [key, near, all] = problems("project: a\nagents:\n  a: { mdoel: x, start: frsh, restart: always }\n");
  expect(key).toBe("`mdoel` is not a key of an agent: did you mean `model`?");
  expect(near).toBe("`start` cannot be `frsh`: did you mean `fresh`?");
  expect(all).toBe("`restart` cannot be `always`: it is one of never, on-crash");
});
