// The files under the queues: one per agent, and `dead/` for messages that hivemind will not deliver.

import { join } from "node:path";
import {
  makeFolder,
  readBytes,
  refuseLinkedFolder,
  removeFile,
  replaceFile,
} from "../../base/files/atomic-file.js";
import { namesIn } from "../../base/files/names-in.js";
import { numbered } from "../../base/text/numbered.js";
import { utcCompact } from "../../base/text/utc.js";
import { limits } from "../../limits.js";
import type { AgentId } from "../../names/agent-id.js";
import { guard, type Report } from "../file/error.js";
import { namesInStore, readStore } from "../file/store-file.js";
import {
  agentOfQueueFile,
  formatQueue,
  formatRows,
  parseQueue,
  type Queue,
  type QueueRow,
  queueFileName,
  type Stamp,
} from "./queue-rows.js";

export type QueueFiles = ReturnType<typeof queueFiles>;

export function queueFiles(folder: string, report: Report | undefined) {
  const dead = join(folder, "dead");
  const fileOf = (agent: AgentId) => join(folder, queueFileName(agent));
  const deadFilesOf = (agent: AgentId) => namesIn(dead).filter((name) => name.startsWith(`${agent}-`));

  function loadFile(path: string): Queue {
    guard(folder, () => refuseLinkedFolder(folder));
    const queue = parseQueue(path, readStore(path, limits.queueBytes) ?? Buffer.alloc(0));
    for (const problem of queue.problems) report?.(problem);
    return queue;
  }

  /** An agent's messages in `dead/`. */
  function buriedRows(agent: AgentId): QueueRow[] {
    const paths = deadFilesOf(agent).map((name) => join(dead, name));
    return paths.flatMap(
      (path) => parseQueue(path, readBytes(path, limits.queueBytes) ?? Buffer.alloc(0)).rows,
    );
  }

  const buriedStamps = (agent: AgentId): ReadonlySet<Stamp> =>
    new Set(buriedRows(agent).map(({ stamp }) => stamp));

  return {
    ...{ folder, dead, report, fileOf, loadFile, buriedRows, buriedStamps },
    load: (agent: AgentId) => loadFile(fileOf(agent)),

    save(agent: AgentId, queue: Queue): void {
      if (queue.lines.length === 0) removeFile(fileOf(agent));
      else replaceFile(fileOf(agent), formatQueue(queue));
    },

    /** The agents with a queue file, including empty ones. */
    agents: () =>
      namesInStore(folder)
        .flatMap((name) => agentOfQueueFile(name) ?? [])
        .sort(),

    /** Writes these rows to `dead/`, each once. */
    keepDead(agent: AgentId, rows: readonly QueueRow[]): void {
      const before = buriedStamps(agent);
      const left = rows.filter(({ stamp }) => !before.has(stamp));
      if (left.length === 0) return;
      makeFolder(dead);
      const taken = new Set(deadFilesOf(agent));
      const isFree = (name: string) => (taken.has(name) ? null : name);
      const name = numbered(`${agent}-${utcCompact(Date.now())}`, ".queue", isFree);
      replaceFile(join(dead, name), formatRows(left));
    },
  };
}
