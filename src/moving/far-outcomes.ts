// What a far side says came of a team. Pure.
//
// [FOU1] An answer of another form is an error. An agent of which nothing is said counts as not started: a team without any
//        outcome has not arrived.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Host } from "../names/gates.js";
import type { RestoreOutcome } from "../teams/restore.js";

export interface Migrated {
  outcomes: RestoreOutcome[];
  /** Agents of which the far side says nothing. */
  untold: number;
}

/** `agents` is how many conversations went. All text is made harmless: a person will see it. */
export function readOutcomes(host: Host, value: unknown, agents: number): Migrated {
  if (!Array.isArray(value) || !value.every(isOutcome))
    throw new HiveError(`${host} does not say what came of it`, {
      hint: `look there: ssh ${host} hivemind status`,
    });
  const outcomes: RestoreOutcome[] = JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === "string" ? harmless(each) : each,
  );
  const told = outcomes.reduce((sum, outcome) => sum + toldIn(outcome), 0);
  return { outcomes, untold: Math.max(0, agents - told, outcomes.length === 0 ? 1 : 0) };
}

/** Every agent was started there, or runs there already. */
export function hasArrived({ outcomes, untold }: Migrated): boolean {
  const isWhole = ({ failed, refused, notReached }: RestoreOutcome) =>
    failed.length + refused.length + notReached === 0;
  return untold === 0 && outcomes.every(isWhole);
}

function toldIn({ started, failed, refused, left, notReached }: RestoreOutcome): number {
  const agents = left.filter(({ is }) => is !== "shell");
  return started.length + failed.length + refused.length + agents.length + notReached;
}

function isOutcome(value: unknown): value is RestoreOutcome {
  const { team, source, started, failed, left, refused, asking, notReached } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const isText = typeof team === "string" && typeof source === "string";
  const isCount = Number.isSafeInteger(notReached) && (notReached as number) >= 0;
  return isText && isCount && [started, failed, left, refused, asking].every(isRows);
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null);
}
