// One pass over the fleet and the stores: what is wrong, the worst first. Pure.
//
// [AU3] Sorted by severity, then invariant, then key.

import { harmless } from "../base/harmless.js";
import { naturalOrder } from "../base/natural-order.js";
import type { Facts } from "./facts.js";
import { invariants } from "./invariants.js";
import { type Severity, severities, type Violation } from "./violation.js";

export type Summary = Record<"total" | Severity, number>;

export function audit(facts: Facts): Violation[] {
  const found = invariants.flatMap(({ id, severity, detect }) =>
    detect(facts).map((finding): Violation => ({ severity, invariant: id, ...finding })),
  );
  return found.sort(inOrder);
}

export function summaryOf(violations: readonly Violation[]): Summary {
  const count = (severity: Severity) => violations.filter((each) => each.severity === severity).length;
  return {
    total: violations.length,
    critical: count("critical"),
    high: count("high"),
    medium: count("medium"),
    low: count("low"),
  };
}

/** A row as programs and people get it: foreign text made harmless, and nothing beside the seven fields. */
export function diffRow({ severity, invariant, store, op, key, expected, actual }: Violation) {
  const text = (value: string | null) => (value === null ? null : harmless(value));
  return {
    severity,
    invariant,
    store,
    op,
    key: harmless(key),
    expected: text(expected),
    actual: text(actual),
  };
}

function inOrder(a: Violation, b: Violation): number {
  const number = ({ invariant }: Violation) => Number(invariant.slice(1));
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    number(a) - number(b) ||
    naturalOrder(a.key, b.key)
  );
}
