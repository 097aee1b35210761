// Runs the checks and sums up.
//
// - A check that throws is reported as a problem; the others still run.
// - Checks that fail for the same cause are one finding. If another check reports that cause as a problem, they are
//   listed there.
// - Problems come first, then warnings, then the rest; within a level the order of the checks stays.
// - Exit code: 0 without problems, 1 with problems, 3 if no check could run.

import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import { type Check, type Finding, type Level, levels, ok, problem } from "./check.js";
import type { World } from "./world.js";

export interface Summary extends Record<Level, number> {
  checks: number;
  couldNotLook: number;
}

export interface Examination {
  findings: Finding[];
  summary: Summary;
}

export async function examine(checks: readonly Check[], world: World): Promise<Examination> {
  const findings: Finding[] = [];
  const failures: Failure[] = [];
  for (const check of checks) {
    try {
      const found = await check.look(world);
      const all = found.length > 0 ? found : [ok(check.title)];
      findings.push(...all.map((each) => findingOf(check.id, each)));
    } catch (error) {
      failures.push(failureOf(check.id, error));
    }
  }
  return summed(ordered(withFailures(findings, failures), checks), checks.length, failures.length);
}

export function exitCodeOf({ checks, couldNotLook, problem }: Summary): ExitCode {
  if (couldNotLook === checks) return exitCodes.couldNotLook;
  return problem > 0 ? exitCodes.refused : exitCodes.done;
}

function summed(findings: Finding[], checks: number, couldNotLook: number): Examination {
  const count = (level: Level) => findings.filter((each) => each.level === level).length;
  return {
    findings: findings.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level)),
    summary: {
      checks,
      couldNotLook,
      problem: count("problem"),
      warning: count("warning"),
      info: count("info"),
      ok: count("ok"),
    },
  };
}

function findingOf(check: string, { level, message, fix }: Omit<Finding, "check">): Finding {
  return { level, check, message, fix };
}

interface Failure {
  check: string;
  cause: string;
  hint: string | null;
}

function failureOf(check: string, error: unknown): Failure {
  const cause = error instanceof Error ? error.message : String(error);
  return { check, cause, hint: error instanceof HiveError ? (error.hint ?? null) : null };
}

function withFailures(findings: readonly Finding[], failures: readonly Failure[]): Finding[] {
  const all = [...findings];
  for (const { cause, hint, check } of failures) {
    const same = failures.filter((each) => each.cause === cause);
    if (same[0]!.check !== check) continue;
    const ids = same.map((each) => each.check);
    const others = ids.length > 1 ? ` (also: ${ids.slice(1).join(", ")})` : "";
    const known = all.findIndex(({ level, message }) => level === "problem" && message.startsWith(cause));
    if (known < 0) all.push(findingOf(check, problem(`${check}: could not look: ${cause}${others}`, hint)));
    else all[known] = { ...all[known]!, message: `${all[known]!.message} (not checked: ${ids.join(", ")})` };
  }
  return all;
}

/** Sorts findings in the order of the checks. */
function ordered(findings: readonly Finding[], checks: readonly Check[]): Finding[] {
  const ids = checks.map(({ id }) => id);
  return findings.toSorted((a, b) => ids.indexOf(a.check) - ids.indexOf(b.check));
}
