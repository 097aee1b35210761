// Everything that is stored and that an audit compares, read once.
//
// [AS1] Reading writes nothing.
// [AS2] Whether a team was saved is asked of snapshots only as far back as needed. One that cannot be read may have
//       any team: then nothing is said to be beyond return.
// [AS3] A project's folder without the team file that it was brought up from, and a folder for snapshots or layouts that
//       was named and is not there, may lie on a disk that is away, with any team: then none is given up.
// [AS4] However many teams are asked for, each team file is looked for and read once.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../base/atomic-file.js";
import { errorCode, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { once } from "../base/once.js";
import { limits } from "../limits.js";
import type { PaneAddress, SessionId, TeamName } from "../names/gates.js";
import { isExpired, type MessageId } from "../stores/queue-rows.js";
import { type Owner, ownersOf } from "../stores/receipts.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import type { SnapshotRead } from "../stores/snapshot-text.js";
import type { Stores } from "../stores/stores.js";
import type { TeamRow } from "../stores/teams.js";
import type { ViewerWindowRow } from "../stores/viewer-windows.js";
import { mayBeThere } from "../stores/whole-files.js";

export interface Stored {
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
  teams: readonly TeamRow[];
  windows: readonly ViewerWindowRow[];
  queues: readonly StoredQueue[];
  /** The newest snapshot; null without one, and when it cannot be read. */
  newest: SnapshotRead | null;
  /** Whether a snapshot, a layout or a team file has this team, or may have it. */
  isKept(team: TeamName): boolean;
  /** Whether a place that may have any team is away. Each is said; asked only where it matters. */
  isBlind(): boolean;
  recordedParent(session: SessionId): SessionId | null;
}

/** A queue, or a message of one. */
export interface StoredQueue {
  pane: PaneAddress;
  /** Whose the message is, as receipts say. */
  owner: Owner | undefined;
  /** How many messages wait. */
  waiting: number;
  /** All of them have waited for longer than a message may. */
  isExpired: boolean;
  isBlank: boolean;
}

export function readStored(
  stores: Stores,
  recordedParent: Stored["recordedParent"],
  say: (line: string) => void,
): Stored {
  const snapshots = snapshotReader(stores, say);
  const layouts = new Set(stores.layouts.list());
  const files = stores.projects.read().rows;
  const projects = new Set<string>(files.map(({ project }) => project));
  const found = once(() => files.map(({ folder }) => ({ folder, paths: teamFiles(folder) })));
  const words = once(() => wordsIn(found().flatMap(({ paths }) => paths)));
  return {
    roles: stores.roles.read().rows,
    sessions: stores.sessions.read().rows,
    teams: stores.teams.read().rows,
    windows: stores.viewerWindows.read().rows,
    queues: readQueues(stores),
    newest: snapshots.newest(),
    isKept: (team) =>
      layouts.has(team) || projects.has(team) || mayHave(words(), team) || snapshots.mayHave(team),
    isBlind: once(() => {
      const withoutFile = found().filter(({ paths }) => paths.length === 0);
      const away = [...foldersAway(stores), ...withoutFile.map(({ folder }) => folder)];
      for (const path of away) say(`could not look into ${harmless(path)}: a team may be saved there`);
      return away.length > 0;
    }),
    recordedParent,
  };
}

function readQueues({ queues, receipts }: Stores): StoredQueue[] {
  const files = queues.panes().map((pane) => ({ pane, ...queues.read(pane) }));
  const isAny = files.some(({ messages }) => messages.length > 0);
  const owners = isAny ? ownersOf(receipts.read().rows) : new Map<MessageId, Owner>();
  const nowSeconds = Math.floor(Date.now() / 1000);
  return files.flatMap(({ pane, messages, isBlank }): StoredQueue[] => {
    if (messages.length === 0) return [{ pane, owner: undefined, waiting: 0, isExpired: true, isBlank }];
    return messages.map(({ id, stamp }) => ({
      pane,
      owner: owners.get(id),
      waiting: 1,
      isExpired: isExpired(stamp, nowSeconds),
      isBlank: false,
    }));
  });
}

/** Reads on, from the newest to older ones, until what is asked for has been seen. */
function snapshotReader({ snapshots }: Stores, say: (line: string) => void) {
  const files = snapshots.list();
  const seen = new Set<TeamName>();
  let read = 0;
  let isBlind = false;
  let first: SnapshotRead | null = null;

  function readNext(): void {
    const { path } = files[read]!;
    read += 1;
    try {
      const snapshot = snapshots.read(path);
      if (read === 1) first = snapshot;
      for (const { team } of snapshot.rows) seen.add(team);
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      isBlind = true;
      say(`passed over ${path}: ${harmless(error.message)}`);
    }
  }

  return {
    newest(): SnapshotRead | null {
      if (read === 0 && files.length > 0) readNext();
      return first;
    },
    mayHave(team: TeamName): boolean {
      while (!seen.has(team) && read < files.length) readNext();
      return isBlind || seen.has(team);
    },
  };
}

function mayHave(words: ReadonlySet<string> | "any", team: TeamName): boolean {
  return words === "any" || words.has(team);
}

/** By words alone: whoever wants to remove a team must not stumble over how its file is written. */
function wordsIn(paths: readonly string[]): ReadonlySet<string> | "any" {
  const words = new Set<string>();
  for (const path of paths) {
    const text = textOf(path);
    if (text === null) return "any";
    for (const word of text.split(/[^A-Za-z0-9_-]+/)) words.add(word);
  }
  return words;
}

/** A file with a name of its own stands in the row itself. */
function teamFiles(folder: string): string[] {
  const paths = [folder, ...["hivemind.yaml", "hivemind.yml"].map((name) => join(folder, name))];
  return paths.filter((path) => existsSync(path) && !isFolder(path));
}

/** One that nobody named is made when it is first needed. */
function foldersAway({ paths: { folder, snapshotFolder, layoutFolder } }: Stores): string[] {
  const standard = [folder, join(folder, "otmux")];
  const used = [snapshotFolder, layoutFolder].filter((path) => !standard.includes(path) || mayBeThere(path));
  return used.filter((path) => !isFolder(path));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** Null where it is there and cannot be read: it may have any team. */
function textOf(path: string): string | null {
  try {
    return readBytes(path, limits.teamFileBytes)?.toString("utf8") ?? "";
  } catch {
    return null;
  }
}
