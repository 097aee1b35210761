import { describe, expect, test } from "vitest";
import { found, type Given, id } from "../../test/reconcile/made.js";
import type { TeamName } from "../names/gates.js";
import { invariants } from "./invariants.js";

const [x, y, z] = [id("a"), id("b"), id("c")];
const po = { "a:0.0": { title: "po", mark: "a:0.0 po", uuid: x } };
const right: Given = { panes: po, roles: { "a:0.0": "po" }, sessions: { "a:0.0": x } };
const shell = { "a:0.0": { kind: "shell" } } as const;

test("the ten stand in order, each with the severity of the specification", () => {
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
  check("[IN2] where rows say what is live", right);
  check("[IN2] with rows of a team that does not run, or is no team of ours", {
    ...right,
    teams: ["a", "away"],
    kept: ["away"],
    roles: { "a:0.0": "po", "away:0.3": "po", "other:0.1": "po" },
    sessions: { "a:0.0": x, "away:0.3": y, "other:0.1": z },
    queues: { "away:0.9": { waiting: 1 }, "other:0.9": { waiting: 1 } },
  });
  check("[IN2] with an ended agent that keeps its rows", {
    panes: { "a:0.0": { kind: "shell", mark: "a:0.0 po", uuid: y, state: "stale" } },
    roles: { "a:0.0": "po" },
    sessions: { "a:0.0": x },
  });
  check("[IN2] with an agent whose session is not known, with a row or without", {
    panes: { "a:0.0": { title: "po" }, "a:0.1": { title: "dev" } },
    roles: { "a:0.0": "po", "a:0.1": "dev" },
    sessions: { "a:0.0": x },
  });
  check("[IN2] with unnamed agents, and one role in two teams", {
    panes: { ...po, "a:0.1": { uuid: y }, "b:0.0": { title: "po", uuid: z } },
    roles: { "a:0.0": "po", "b:0.0": "po" },
    sessions: { "a:0.0": x, "b:0.0": z },
    teams: ["a", "b"],
  });
  check("[IN2] with a silent fork, and a title that its client has put words behind", {
    panes: { ...po, "a:0.1": { title: "po-busy-bee", uuid: y, mark: "a:0.1 po" } },
    roles: { "a:0.0": "po", "a:0.1": "po" },
    sessions: { "a:0.0": x, "a:0.1": y },
    parents: { [y]: x },
  });
});

describe("I1", () => {
  check(
    "[IN1] a row of a pane that is gone takes its session and its messages with it",
    {
      ...right,
      roles: { "a:0.0": "po", "a:0.7": "old" },
      sessions: { "a:0.0": x, "a:0.7": y },
      queues: { "a:0.7": { waiting: 2, isExpired: false } },
    },
    "high I1 S1 remove a:0.7 – old",
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
    { ...right, sessions: { "a:0.0": y } },
    `high I2 S2 update a:0.0 ${x} ${y}`,
  );
  check(
    "an ended agent whose pane still says who it was gets its role back",
    {
      panes: { "a:0.0": { kind: "shell", mark: "a:0.0 po" } },
      sessions: { "a:0.0": x },
    },
    "high I2 S1 add a:0.0 po –",
  );
});

describe("I3", () => {
  const lost: Given = { teams: ["a"], panes: { "b:0.0": { kind: "shell" } } };
  const away = { ...lost, sessions: { "a:0.0": x } };
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
    "[IN2] while a folder that may have it is away it is only reported",
    { ...lost, isBlind: true },
    "critical I3 S3 report a – neither runs nor can come back",
  );
  check("a snapshot, a layout or a team file has it", { ...lost, kept: ["a"] });
  check("its sessions have a transcript", { ...away, transcripts: [x] });
  check("a live process outside tmux has its session", { ...away, held: [x] });
  check("its session never said a word, and its parent has a transcript", {
    ...away,
    parents: { [x]: y },
    transcripts: [y],
  });
  check("[IN2] there is no folder to search for it", { ...away, isSearchable: false });
  check("[IN2] its transcript may be where nobody could look", { ...away, unreadable: ["/p"] });
  check("nothing of it is left", away, "critical I3 S3 remove a – neither runs nor can come back");
});

describe("I4", () => {
  check("a window of no team", { ...right, windows: { 1: "a", 3: "x" } }, "medium I4 S8 remove x – window 3");
  check("not of another team than the one asked for", { ...right, windows: { 3: "x" }, only: "a" });
});

describe("I5", () => {
  const saved = { "a:0.0": x, "b:1.2": y };
  check(
    "a saved session without a transcript",
    { ...right, saved, transcripts: [x] },
    `medium I5 S4 report b:1.2 ${y} no transcript`,
  );
  check("one that a live process holds is still there", { ...right, saved, transcripts: [x], held: [y] });
  check("of the team that was asked for", { ...right, saved, transcripts: [x], only: "a" });
  check("[IN2] nor of an agent that had not said a word", { ...right, saved, transcripts: [x], silent: [y] });
  check("[IN2] not while a folder is away that it may lie in", { ...right, saved, isSearchable: false });
  check("[IN2] not where its file cannot be read", {
    ...right,
    saved,
    transcripts: [x],
    unreadable: [`/p/${y}.jsonl`],
  });
  check(
    "another file that cannot be read hides nothing",
    { ...right, saved, transcripts: [x], unreadable: [`/p/${z}.jsonl`] },
    `medium I5 S4 report b:1.2 ${y} no transcript`,
  );
});

describe("I6", () => {
  const bare: Given = { panes: shell };
  check(
    "messages for a pane without a role are reported",
    { ...bare, queues: { "a:0.0": { waiting: 2, isExpired: false } } },
    "low I6 S6 report a:0.0 – 2 waiting",
  );
  check(
    "expired ones are removed",
    { ...bare, queues: { "a:0.0": { waiting: 2 } } },
    "low I6 S6 remove a:0.0 – 2 expired",
  );
  check(
    "an empty queue is removed",
    { ...bare, queues: { "a:0.0": { isBlank: true } } },
    "low I6 S6 remove a:0.0 – empty",
  );
  check("a queue that holds but a remark is left", { ...bare, queues: { "a:0.0": {} } });
});

describe("I7", () => {
  const team = "a" as TeamName;
  const viewer = [
    { team, expected: "a", actual: "b" },
    { team, expected: "window 1", actual: "window 2" },
  ];
  check(
    "all that the viewer is not what it is named",
    { ...right, viewer },
    "critical I7 S8 report a a b",
    "critical I7 S8 report a window 1 window 2",
  );
  check("nothing without a viewer, and nothing when it is right", { ...right, viewer: [] });
});

describe("I8", () => {
  check(
    "[IN1] an agent whose role is known and has no row: its session and messages are right then",
    {
      ...right,
      roles: {},
      queues: { "a:0.0": { waiting: 1, isExpired: false } },
    },
    "high I8 S1 add a:0.0 po –",
  );
  check(
    "a role that is not the one its pane carries",
    { ...right, roles: { "a:0.0": "qa" } },
    "high I8 S1 update a:0.0 po qa",
  );
  check(
    "a role that its title names",
    { panes: { "a:0.0": { title: "✳ dev", uuid: x } }, sessions: { "a:0.0": x } },
    "high I8 S1 add a:0.0 dev –",
  );
});

describe("I9", () => {
  const titled = (title: string): Given => ({ ...right, panes: { "a:0.0": { ...po["a:0.0"], title } } });
  check(
    "a title that is not its role",
    titled("✳ Claude Code"),
    "medium I9 L1 report a:0.0 po ✳ Claude Code",
  );
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

check("[IN2] words that a client once put behind a name, and now takes for a person's, are fine", {
  ...right,
  panes: {
    "a:0.0": { ...po["a:0.0"], title: "✳ po-busy-bee", live: { name: "po-busy-bee", isNameSuffixed: false } },
  },
});

describe("I10", () => {
  check("a named agent without its session", { ...right, sessions: {} }, `high I10 S2 add a:0.0 ${x} –`);
  check(
    "a session that two agents are in is only reported, and given to none",
    {
      panes: { ...po, "a:0.1": { title: "dev", mark: "a:0.1 dev", uuid: x } },
      roles: { "a:0.0": "po", "a:0.1": "dev" },
      sessions: { "a:0.0": x },
    },
    `high I10 S2 report ${x} one pane a:0.0, a:0.1`,
  );
  check(
    "a session that two rows have",
    {
      panes: { ...po, "a:0.1": { kind: "shell", mark: "a:0.1 dev" } },
      roles: { "a:0.0": "po", "a:0.1": "dev" },
      sessions: { "a:0.0": x, "a:0.1": x },
    },
    `high I10 S2 report ${x} one pane a:0.0, a:0.1`,
  );
  check(
    "[IN1] not where a repair tells them apart",
    {
      panes: { ...po, "a:0.1": { title: "dev", mark: "a:0.1 dev", uuid: y } },
      roles: { "a:0.0": "po", "a:0.1": "dev" },
      sessions: { "a:0.0": x, "a:0.1": x },
    },
    `high I2 S2 update a:0.1 ${y} ${x}`,
  );
});
