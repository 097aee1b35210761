// Groups transcripts that can have to do with each other, from the facts of the first pass. Pure.
//
// [KG1] The lineage of a group is the same with and without the transcripts of other groups. Lineage compares messages
//       (families.ts), sessions that records name, and sessions that were cleared in one place (cleared.ts); a group
//       has all of these.

import type { SessionId } from "../../names/gates.js";
import type { Facts } from "../transcript.js";
import { join, topOf } from "./families.js";

/** One number per transcript, in the given order; equal numbers are a group. */
export function kinGroups(all: readonly { id: SessionId; facts: Readonly<Facts> }[]): number[] {
  const above = new Map<string, string>();
  for (const { id, facts } of all) {
    for (const tie of tiesOf(facts)) join(above, tie, nameOf(id));
  }
  const numbers = new Map<string, number>();
  return all.map(({ id }) => {
    const top = topOf(above, nameOf(id));
    const number = numbers.get(top) ?? numbers.size;
    numbers.set(top, number);
    return number;
  });
}

/** Whether a transcript that changed may now belong to another group, or to another folder. */
export function hasOtherTies(before: Readonly<Facts>, now: Readonly<Facts>): boolean {
  const key = (facts: Readonly<Facts>) => JSON.stringify([facts.firstCwd, ...tiesOf(facts)]);
  return key(before) !== key(now);
}

function tiesOf(facts: Readonly<Facts>): string[] {
  const { rootMessage, boundaries, forkedFrom, startedAs, writtenAs, beginsWithClear } = facts;
  const ties = rootMessage === null ? [] : [rootMessage, ...boundaries];
  for (const session of [forkedFrom?.sessionId ?? null, startedAs, writtenAs])
    if (session !== null) ties.push(nameOf(session));
  if (beginsWithClear === true) ties.push(JSON.stringify([facts.title, facts.firstCwd]));
  return ties;
}

/** Message ids have the same form. */
function nameOf(session: SessionId): string {
  return `session ${session}`;
}
