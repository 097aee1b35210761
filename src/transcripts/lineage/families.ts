// Groups transcripts that can share messages, from the facts of the first pass.
//
// - A copy keeps the message ids. It begins where its original does or, if the client leaves out what was compacted,
//   at a boundary of its original. So transcripts with a common first message or boundary are one family, directly
//   or through others.
// - `topOf` shortens the paths of the tree that it walks: a line of forks of forks can be long, and is walked often.

import type { Facts, MessageId } from "../transcript.js";

interface Begun {
  facts: Pick<Facts, "rootMessage" | "boundaries">;
}

/** Each transcript is in one family, in the given order; one without a message is alone. */
export function familiesOf<T extends Begun>(all: readonly T[]): T[][] {
  const above = new Map<MessageId, MessageId>();
  for (const { facts } of all) {
    for (const boundary of facts.boundaries) join(above, boundary, facts.rootMessage!);
  }
  const families = new Map<MessageId | T, T[]>();
  for (const each of all) {
    const root = each.facts.rootMessage;
    const key = root === null ? each : topOf(above, root);
    const family = families.get(key);
    if (family === undefined) families.set(key, [each]);
    else family.push(each);
  }
  return [...families.values()];
}

/** Whether `copy` can be a copy of `original`, from its beginning or from one of its compactions. */
export function beginsIn(copy: Begun, original: Begun): boolean {
  const { rootMessage } = copy.facts;
  if (rootMessage === null) return false;
  return rootMessage === original.facts.rootMessage || original.facts.boundaries.includes(rootMessage);
}

/** From now on both have the same top. */
export function join<Id>(above: Map<Id, Id>, one: Id, other: Id): void {
  const [low, high] = [topOf(above, one), topOf(above, other)];
  if (low !== high) above.set(low, high);
}

/** Rewrites `above`, so that it can only be used to find tops afterwards. */
export function topOf<Id>(above: Map<Id, Id>, one: Id): Id {
  let top = one;
  for (let next = above.get(top); next !== undefined; next = above.get(top)) {
    // Each step halves the path.
    above.set(top, above.get(next) ?? next);
    top = next;
  }
  return top;
}
