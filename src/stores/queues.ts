// S6: the queued messages of each agent, one file per agent, first in first out.
//
// [QU1] All queues share one lock: append, remove, clear and take-in exclude each other.
// [QU2] A message is written to `dead/` before it leaves its queue. If killed in between, it is buried only once.
// [QU3] A message beyond the limit of a queue is refused.
// [QU4] Only one process at a time delivers the messages of an agent. Meanwhile its queue cannot be cleared.
// [QU5] All queues share one counter of stamps, in the order of the appends, even if the clock is set back.

import { refuseLinkedFolder, removeFile, sweepTemporary } from "../base/files/atomic-file.js";
import { namesIn } from "../base/files/names-in.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress } from "../names/gates.js";
import { guard, type Report } from "./file/error.js";
import { namesInStore, whileHeld, whileLocked } from "./file/store-file.js";
import { type QueueFiles, queueFiles } from "./queue/queue-files.js";
import { foreignQueuesIn, isLinked, linkQueues, type Places } from "./queue/queue-links.js";
import {
  addMessage,
  type Intent,
  type MessageId,
  messageId,
  messageParts,
  paneQueueName,
  type QueueRow,
  removeMessages,
} from "./queue/queue-rows.js";
import { lastStampIn, latestOf, nowSeconds } from "./queue/stamps.js";

export interface Message extends QueueRow {
  id: MessageId;
  agent: AgentId;
}

export type Queues = ReturnType<typeof openQueues>;

type Before = (id: MessageId) => void | Promise<void>;

export interface QueueOptions {
  report?: Report | undefined;
  /** Every message id in the receipts. */
  givenIds?: () => Iterable<MessageId>;
  /** The ids of messages that were at least typed. */
  begunIds?: () => ReadonlySet<MessageId>;
}

export function openQueues(
  folder: string,
  { report, givenIds = () => [], begunIds = () => new Set() }: QueueOptions = {},
) {
  const lastStamp = lastStampIn(folder);
  const files = queueFiles(folder, report);
  const { fileOf, load, agents } = files;
  const taking = { ...files, givenIds: () => new Set(givenIds()), begunIds };
  const idsOf = (agent: AgentId) => load(agent).rows.map(({ stamp }) => messageId(agent, stamp));
  /** The ids of all queued messages. */
  const ids = () => agents().flatMap(idsOf);
  const known = () => [...ids(), ...givenIds()];
  const locked = <T>(change: () => T | Promise<T>) => whileQueuesLocked(files, change);
  const take = (taken: readonly MessageId[], how: { isKept: boolean }) =>
    takeMessages(files, lastStamp, taken, how);

  /** For the process that delivers an agent's messages. Others may append; a `LockedError` names the deliverer. */
  const whileDraining = <T>(agent: AgentId, work: () => Promise<T>, waitMs?: number) =>
    whileHeld(fileOf(agent), work, waitMs);

  return {
    ...{ folder, fileOf, agents, ids, whileDraining },
    /** The plain files named after panes, which the next `link` takes in or leaves. */
    foreignQueues: () => guard(folder, () => foreignQueuesIn(files)),

    /** `isBlank`: the file has no lines at all. */
    read(agent: AgentId) {
      const { rows, lines, problems } = load(agent);
      return { messages: messagesOf(agent, rows), problems, isBlank: lines.length === 0 };
    },

    /** The messages in `dead/`, which hivemind does not deliver. */
    buried: (agent: AgentId) =>
      messagesOf(
        agent,
        guard(folder, () => files.buriedRows(agent)),
      ),

    /** Position 1 is delivered next. `before` runs before anybody can see the message; if it fails, nothing is queued. */
    append: (agent: AgentId, intent: Intent, text: string, before: Before = () => {}) =>
      locked(() => appendMessage(files, lastStamp, known, { agent, intent, text }, before)),

    /** Returns the messages that were still queued. */
    remove: (ids: readonly MessageId[]) => locked(() => take(ids, { isKept: false })),
    /** Like remove, but keeps them in `dead/`. */
    bury: (ids: readonly MessageId[]) => locked(() => take(ids, { isKept: true })),

    /** Moves all queued messages to `dead/`. */
    async clear(agent: AgentId): Promise<readonly Message[]> {
      if (namesInStore(folder).length === 0) return [];
      const buryAll = () => locked(() => take(idsOf(agent), { isKept: true }));
      return whileDraining(agent, buryAll, limits.drainLockMs);
    },

    /** Removes the plain file of a pane. Its rows go to `dead/`. */
    buryForeignQueue: (pane: PaneAddress) => locked(() => buryForeign(files, pane)),

    /** Removes empty files, of these agents or of all. */
    discardEmpty: (only?: readonly AgentId[]) => locked(() => removeEmpty(files, only)),

    /**
     * Creates the links and takes in messages written under pane names. `last`: the last addresses of away agents.
     */
    async link(owners: Places, last: Places = new Map()): Promise<void> {
      if (guard(folder, () => isLinked(folder, owners, last))) return;
      await locked(() => linkQueues(taking, owners, last));
    },
  };
}

/** `known` are the ids that no new message may get. `before` runs before anybody can see the message. */
async function appendMessage(
  { load, save }: QueueFiles,
  lastStamp: ReturnType<typeof lastStampIn>,
  known: () => readonly MessageId[],
  { agent, intent, text }: { agent: AgentId; intent: Intent; text: string },
  before: Before,
): Promise<{ message: Message; position: number }> {
  const last = lastStamp.read() ?? latestOf(known());
  const queue = addMessage(load(agent), intent, text, nowSeconds(), last);
  lastStamp.write(queue.rows.at(-1)!.stamp, last);
  const message = messagesOf(agent, queue.rows.slice(-1))[0]!;
  await before(message.id);
  save(agent, queue);
  return { message, position: queue.rows.length };
}

function buryForeign(files: QueueFiles, pane: PaneAddress): readonly QueueRow[] {
  const found = foreignQueuesIn(files).find((each) => each.pane === pane);
  if (found === undefined) return [];
  // Its files in `dead/` are named after the pane.
  files.keepDead(paneQueueName(pane).replace(/\.queue$/, "") as AgentId, found.rows);
  removeFile(found.path);
  return found.rows;
}

function removeEmpty({ agents, load, fileOf }: QueueFiles, only: readonly AgentId[] | undefined): AgentId[] {
  const there = agents().filter((agent) => only?.includes(agent) ?? true);
  const empty = there.filter((agent) => load(agent).lines.length === 0);
  for (const agent of empty) removeFile(fileOf(agent));
  return empty;
}

async function whileQueuesLocked<T>({ folder, dead }: QueueFiles, change: () => T | Promise<T>): Promise<T> {
  const folders = [folder, dead];
  const work = () => {
    for (const each of folders) refuseLinkedFolder(each);
    return change();
  };
  const afterDeath = () => {
    for (const each of folders) if (namesIn(each).length > 0) sweepTemporary(each);
  };
  return whileLocked(folder, work, afterDeath);
}

/** Removes these messages. `isKept`: they go to `dead/` first. */
function takeMessages(
  { load, save, keepDead }: QueueFiles,
  lastStamp: ReturnType<typeof lastStampIn>,
  ids: readonly MessageId[],
  { isKept }: { isKept: boolean },
): Message[] {
  const wanted = ids.map(messageParts);
  const agents = [...new Set(wanted.flatMap(({ agent }) => agent ?? []))];
  return agents.flatMap((agent) => {
    const gone = new Set(wanted.filter((part) => part.agent === agent).map(({ stamp }) => stamp));
    const queue = load(agent);
    const rows = queue.rows.filter(({ stamp }) => gone.has(stamp));
    if (rows.length === 0) return [];
    if (isKept) keepDead(agent, rows);
    // Another writer may have used this stamp: no later message of the agent may get it again.
    const before = lastStamp.read();
    if (before !== null) lastStamp.write(rows.at(-1)!.stamp, before);
    save(agent, removeMessages(queue, gone));
    return messagesOf(agent, rows);
  });
}

function messagesOf(agent: AgentId, rows: readonly QueueRow[]): Message[] {
  return rows.map((row) => ({ ...row, agent, id: messageId(agent, row.stamp) }));
}
