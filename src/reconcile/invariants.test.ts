import { describe, expect, test } from "vitest";
import { found, type Given, id } from "../../test/reconcile/made.js";
import type { TeamName } from "../names/gates.js";
import { invariants } from "./invariants.js";

const [x, y, z] = [id("a"), id("b"), id("c")];
const po = { "a:0.0": { title: "po", agent: "po", uuid: x } };
const right: Given = { panes: po };
const shell = { "a:0.0": { kind: "shell" } } as const;

test("the ten are in order, each with its specified severity", () => {
  expect(invariants.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
    "I1 high",
    "I2 high",
    "I3 critical",
    "I4 medium",
    "I5 medium",
    "I6 low",
    "I7 critical",
    "I8 high",
    "I9 medium",
    "I10 high",
  ]);
});

const check = (title: string, given: Given, ...expected: string[]) =>
  test(title, () => expect(found(given)).toEqual(expected));

describe("nothing is wrong", () => {
  check("[IN2] if the rows match the live state", right);
  check("[IN2] with rows of a team that does not run or is not registered", {
    ...right,
    teams: ["a", "away"],
    kept: ["away"],
    roles: { "a:0.0": "po", "away:0.3": "po", "other:0.1": "po" },
    sessions: { "a:0.0": x, "away:0.3": y, "other:0.1": z },
    queues: { "away:0.9": { waiting: 1 }, "other:0.9": { waiting: 1 } },
  });
  check("[IN2] with an ended agent that keeps its rows", {
    panes: { "a:0.0": { kind: "shell", agent: "po", uuid: y, had: x, state: "stale" } },
  });
  check("[IN2] with an agent whose session is unknown, with or without a row", {
    panes: { "a:0.0": { title: "po", agent: "po", had: x }, "a:0.1": { title: "dev", agent: "dev" } },
  });
  check("[IN2] with unnamed agents, and one role in two teams", {
    panes: { ...po, "a:0.1": { uuid: y }, "b:0.0": { title: "po", agent: "po", uuid: z } },
    teams: ["a", "b"],
  });
  check("[IN2] with a silent fork, and a title to which the client added words", {
    panes: { ...po, "a:0.1": { title: "dev-busy-bee", uuid: y, agent: "dev" } },
    parents: { [y]: x },
  });
  check(
    "[IN2] with correct rows from another program",
    {
      panes: { "a:0.0": { title: "x", uuid: x }, "a:0.1": { ...po["a:0.0"], uuid: y } },
      roles: { "a:0.0": "x", "a:0.1": "lead" },
      sessions: { "a:0.0": x, "a:0.1": y },
    },
    "medium I9 L1 report a:0.1 lead po",
  );
});

describe("I1", () => {
  check(
    "[IN1] the role row and the session row of a gone pane are one violation",
    { ...right, gone: { "a:0.7": ["old", y] } },
    "high I1 S1 remove a:0.7 – old",
  );
  check(
    "a row from another program for a missing pane",
    { ...right, roles: { "a:0.0": "po", "a:0.8": "new" } },
    "high I1 S1 remove a:0.8 – new",
  );
  check(
    "a row with the role of another agent",
    { ...right, panes: { ...po, "a:0.1": { kind: "shell" } }, roles: { "a:0.0": "po", "a:0.1": "po" } },
    "high I1 S1 remove a:0.1 – po",
  );
  check(
    "the row of an agent whose pane is gone, at an address that another agent has now",
    {
      panes: { "a:0.0": { title: "dev", agent: "dev", was: "a:0.1", uuid: y } },
      gone: { "a:0.0": ["po", x] },
    },
    "high I1 S1 remove a:0.0 – po",
  );
});

describe("I2", () => {
  check(
    "a session of a pane that is gone",
    { ...right, sessions: { "a:0.0": x, "a:0.7": y } },
    `high I2 S2 remove a:0.7 – ${y}`,
  );
  check(
    "a session of a pane without a role",
    { panes: shell, sessions: { "a:0.0": y } },
    `high I2 S2 remove a:0.0 – ${y}`,
  );
  check(
    "a session of an unnamed agent",
    { panes: { "a:0.0": { uuid: x } }, sessions: { "a:0.0": x } },
    `high I2 S2 remove a:0.0 – ${x}`,
  );
  check(
    "another session than the live one",
    { panes: { "a:0.0": { ...po["a:0.0"], had: y } } },
    `high I2 S2 update a:0.0 ${x} ${y}`,
  );
  check(
    "another session than the live one, from another program",
    { ...right, sessions: { "a:0.0": y } },
    `high I2 S2 update a:0.0 ${x} ${y}`,
  );
});

describe("I3", () => {
  const lost: Given = { teams: ["a"], panes: { "b:0.0": { kind: "shell" } } };
  const away: Given = { ...lost, gone: { "a:0.0": ["po", x] } };
  check(
    "a team that neither runs nor can come back",
    lost,
    "critical I3 S3 remove a – neither runs nor can come back",
  );
  check(
    "without a tmux server it is only reported (incident 66)",
    { ...lost, panes: {}, hasServer: false },
    "critical I3 S3 report a – neither runs nor can come back",
  );
  check(
    "[IN2] while a folder that may have it is missing it is only reported",
    { ...lost, isBlind: true },
    "critical I3 S3 report a – neither runs nor can come back",
  );
  check("not if a snapshot, a layout or a team file has it", { ...lost, kept: ["a"] });
  check("not if its sessions have a transcript", { ...away, transcripts: [x] });
  check("not if a live process outside tmux has its session", { ...away, held: [x] });
  check("not if its session has no conversation and its parent has a transcript", {
    ...away,
    parents: { [x]: y },
    transcripts: [y],
  });
  check("[IN2] not if there is no folder to search", { ...away, isSearchable: false });
  check("[IN2] not if its transcript may be in an unreadable place", { ...away, unreadable: ["/p"] });
  check("nothing of it is left", away, "critical I3 S3 remove a – neither runs nor can come back");
});

describe("I4", () => {
  check(
    "a window of an unregistered team",
    { ...right, windows: { 1: "a", 3: "x" } },
    "medium I4 S8 remove x – window 3",
  );
  check("not of another team than the given one", { ...right, windows: { 3: "x" }, only: "a" });
});

describe("I5", () => {
  const saved = { "a:0.0": x, "b:1.2": y };
  check(
    "a saved session without a transcript",
    { ...right, saved, transcripts: [x] },
    `medium I5 S4 report b:1.2 ${y} no transcript`,
  );
  check("not one that a live process holds", { ...right, saved, transcripts: [x], held: [y] });
  check("only of the given team", { ...right, saved, transcripts: [x], only: "a" });
  check("[IN2] not of an agent without a conversation", { ...right, saved, transcripts: [x], silent: [y] });
  check("[IN2] not while a folder that may have it is missing", { ...right, saved, isSearchable: false });
  check("[IN2] not if its file is unreadable", {
    ...right,
    saved,
    transcripts: [x],
    unreadable: [`/p/${y}.jsonl`],
  });
  check(
    "an unreadable file of another session hides nothing",
    { ...right, saved, transcripts: [x], unreadable: [`/p/${z}.jsonl`] },
    `medium I5 S4 report b:1.2 ${y} no transcript`,
  );
});

describe("I6", () => {
  const nobody = "zzzzzzzzzz";
  const bare: Given = { panes: shell };
  check(
    "messages for a forgotten agent are reported",
    { ...right, queues: { [nobody]: { waiting: 2, isExpired: false } } },
    `low I6 S6 report ${nobody} – 2 waiting`,
  );
  check("but not if one team is given", {
    ...right,
    only: "a",
    queues: { [nobody]: { waiting: 2, isExpired: false } },
  });
  check(
    "another program's file for a pane without an agent is reported",
    { ...bare, queues: { "a:0.0": { waiting: 2, isExpired: false } } },
    "low I6 S6 report a:0.0 – 2 waiting",
  );
  check(
    "expired messages are removed",
    { ...bare, queues: { "a:0.0": { waiting: 2 } } },
    "low I6 S6 remove a:0.0 – 2 expired",
  );
  check(
    "an empty queue is removed",
    { ...bare, queues: { [nobody]: { isBlank: true } } },
    `low I6 S6 remove ${nobody} – empty`,
  );
  check("a queue with only a comment is left", { ...bare, queues: { "a:0.0": {} } });
  check("[IN1] a file for a pane with an agent will be imported", {
    ...right,
    queues: { "a:0.0": { waiting: 1, isExpired: false } },
  });
});

describe("I7", () => {
  const team = "a" as TeamName;
  const viewer = [
    { team, expected: "a", actual: "b" },
    { team, expected: "window 1", actual: "window 2" },
  ];
  check(
    "every difference between the viewer and its window names",
    { ...right, viewer },
    "critical I7 S8 report a a b",
    "critical I7 S8 report a window 1 window 2",
  );
  check("nothing without a viewer, and nothing if it is right", { ...right, viewer: [] });
});

describe("I8", () => {
  check(
    "[IN1] an agent with a known role and no row; its session row is right then",
    { ...right, roles: {} },
    "high I8 S1 add a:0.0 po –",
  );
  check(
    "an ended agent without its row",
    { panes: { "a:0.0": { kind: "shell", agent: "po", had: x } }, roles: {} },
    "high I8 S1 add a:0.0 po –",
  );
  check(
    "a row with the role of another agent",
    {
      panes: { ...po, "a:0.1": { title: "dev", agent: "dev", uuid: y } },
      roles: { "a:0.0": "po", "a:0.1": "po" },
    },
    "high I8 S1 update a:0.1 dev po",
  );
  check(
    "a role from its title",
    { panes: { "a:0.0": { title: "✳ dev", uuid: x } }, sessions: { "a:0.0": x } },
    "high I8 S1 add a:0.0 dev –",
  );
});

describe("I9", () => {
  const titled = (title: string): Given => ({ ...right, panes: { "a:0.0": { ...po["a:0.0"], title } } });
  check("a title without its role", titled("✳ Claude Code"), "medium I9 L1 report a:0.0 po ✳ Claude Code");
  for (const title of [
    "✳ po",
    "⠂ po",
    "po@far",
    "teamctl:web:po",
    "po-busy-bee",
    "✳ fix it (Branch)",
    "box",
    "",
  ])
    check(`[IN2] "${title}" is fine`, titled(title));
});

check("[IN2] words that a client once added to a name, and now treats as a person's, are fine", {
  ...right,
  panes: {
    "a:0.0": { ...po["a:0.0"], title: "✳ po-busy-bee", live: { name: "po-busy-bee", isNameSuffixed: false } },
  },
});

describe("I10", () => {
  check("a named agent without its session", { ...right, sessions: {} }, `high I10 S2 add a:0.0 ${x} –`);
  check(
    "a session of two agents is only reported, and given to neither",
    { panes: { ...po, "a:0.1": { title: "dev", agent: "-", uuid: x, had: y } } },
    "high I8 S1 add a:0.1 dev –",
    `high I10 S2 add a:0.1 ${y} –`,
    `high I10 S2 report ${x} one pane a:0.0, a:0.1`,
  );
  check(
    "a session of a stranger in another tmux session",
    { panes: { ...po, "b:0.0": { uuid: x } } },
    `high I10 S2 report ${x} one pane a:0.0, b:0.0`,
  );
  check(
    "[IN1] not if a repair resolves it",
    {
      panes: { ...po, "a:0.1": { title: "dev", agent: "dev", uuid: y, had: x } },
    },
    `high I2 S2 update a:0.1 ${y} ${x}`,
  );
});
