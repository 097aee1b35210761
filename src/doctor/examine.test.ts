import { expect, test } from "vitest";
import { HiveError } from "../base/errors.js";
import { type Check, type Found, info, ok, problem, warning } from "./check.js";
import { checks } from "./checks.js";
import { examine, exitCodeOf } from "./examine.js";
import { openWorld } from "./world.js";

const world = openWorld({ env: {} });
const check = (id: string, look: () => Found[]): Check => ({ id, title: `${id} is well`, look });
const failing = check("blind", () => {
  throw new HiveError("the door is locked", { hint: "open it" });
});

test("a check that throws is reported with its hint, and the next one still runs", async () => {
  const { findings, summary } = await examine([failing, check("a", () => [])], world);
  expect(findings).toEqual([
    {
      level: "problem",
      check: "blind",
      message: "blind: could not look: the door is locked",
      fix: "open it",
    },
    { level: "ok", check: "a", message: "a is well", fix: null },
  ]);
  expect(summary).toEqual({ checks: 2, couldNotLook: 1, problem: 1, warning: 0, info: 0, ok: 1 });
});

test("checks that fail for one cause are one finding, and all are counted", async () => {
  const blind = (id: string) => ({ ...failing, id });
  const { findings, summary } = await examine([blind("a"), check("b", () => []), blind("c")], world);
  expect(findings.filter(({ level }) => level === "problem")).toEqual([
    {
      level: "problem",
      check: "a",
      message: "a: could not look: the door is locked (also: c)",
      fix: "open it",
    },
  ]);
  expect(summary).toMatchObject({ checks: 3, couldNotLook: 2, problem: 1 });
});

test("a cause that a check reports as a problem is reported there, whichever ran first", async () => {
  const door = check("door", () => [problem("the door is locked: nobody gets in", "open it")]);
  for (const order of [
    [door, failing],
    [failing, door],
  ]) {
    const { findings } = await examine(order, world);
    expect(findings.map(({ message }) => message)).toEqual([
      "the door is locked: nobody gets in (not checked: blind)",
    ]);
  }
});

test("a bug in a check does not hide what the others found", async () => {
  const bug = check("bug", () => (undefined as unknown as { gone: Found[] }).gone);
  const { findings } = await examine([bug, check("a", () => [problem("it burns", null)])], world);
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^bug: could not look: /),
    "it burns",
  ]);
});

test("problems come first, then warnings; among equals the order of the checks stays", async () => {
  const { findings } = await examine(
    [
      check("a", () => [ok("a1"), warning("a2", null)]),
      check("b", () => [info("b1", null), problem("b2", null)]),
      check("c", () => [problem("c1", null), warning("c2", null)]),
    ],
    world,
  );
  expect(findings.map(({ message }) => message)).toEqual(["b2", "c1", "a2", "c2", "b1", "a1"]);
});

test.each([
  [[check("a", () => [warning("w", null)])], 0],
  [[check("a", () => [problem("p", null)])], 1],
  [[check("a", () => []), failing], 1],
  [[failing, failing], 3],
])("the exit code of examination %# is the worst that was found", async (list, code) => {
  expect(exitCodeOf((await examine(list, world)).summary)).toBe(code);
});

test("every check has its own id", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});
