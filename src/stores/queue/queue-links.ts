// hiveMind's names for the queues of panes, in the queue folder: `<team>_<window>_<pane>.queue`.
//
// - The name of a pane is a symbolic link to the queue of the agent in it. A writer that appends through the link
//   writes into the agent's own file, even if that does not exist yet.
// - A plain file under such a name was written by another program. Its messages go, each once, to the agent in that
//   pane, else to the away agent that was there last. Without such an agent the file stays.
// - If killed before the file is removed, its messages are recognised next time by the queue, `dead/` or receipts.
// - A message that an earlier version already typed goes to `dead/`.
// - Any other link is reported, and neither read nor written.

import { lstatSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { fileSize, makeFolder, removeFile } from "../../base/files/atomic-file.js";
import { namesIn } from "../../base/files/names-in.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress } from "../../names/gates.js";
import { StoreError } from "../file/error.js";
import { namesInStore } from "../file/store-file.js";
import type { QueueFiles } from "./queue-files.js";
import {
  agentOfQueueFile,
  type MessageId,
  mergeQueue,
  messageId,
  paneOfQueueFile,
  paneQueueName,
  type QueueRow,
  queueFileName,
  type Stamp,
} from "./queue-rows.js";

/** The agent whose queue has the name of each pane. */
export type Places = ReadonlyMap<PaneAddress, AgentId>;

export interface ForeignQueue {
  pane: PaneAddress;
  path: string;
  rows: readonly QueueRow[];
  /** The file has no lines at all. */
  isBlank: boolean;
}

/** The files, and what the receipts say of messages. */
export interface TakingFiles extends QueueFiles {
  givenIds(): ReadonlySet<MessageId>;
  begunIds(): ReadonlySet<MessageId>;
}

/** The plain files named after panes. An unreadable one is reported and left alone. */
export function foreignQueuesIn({ folder, report, loadFile }: QueueFiles): ForeignQueue[] {
  return namesInStore(folder).flatMap((name) => {
    const pane = paneOfQueueFile(name);
    const path = join(folder, name);
    if (pane === null || linkedTo(path) !== null) return [];
    try {
      const { rows, lines } = loadFile(path);
      return [{ pane, path, rows, isBlank: lines.length === 0 }];
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      report?.({ path, line: 1, why: error.message });
      return [];
    }
  });
}

/** Whether all links are right already. Called without the lock. */
export function isLinked(folder: string, owners: Places, last: Places): boolean {
  const found = namesInStore(folder).flatMap((name) => {
    const pane = paneOfQueueFile(name);
    return pane === null ? [] : [[pane, linkedTo(join(folder, name))] as const];
  });
  const isRight = found.every(([pane, target]) => {
    const agent = owners.get(pane);
    return agent === undefined ? target === null && !last.has(pane) : target === queueFileName(agent);
  });
  return isRight && found.filter(([, target]) => target !== null).length === owners.size;
}

/** `last` are the last addresses of away agents. */
export function linkQueues(files: TakingFiles, owners: Places, last: Places): void {
  for (const stranger of foreignQueuesIn(files)) {
    const agent = owners.get(stranger.pane) ?? last.get(stranger.pane);
    if (agent !== undefined) takeInFile(files, agent, stranger);
  }
  const { folder } = files;
  const wanted = new Map([...owners].map(([pane, agent]) => [paneQueueName(pane), queueFileName(agent)]));
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const target = paneOfQueueFile(name) === null ? null : linkedTo(path);
    if (target === null) continue;
    if (wanted.get(name) === target) wanted.delete(name);
    else removeFile(path);
  }
  if (wanted.size > 0) makeFolder(folder);
  for (const [name, target] of wanted) makeLink(target, join(folder, name));
}

/** A file that another program created meanwhile stays until the next change. */
function makeLink(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function takeInFile(files: TakingFiles, agent: AgentId, { pane, path }: ForeignQueue): void {
  const begun = files.begunIds();
  const given = files.givenIds();
  const isBegun = ({ stamp }: QueueRow) => begun.has(`${pane}@${stamp}`);
  for (let size = -1; size !== fileSize(path); ) {
    // Another program may append until the file is removed.
    size = fileSize(path);
    const found = files.loadFile(path);
    const queue = files.load(agent);
    files.keepDead(agent, found.rows.filter(isBegun));
    const buried = files.buriedStamps(agent);
    const isTaken = (stamp: Stamp) => buried.has(stamp) || given.has(messageId(agent, stamp));
    files.save(agent, mergeQueue(queue, found, { isTaken, isOver: isBegun }));
  }
  removeFile(path);
}

/** The target of our own link to a queue in the same folder; null for anything else. */
function linkedTo(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return null;
  const target = readlinkSync(path);
  return agentOfQueueFile(target) === null ? null : target;
}
