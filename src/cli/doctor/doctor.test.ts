import pico from "picocolors";
import { expect, test } from "vitest";
import type { Finding } from "../../doctor/check.js";
import { limits } from "../../limits.js";
import { findingLines } from "./doctor.js";

const colours = pico.createColors(false);
const summary = { checks: 4, couldNotLook: 0, problem: 1, warning: 2, info: 0, ok: 1 };

test("findings are grouped, with marks and fixes, and end with a summary line", () => {
  const findings: Finding[] = [
    { level: "problem", check: "a", message: "it burns", fix: "put it out" },
    { level: "warning", check: "b", message: "a row\u001b[2J", fix: null },
    { level: "warning", check: "b", message: "another", fix: null },
    { level: "ok", check: "c", message: "tmux 3.3a", fix: null },
  ];
  expect(findingLines(findings, summary, colours)).toEqual([
    "Problems",
    "  ✗ it burns",
    "      put it out",
    "",
    "Warnings",
    "  ! a row␛[2J",
    "  ! another",
    "",
    "Fine",
    "  ✓ tmux 3.3a",
    "",
    "1 problem, 2 warnings (4 checks)",
  ]);
});

test("of many findings of one check the first are shown, then how many more there are", () => {
  const many = Array.from(
    { length: 400 },
    (_, at): Finding => ({ level: "warning", check: "stores", message: `row ${at}`, fix: null }),
  );
  const other: Finding = { level: "warning", check: "locks", message: "a lock", fix: null };
  const lines = findingLines([...many, other], summary, colours);
  expect(lines).toHaveLength(1 + limits.findingsShown + 1 + 1 + 1 + 1);
  expect(lines).toContain(`    and ${400 - limits.findingsShown} more of this kind: --json`);
  expect(lines).toContain("  ! a lock");
});

test("the work per finding is constant, however many there are", () => {
  let looks = 0;
  const many = Array.from(
    { length: 2000 },
    (_, at): Finding => ({
      level: "warning",
      get check() {
        looks += 1;
        return "stores";
      },
      message: `row ${at}`,
      fix: null,
    }),
  );
  findingLines(many, summary, colours);
  expect(looks).toBeLessThanOrEqual(4 * many.length);
});

test("the last line counts checks that could not look", () => {
  expect(findingLines([], { ...summary, couldNotLook: 1 }, colours)).toEqual([
    "1 problem, 2 warnings (4 checks, 1 could not look)",
  ]);
});
