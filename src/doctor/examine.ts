// Runs the checks and sums up.
//
// [DX1] A check that throws is a finding that says it could not look; the others still look.
// [DX2] Problems come first, then warnings, then the rest; among equals the order of the checks stays.
// [DX3] No problem is exit code 0, problems are 1, and where nothing at all could be looked at it is 3.

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
  let couldNotLook = 0;
  for (const check of checks) {
    try {
      const found = await check.look(world);
      const all = found.length > 0 ? found : [ok(check.title)];
      findings.push(...all.map((each) => findingOf(check.id, each)));
    } catch (error) {
      couldNotLook++;
      findings.push(findingOf(check.id, failure(check.id, error)));
    }
  }
  return summed(findings, checks.length, couldNotLook);
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

function failure(id: string, error: unknown) {
  const said = error instanceof Error ? error.message : String(error);
  const hint = error instanceof HiveError ? (error.hint ?? null) : null;
  return problem(`${id}: could not look: ${said}`, hint);
}
