// S6: what waits to be said to each pane, one file a pane, first in first out.
//
// [QU1] All queues have one lock: append, remove, clear and rearrange exclude each other.
// [QU2] A change of several files happens as one: killed at any moment, no message is lost or doubled.
// [QU3] Messages follow their pane. Those of a pane that is gone are kept in `dead/`, never given to another.
// [QU4] The message after the last that may wait is refused.
// [QU5] Who says the messages of a pane is alone in that; a queue does not move, and is not cleared, under its hands.
// [QU6] The new id of a message that moves is told before the message has it.
// [QU7] What a killed writer had only begun to put in place is put there by the next who changes a queue or a team, and
//       by a repair: the files are what people read.
// [QU8] All queues share one count of stamps. Stamps follow the order of the appends, also when the clock is set back.

import { join } from "node:path";
import { refuseLinkedFolder, sweepTemporary } from "../base/atomic-file.js";
import { acquireLock, type Lock, LockedError, withLock } from "../base/lock.js";
import { namesIn } from "../base/names-in.js";
import { utcCompact } from "../base/utc.js";
import { limits } from "../limits.js";
import { type PaneAddress, paneAddress } from "../names/gates.js";
import { guard, type Problem, type Report, storeError } from "./error.js";
import { type Journal, journalOf } from "./journal.js";
import {
  addMessage,
  emptied,
  formatQueue,
  formatRows,
  type Intent,
  type MessageId,
  messageId,
  messageParts,
  paneOfQueueFile,
  parseQueue,
  type Queue,
  type QueueRow,
  queueFileName,
  removeMessages,
  type Stamp,
  secondsOf,
  takeIn,
} from "./queue-rows.js";
import type { Owner } from "./receipts.js";
import { lockOf } from "./row-file.js";
import { lastStampIn, latestOf, nowSeconds } from "./stamps.js";

export interface Message extends QueueRow {
  id: MessageId;
  pane: PaneAddress;
}

export interface WaitingIn {
  messages: readonly Message[];
  problems: readonly Problem[];
  /** There is nothing in the file at all. One that remembers the last id it gave is not blank, however old that is. */
  isBlank: boolean;
}

export interface Queues {
  readonly folder: string;
  fileOf(pane: PaneAddress): string;
  /** The panes that have a queue file, also one in which nothing waits. */
  panes(): PaneAddress[];
  read(pane: PaneAddress): WaitingIn;
  /** The ids of all messages that wait. */
  ids(): MessageId[];
  /** Position 1 is the next to be said. */
  append(pane: PaneAddress, intent: Intent, text: string): Promise<{ message: Message; position: number }>;
  /** Those that were still there. */
  remove(ids: readonly MessageId[]): Promise<readonly Message[]>;
  /** The same, and they are kept in `dead/`. */
  bury(ids: readonly MessageId[]): Promise<readonly Message[]>;
  /** What waited goes to `dead/`. */
  clear(pane: PaneAddress): Promise<readonly Message[]>;
  /**
   * Brings messages home: they get a new id with their new pane, one that `givenIds` does not know, and keep their order
   * in time.
   */
  rearrange(
    homesOf: (waiting: readonly Message[]) => Homes,
    givenIds?: () => ReadonlySet<MessageId>,
  ): Promise<Rearranged>;
  /** Removes the files in which nothing is, of these panes or of all. */
  discardEmpty(only?: readonly PaneAddress[]): Promise<readonly PaneAddress[]>;
  /** Puts in place what a killed writer had committed. */
  finish(): Promise<void>;
  /** For who says the messages of a pane: one at a time. Appending goes on meanwhile; a `LockedError` names who does. */
  whileDraining<T>(pane: PaneAddress, work: () => Promise<T>, waitMs?: number): Promise<T>;
}

export interface Home {
  pane: PaneAddress;
  /** Whose the message is from now on; null where that is known already. */
  owner: Owner | null;
}

/** Where each of these messages shall wait; null puts it into `dead/`. */
export type Homes = ReadonlyMap<MessageId, Home | null>;

export interface Moved {
  from: MessageId;
  to: MessageId;
  owner: Owner | null;
}

export interface Rearranged {
  moved: readonly Moved[];
  buried: readonly Message[];
}

export interface QueueOptions {
  report?: Report | undefined;
  beforeMoving?: (moved: readonly Moved[]) => Promise<void>;
  /** Every id that receipts know: asked where the queues forgot the last stamp. */
  givenIds?: () => Iterable<MessageId>;
}

export function openQueues(
  folder: string,
  { report, beforeMoving = async () => {}, givenIds: knownIds = () => [] }: QueueOptions = {},
): Queues {
  const journal = journalOf(folder);
  const lastStamp = lastStampIn(folder);
  const fileOf = (pane: PaneAddress) => join(folder, queueFileName(paneAddress(pane)));

  function load(pane: PaneAddress): Queue {
    const path = fileOf(pane);
    guard(folder, () => refuseLinkedFolder(folder));
    const queue = parseQueue(path, guard(path, () => journal.read(queueFileName(pane))) ?? Buffer.alloc(0));
    for (const problem of queue.problems) report?.(problem);
    return queue;
  }

  async function locked<T>(change: () => T | Promise<T>): Promise<T> {
    const work = () => {
      for (const each of [folder, join(folder, "dead")]) refuseLinkedFolder(each);
      journal.finish();
      return change();
    };
    const afterDeath = () => {
      for (const each of [folder, join(folder, "dead")]) if (namesIn(each).length > 0) sweepTemporary(each);
    };
    try {
      return await withLock(lockOf(folder), work, { afterDeath });
    } catch (error) {
      throw storeError(folder, error);
    }
  }

  async function whileDraining<T>(pane: PaneAddress, work: () => Promise<T>, waitMs?: number): Promise<T> {
    const lock = await lockQueue(fileOf(pane), waitMs);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  /** While none of these is being drained. Always in the same order; without a folder nothing was ever queued. */
  function whileStill<T>(panes: readonly PaneAddress[], change: () => T | Promise<T>): Promise<T> {
    const there = guard(folder, () => namesIn(folder)).length > 0 ? [...new Set(panes)].sort() : [];
    const held = there.reduceRight(
      (inner, pane) => () => whileDraining(pane, inner, limits.drainLockMs),
      () => locked(change),
    );
    return held();
  }

  function take(ids: readonly MessageId[], { isKept }: { isKept: boolean }): Message[] {
    const taken: Message[] = [];
    const changes = new Map<string, Buffer | null>();
    const wanted = ids.map(messageParts);
    for (const pane of new Set(wanted.map((part) => part.pane))) {
      const gone = new Set(wanted.filter((part) => part.pane === pane).map(({ stamp }) => stamp));
      const queue = load(pane);
      const lines = queue.lines.filter(({ row }) => row !== null && gone.has(row.stamp));
      if (lines.length === 0) continue;
      taken.push(
        ...messagesOf(
          pane,
          lines.map(({ row }) => row!),
        ),
      );
      changes.set(queueFileName(pane), contentOf(removeMessages(queue, gone)));
      if (isKept) changes.set(deadName(folder, pane), Buffer.concat(lines.map(({ bytes }) => bytes)));
    }
    journal.commit(changes);
    return taken;
  }

  const allMessages = () => panesIn(folder, journal).flatMap((pane) => messagesOf(pane, load(pane).rows));

  /** The files as they are when these messages have left and arrived. */
  function movedFiles(leaving: readonly Message[], homes: Homes, given: ReadonlySet<MessageId>) {
    const moved: Moved[] = [];
    const changes = new Map<string, Buffer | null>();
    const homeOf = ({ id }: Message) => homes.get(id)?.pane;
    for (const pane of new Set(leaving.flatMap((message) => [message.pane, homeOf(message) ?? []].flat()))) {
      const gone = leaving.filter((message) => message.pane === pane).map(({ stamp }) => stamp);
      const rest = removeMessages(load(pane), new Set(gone));
      const arrivals = new Map(
        leaving.filter((message) => homeOf(message) === pane).map((message) => [rowOf(message), message]),
      );
      const wasGiven = (stamp: Stamp) => given.has(messageId(pane, stamp));
      const { queue, stamps } = takeIn(rest, [...arrivals.keys()], wasGiven);
      changes.set(queueFileName(pane), contentOf(queue));
      for (const [row, stamp] of stamps) {
        const from = arrivals.get(row)?.id ?? messageId(pane, row.stamp);
        const to = messageId(pane, stamp);
        if (from !== to) moved.push({ from, to, owner: homes.get(from)?.owner ?? null });
      }
    }
    return { moved, changes };
  }

  return {
    folder,
    fileOf,
    panes: () => panesIn(folder, journal),

    read(pane) {
      const queue = load(pane);
      const isBlank = queue.lines.length === 0 && queue.mark === null;
      return { messages: messagesOf(pane, queue.rows), problems: queue.problems, isBlank };
    },

    ids: () => allMessages().map(({ id }) => id),

    append: (pane, intent, text) =>
      locked(() => {
        const last = lastStamp.read() ?? latestOf([...allMessages().map(({ id }) => id), ...knownIds()]);
        const queue = addMessage(load(pane), intent, text, nowSeconds(), last);
        lastStamp.write(queue.rows.at(-1)!.stamp, last);
        journal.commit(new Map([[queueFileName(pane), formatQueue(queue)]]));
        return { message: messagesOf(pane, queue.rows.slice(-1))[0]!, position: queue.rows.length };
      }),

    remove: (ids) => locked(() => take(ids, { isKept: false })),
    bury: (ids) => locked(() => take(ids, { isKept: true })),

    clear: (pane) =>
      whileStill([pane], () => {
        const queue = load(pane);
        if (queue.rows.length === 0) return [];
        const changes = new Map<string, Buffer | null>([[queueFileName(pane), contentOf(emptied(queue))]]);
        changes.set(deadName(folder, pane), formatQueue(queue));
        journal.commit(changes);
        return messagesOf(pane, queue.rows);
      }),

    async rearrange(homesOf, givenIds = () => new Set()) {
      const asked = [...homesOf(allMessages())];
      if (asked.length === 0) return { moved: [], buried: [] };
      const still = new Set(asked.flatMap(placesIn));
      return whileStill([...still], async () => {
        // Asked anew, as far as nobody drains what is concerned.
        const waiting = allMessages();
        const homes = new Map(
          [...homesOf(waiting)].filter((entry) => placesIn(entry).every((pane) => still.has(pane))),
        );
        const leaving = waiting.filter(({ id }) => homes.has(id));
        const buried = leaving.filter(({ id }) => homes.get(id) === null);
        const { moved, changes } = movedFiles(leaving, homes, givenIds());
        for (const pane of new Set(buried.map((message) => message.pane)))
          changes.set(deadName(folder, pane), formatRows(buried.filter((message) => message.pane === pane)));
        if (moved.length > 0) await beforeMoving(moved);
        const stamps = moved.map(({ to }) => to);
        if (stamps.length > 0) lastStamp.write(latestOf(stamps)!, lastStamp.read());
        journal.commit(changes);
        return { moved, buried };
      });
    },

    discardEmpty: (only) =>
      locked(() => {
        const there = panesIn(folder, journal).filter((pane) => only?.includes(pane) ?? true);
        const empty = there.filter((pane) => contentOf(load(pane)) === null);
        journal.commit(new Map(empty.map((pane) => [queueFileName(pane), null])));
        return empty;
      }),

    async finish() {
      // Whoever has the lock has done it.
      if (guard(folder, journal.pending).size > 0) await locked(() => {});
    },

    whileDraining,
  };
}

/** Who drains it is told as it is; a folder that cannot be written to is the store's trouble. */
async function lockQueue(path: string, waitMs?: number): Promise<Lock> {
  try {
    return await acquireLock(lockOf(path), waitMs === undefined ? {} : { waitMs });
  } catch (error) {
    throw error instanceof LockedError ? error : storeError(path, error);
  }
}

function messagesOf(pane: PaneAddress, rows: readonly QueueRow[]): Message[] {
  return rows.map((row) => ({ ...row, pane, id: messageId(pane, row.stamp) }));
}

function rowOf({ stamp, intent, text }: QueueRow): QueueRow {
  return { stamp, intent, text };
}

function placesIn([id, home]: readonly [MessageId, Home | null]): PaneAddress[] {
  return [messageParts(id).pane, ...(home === null ? [] : [home.pane])];
}

/** Null when the file has nothing to say any more: nobody's lines, and a mark that time has passed. */
function contentOf(queue: Queue): Buffer | null {
  const isSpent = queue.mark === null || secondsOf(queue.mark) < nowSeconds();
  return queue.lines.length === 0 && isSpent ? null : formatQueue(queue);
}

function panesIn(folder: string, journal: Journal): PaneAddress[] {
  guard(folder, () => refuseLinkedFolder(folder));
  const names = new Set(guard(folder, () => namesIn(folder)));
  for (const [name, bytes] of guard(folder, journal.pending)) {
    if (bytes === null) names.delete(name);
    else names.add(name);
  }
  return [...names].flatMap((name) => paneOfQueueFile(name) ?? []).sort();
}

function deadName(folder: string, pane: PaneAddress): string {
  const taken = new Set(namesIn(join(folder, "dead")));
  const base = `${queueFileName(pane).replace(/\.queue$/, "")}-${utcCompact(Date.now())}`;
  for (let count = 1; ; count++) {
    const name = count === 1 ? `${base}.queue` : `${base}-${count}.queue`;
    if (!taken.has(name)) return `dead/${name}`;
  }
}
