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

test("[DX1] a check that throws says so, with its hint, and the next one still looks", async () => {
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

test("[DX1] checks that fail for one cause are one finding, and all of them count", async () => {
  const blind = (id: string) => ({ ...failing, id });
  const { findings, summary } = await examine([blind("a"), check("b", () => []), blind("c")], world);
  expect(findings.filter(({ level }) => level === "problem")).toEqual([
    {
      level: "problem",
      check: "a",
      message: "a: could not look: the door is locked (nor could: c)",
      fix: "open it",
    },
  ]);
  expect(summary).toMatchObject({ checks: 3, couldNotLook: 2, problem: 1 });
});

test("[DX1] a cause that a check reports is told there, whichever looked first", async () => {
  const told = check("door", () => [problem("the door is locked: nobody gets in", "open it")]);
  for (const order of [
    [told, failing],
    [failing, told],
  ]) {
    const { findings } = await examine(order, world);
    expect(findings.map(({ message }) => message)).toEqual([
      "the door is locked: nobody gets in (not looked at: blind)",
    ]);
  }
});

test("[DX1] a bug in a check does not hide what the others found", async () => {
  const bug = check("bug", () => (undefined as unknown as { gone: Found[] }).gone);
  const { findings } = await examine([bug, check("a", () => [problem("it burns", null)])], world);
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^bug: could not look: /),
    "it burns",
  ]);
});

test("[DX2] problems come first, then warnings; among equals the order of the checks stays", async () => {
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
])("[DX3] the exit code of examination %# is the worst that was found", async (list, code) => {
  expect(exitCodeOf((await examine(list, world)).summary)).toBe(code);
});

test("every check has an id of its own", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});
