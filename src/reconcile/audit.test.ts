import { expect, test } from "vitest";
import { factsGiven, found, type Given, id } from "../../test/reconcile/made.js";
import { audit, diffRow, summaryOf } from "./audit.js";
import { planRepairs, teamsMoved, together } from "./plan.js";

const [x, y] = [id("a"), id("b")];

/** Something of everything. */
const damaged: Given = {
  panes: {
    "a:0.0": { title: "po", mark: "a:0.0 po", uuid: x },
    "a:0.1": { title: "other", mark: "a:0.1 dev", uuid: y },
  },
  roles: { "a:0.1": "dev", "a:0.10": "p", "a:0.9": "q" },
  sessions: { "a:0.0": y, "a:0.1": y },
  teams: ["a", "lost"],
  windows: { 1: "x" },
  saved: { "a:0.0": x },
  transcripts: [y],
  queues: { "a:0.5": { isBlank: true } },
};

test("[AU3] the worst comes first, then by invariant, then by key", () => {
  expect(
    found(damaged).map((row) =>
      row
        .split(" ")
        .filter((_, at) => [0, 1, 4].includes(at))
        .join(" "),
    ),
  ).toEqual([
    "critical I3 lost",
    "high I1 a:0.9",
    "high I1 a:0.10",
    "high I2 a:0.0",
    "high I8 a:0.0",
    "medium I4 x",
    "medium I5 a:0.0",
    "medium I9 a:0.1",
    "low I6 a:0.5",
  ]);
  expect(summaryOf(audit(factsGiven(damaged)))).toEqual({
    total: 9,
    critical: 1,
    high: 4,
    medium: 3,
    low: 1,
  });
});

test("a row for programs has the seven fields, foreign text made harmless", () => {
  const [row] = audit(
    factsGiven({
      panes: { "a:0.0": { title: "po\u001b[31m", mark: "a:0.0 po", uuid: x } },
      roles: { "a:0.0": "po" },
      sessions: { "a:0.0": x },
    }),
  );
  expect(Object.keys(diffRow(row!))).toEqual([
    "severity",
    "invariant",
    "store",
    "op",
    "key",
    "expected",
    "actual",
  ]);
  expect(diffRow(row!).actual).not.toContain("\u001b");
});

test("[AU1] panes that moved are no violations, and are followed by the events of a refresh", () => {
  const facts = factsGiven({
    panes: {
      "b:0.1": { title: "po", mark: "a:0.0 po", uuid: x },
      "b:0.0": { title: "dev", mark: "a:0.1 dev", uuid: y },
    },
    roles: { "a:0.0": "po", "a:0.1": "dev" },
    sessions: { "a:0.0": x, "a:0.1": y },
    queues: { "a:0.0": { waiting: 1, isExpired: false } },
    windows: { 1: "a" },
  });
  expect(audit(facts)).toEqual([]);
  expect(facts.moves.map(({ name }) => name)).toEqual(["team.renamed", "panes.shifted"]);
  expect(facts.queues.map(({ pane }) => pane)).toEqual(["b:0.1"]);
});

test("[AU2] every repair of a pane is what a refresh would do for it", () => {
  const facts = factsGiven(damaged);
  const planned = planRepairs(audit(facts), facts).flatMap(({ step }) =>
    step.do === "follow" ? step.events : [],
  );
  expect(new Set(planned)).toEqual(new Set(facts.refresh.events));
});

test("[RPL1] what is only reported has no step, all else has one", () => {
  const facts = factsGiven(damaged);
  const violations = audit(facts);
  const steps = planRepairs(violations, facts);
  expect(steps.map(({ violation }) => violation)).toEqual(violations.filter(({ op }) => op !== "report"));
  expect(steps.map(({ step }) => step.do)).toEqual([
    "emit",
    "follow",
    "follow",
    "follow",
    "follow",
    "remove window",
    "discard queue",
  ]);
});

test("rows of panes that are gone are removed together, everything else alone", () => {
  const facts = factsGiven(damaged);
  const groups = together(planRepairs(audit(facts), facts));
  expect(groups.map((group) => group.map(({ violation }) => violation.key).join(" "))).toEqual([
    "lost",
    "a:0.9 a:0.10",
    "a:0.0",
    "a:0.0",
    "x",
    "a:0.5",
  ]);
});

test("following a pane that came to stand at another's place needs the locks of both teams", () => {
  const facts = factsGiven({
    panes: { "b:0.0": { title: "po", mark: "a:0.0 po", uuid: x }, "a:0.1": { kind: "shell" } },
    roles: { "a:0.0": "po", "b:0.0": "old" },
    sessions: { "a:0.0": x },
    teams: ["a", "b"],
    queues: { "b:0.0": { waiting: 1, isExpired: false }, "a:0.0": { waiting: 2, isExpired: false } },
  });
  expect(facts.moves.map((event) => [event.name, ...teamsMoved(event)].join(" "))).toEqual([
    "agent.killed b",
    "panes.shifted a b",
  ]);
  expect(facts.queues).toMatchObject([{ pane: "b:0.0", waiting: 2 }]);
  expect(audit(facts)).toEqual([]);
});
