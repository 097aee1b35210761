// One pass over the fleet and the stores: what is wrong, worst first, and which steps repair it. Pure.
//
// [AU3] Sorted by severity, then invariant, then key.
// [RPL1] A violation that only a person can repair has no step.

import { harmless } from "../base/text/escape-terminal.js";
import { naturalOrder } from "../base/text/natural-order.js";
import type { HiveEvent } from "../events/event.js";
import { addressParts, type TeamName } from "../names/gates.js";
import type { Facts } from "./facts.js";
import { invariants } from "./invariants.js";
import { type Severity, type Step, severities, type Violation } from "./violation.js";

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

/** A row for programs and people: foreign text escaped, and only the seven fields. */
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

export interface Repair {
  violation: Violation;
  step: Step;
}

export function planRepairs(violations: readonly Violation[], facts: Facts): Repair[] {
  return violations.flatMap((violation) => {
    const step = invariants.find(({ id }) => id === violation.invariant)!.repair(violation, facts);
    return step === null ? [] : [{ violation, step }];
  });
}

/** The teams whose rows follow moved panes or a renamed team. */
export function teamsMoved(event: HiveEvent): TeamName[] {
  const teamOf = (address: Parameters<typeof addressParts>[0]) => addressParts(address).team;
  if (event.name === "team.renamed") return [event.old, event.new];
  if (event.name === "pane.moved") return [teamOf(event.from), teamOf(event.to)];
  if (event.name === "panes.swapped") return [teamOf(event.a), teamOf(event.b)];
  return event.name === "panes.shifted"
    ? event.moves.flatMap(({ from, to }) => [teamOf(from), teamOf(to)])
    : [];
}
