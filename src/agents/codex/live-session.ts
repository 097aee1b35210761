// Which conversation a running client has, by the locks that this very process holds. Linux only.
//
// - The client locks `thread-writer-locks/<id>.lock` from its start on, before the conversation has a file. The
//   kernel says which process holds the lock: a lock that a killed process left behind is a file and nothing more.
// - After `/new`, `/fork` and `/resume` the client keeps the conversation that it left for about a minute, and still
//   takes messages for it. The pane's title then says which one it shows, by id or by name. If it does not say,
//   nobody knows.
// - The client also locks the conversations of its sub-agents. Their files, which it holds open, say so.
// - A client that uses a daemon holds no lock: the daemon holds the locks of all panes.

import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readBeginning } from "../../base/files/atomic-file.js";
import { lockHolders, openFiles } from "../../base/system/open-files.js";
import type { ProcessInfo } from "../../base/system/process.js";
import { readSessionId, type SessionId } from "../../names/gates.js";
import type { LiveSession } from "../agent.js";
import { rolloutId } from "./find.js";
import { nameOf } from "./names.js";
import { recognises } from "./recognises.js";
import { readTitle } from "./title.js";
import { headBytes, subagentOf } from "./transcript/subagent.js";

/** Null if it holds none, or if it holds several and the title does not tell which one it shows. */
export function liveSession(folder: string, process: ProcessInfo, title?: string): LiveSession | null {
  // A daemon holds the conversations of every pane that it serves.
  if (!recognises(process)) return null;
  const named = (session: SessionId) => nameOf(folder, session);
  const sessionId = shownSession(heldSessions(folder, process), title ?? null, named);
  if (sessionId === null) return null;
  // Of a client that waits, its screen also tells the question.
  const isBusy = readTitle(title ?? "").activity === "busy";
  return {
    sessionId,
    name: named(sessionId),
    isNameSuffixed: false,
    cwd: null,
    version: null,
    activity: isBusy ? "busy" : null,
    waitingFor: null,
    updatedAtMs: null,
    inbox: { path: folder, pid: process.pid },
    reason: "its process holds the lock of this conversation",
  };
}

/** The processes that hold a lock of this folder. Empty also if the system does not say. */
export function lockingPids(folder: string, holders = lockHolders): number[] {
  try {
    const locks = join(folder, "thread-writer-locks");
    return holders(
      new Set(
        readdirSync(locks).flatMap(
          (name) => statSync(join(locks, name), { throwIfNoEntry: false })?.ino ?? [],
        ),
      ),
    );
  } catch {
    return [];
  }
}

/**
 * The conversations that this process holds, in no order, without those of sub-agents. Empty also if the system does
 * not say.
 */
export function heldSessions(folder: string, process: ProcessInfo, filesOf = openFiles): SessionId[] {
  try {
    const files = filesOf(process) ?? [];
    const locks = join(realpathSync(folder), "thread-writer-locks");
    const held = files.flatMap((file) => {
      const id = lockedId(file.path, locks);
      return id !== null && file.isLocked() ? [id] : [];
    });
    if (held.length <= 1) return held;
    return held.filter(
      (id) => !files.some(({ path }) => rolloutId(basename(path)) === id && isSubagent(path)),
    );
  } catch {
    // It ended, or belongs to another user.
    return [];
  }
}

function isSubagent(path: string): boolean {
  return subagentOf(readBeginning(path, headBytes)?.toString("utf8") ?? "") !== null;
}

/**
 * The conversation that the pane shows, or null if the title does not decide between several. The title can also
 * name one that the process does not hold: another process has it.
 */
export function shownSession(
  held: readonly SessionId[],
  title: string | null,
  nameOf: (session: SessionId) => string | null = () => null,
): SessionId | null {
  const { idStart, name } = readTitle(title ?? "");
  if (held.length <= 1 && idStart === null) return held[0] ?? null;
  const isShown = (session: SessionId) =>
    idStart === null ? name !== null && nameOf(session) === name : session.startsWith(idStart);
  const shown = held.filter(isShown);
  return shown.length === 1 ? shown[0]! : null;
}

function lockedId(path: string, locks: string): SessionId | null {
  if (dirname(path) !== locks || !path.endsWith(".lock")) return null;
  return readSessionId(basename(path, ".lock"));
}
