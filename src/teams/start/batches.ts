// Which agents may start together. Pure.
//
// - The kind of an agent says how many of its programs may start at once, and how long to wait before the next ones.
// - The order stays: a batch is always a row of neighbours.
// - Two starts of one conversation are never in one batch: the second one must see the first one run.

import { startPaceOf } from "../../agents/all.js";
import type { SessionId } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";

export interface Startable {
  kind: Kind;
  /** The conversation that it opens. */
  session: SessionId | null;
  /** It needs what the agents before it leave behind, or ends something first. */
  isAlone: boolean;
}

export interface Batch<T> {
  members: readonly T[];
  /** How many come before it. */
  at: number;
  /** How long to wait before it. */
  gapMs: number;
}

export function batchesOf<T>(turns: readonly T[], asStart: (turn: T) => Startable): Batch<T>[] {
  const batches: (Batch<T> & { members: T[]; starts: Startable[] })[] = [];
  for (const [at, turn] of turns.entries()) {
    const start = asStart(turn);
    const last = batches.at(-1);
    if (last !== undefined && fits(start, last.starts)) {
      last.members.push(turn);
      last.starts.push(start);
    } else {
      const gapMs = at === 0 ? 0 : startPaceOf(start.kind).gapMs;
      batches.push({ members: [turn], starts: [start], at, gapMs });
    }
  }
  return batches.map(({ members, at, gapMs }) => ({ members, at, gapMs }));
}

function fits(start: Startable, batch: readonly Startable[]): boolean {
  const isOpened = ({ session }: Startable) => session !== null && session === start.session;
  return (
    batch.length < startPaceOf(start.kind).atOnce &&
    batch.every(({ kind, isAlone }) => kind === start.kind && !isAlone) &&
    !start.isAlone &&
    !batch.some(isOpened)
  );
}

/** For the line that shows the progress of a run. */
export function batchSays({ at, members }: Batch<unknown>, total: number, first: string): string {
  if (members.length === 1) return `${at + 1} of ${total}: ${first}`;
  return `${at + 1}–${at + members.length} of ${total}: ${first} and ${members.length - 1} more`;
}
