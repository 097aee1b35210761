// Which transcripts can share messages, by what the first pass knows of them.
//
// [JB1] A copy keeps the message ids. It begins where its original does or, where the client leaves out what was
//       compacted, at a boundary of its original. So transcripts with a first message or a boundary in common are
//       one family, directly or over others.

import { topOf } from "./top-of.js";
import type { Facts, MessageId } from "./transcript.js";

interface Begun {
  facts: Pick<Facts, "rootMessage" | "boundaries">;
}

/** Each is in one family, in the order given; one without a message is alone. */
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

/** Whether `copy` can have been made of `original`, at its beginning or where it had been compacted. */
export function beginsIn(copy: Begun, original: Begun): boolean {
  const { rootMessage } = copy.facts;
  if (rootMessage === null) return false;
  return rootMessage === original.facts.rootMessage || original.facts.boundaries.includes(rootMessage);
}

function join(above: Map<MessageId, MessageId>, one: MessageId, other: MessageId): void {
  const [low, high] = [topOf(above, one), topOf(above, other)];
  if (low !== high) above.set(low, high);
}
