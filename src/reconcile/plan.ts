// Which steps repair what was found. Pure.
//
// [RPL1] What only a person can repair has no step.

import type { HiveEvent } from "../events/event.js";
import type { TeamName } from "../names/gates.js";
import { addressParts } from "../names/gates.js";
import type { Facts } from "./facts.js";
import { invariants } from "./invariants.js";
import type { Step, Violation } from "./violation.js";

export interface Repair {
  violation: Violation;
  step: Step;
}

/** Repairs that are done at once: of rows whose panes are gone there may be very many. */
export function together(repairs: readonly Repair[]): Repair[][] {
  const isRemoval = ({ violation, step }: Repair) => violation.op === "remove" && step.do === "follow";
  const groups: Repair[][] = [];
  for (const repair of repairs) {
    const last = groups.at(-1);
    if (last !== undefined && isRemoval(repair) && isRemoval(last[0]!)) last.push(repair);
    else groups.push([repair]);
  }
  return groups;
}

export function planRepairs(violations: readonly Violation[], facts: Facts): Repair[] {
  return violations.flatMap((violation) => {
    const step = invariants.find(({ id }) => id === violation.invariant)!.repair(violation, facts);
    return step === null ? [] : [{ violation, step }];
  });
}

/** The teams whose rows an event that follows moved panes changes. */
export function teamsMoved(event: HiveEvent): TeamName[] {
  if (event.name === "team.renamed") return [event.old, event.new];
  if (event.name === "agent.killed") return [addressParts(event.pane).team];
  if (event.name !== "panes.shifted") return [];
  return event.moves.flatMap(({ from, to }) => [addressParts(from).team, addressParts(to).team]);
}
