import { expect, test } from "vitest";
import { factsGiven, found, type Given, id } from "../../test/reconcile/made.js";
import { audit, diffRow, planRepairs, summaryOf, teamsMoved } from "./audit.js";

const [x, y] = [id("a"), id("b")];

/** Something of everything. */
const damaged: Given = {
  panes: {
    "a:0.0": { title: "po", agent: "po", uuid: x },
    "a:0.1": { title: "other", agent: "dev", uuid: y },
  },
  gone: { "a:0.10": ["p"], "a:0.9": ["q"] },
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

test("a row for programs has the seven fields, with foreign text escaped", () => {
  const [row] = audit(
    factsGiven({
      panes: { "a:0.0": { title: "po\u001b[31m", agent: "po", uuid: x } },
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

test("moved panes and a renamed team are no violations", () => {
  const facts = factsGiven({
    panes: {
      "b:0.1": { title: "po", agent: "po", was: "a:0.0", uuid: x },
      "b:0.0": { title: "dev", agent: "dev", was: "a:0.1", uuid: y },
    },
    windows: { 1: "a" },
  });
  expect(audit(facts)).toEqual([]);
  expect(facts.moves.map(({ name }) => name)).toEqual(["team.renamed", "panes.swapped"]);
  expect(facts.moves.flatMap(teamsMoved)).toEqual(["a", "b", "b", "b"]);
});

test("S1 and S2 must be what a refresh writes", () => {
  const facts = factsGiven({
    panes: { "a:0.0": { title: "po", uuid: x }, "a:0.1": { title: "dev", agent: "dev", uuid: y, had: x } },
  });
  expect([...facts.roles.wanted]).toEqual([
    ["a:0.0", "po"],
    ["a:0.1", "dev"],
  ]);
  expect([...facts.sessions.wanted]).toEqual([
    ["a:0.0", x],
    ["a:0.1", y],
  ]);
});

test("[RPL1] a reported violation has no step, every other has one", () => {
  const facts = factsGiven(damaged);
  const violations = audit(facts);
  const steps = planRepairs(violations, facts);
  expect(steps.map(({ violation }) => violation)).toEqual(violations.filter(({ op }) => op !== "report"));
  expect(steps.map(({ step }) => step.do)).toEqual([
    "remove team",
    ...["change", "change", "change", "change"],
    "remove window",
    "bury queue",
  ]);
});
