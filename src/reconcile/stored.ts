// Reads everything stored that an audit compares, once.
//
// - Reading writes nothing. Snapshots are read only as far back as needed; each team file is found and read once.
// - An unreadable snapshot may have any team, so no team counts as lost then.
// - A project folder without its team file, or a configured folder for snapshots or layouts that is missing, may be
//   an unmounted disk with any team. Then no team is given up.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, HiveError } from "../base/errors.js";
import { readBytes } from "../base/files/atomic-file.js";
import { once } from "../base/once.js";
import { harmless } from "../base/text/escape-terminal.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, SessionId, TeamName } from "../names/gates.js";
import { mayBeThere } from "../stores/file/whole-files.js";
import { isExpired, type Stamp } from "../stores/queue/queue-rows.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import type { Stores } from "../stores/stores.js";
import type { TeamRow } from "../stores/teams.js";
import type { SnapshotRead } from "../stores/text/snapshot-text.js";
import type { ViewerWindowRow } from "../stores/viewer-windows.js";

export interface Stored {
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
  teams: readonly TeamRow[];
  windows: readonly ViewerWindowRow[];
  queues: readonly StoredQueue[];
  /** The newest snapshot; null if there is none or it is unreadable. */
  newest: SnapshotRead | null;
  /** Whether a snapshot, a layout or a team file has this team, or may have it. */
  isKept(team: TeamName): boolean;
  /** Whether a place that may have any team is missing. Reports each; called only if it matters. */
  isBlind(): boolean;
  recordedParent(session: SessionId): SessionId | null;
}

export interface StoredQueue {
  /** A pane for a plain file from another program. */
  owner: AgentId | PaneAddress;
  /** The number of queued messages. */
  waiting: number;
  /** All of them are older than a message may get. */
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
      for (const path of away) say(`could not read ${harmless(path)}: a team may be saved there`);
      return away.length > 0;
    }),
    recordedParent,
  };
}

function readQueues({ queues }: Stores): StoredQueue[] {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const queue = (owner: StoredQueue["owner"], rows: readonly { stamp: Stamp }[], isBlank: boolean) => ({
    owner,
    waiting: rows.length,
    isExpired: rows.every(({ stamp }) => isExpired(stamp, nowSeconds)),
    isBlank,
  });
  return [
    ...queues.agents().map((agent) => {
      const { messages, isBlank } = queues.read(agent);
      return queue(agent, messages, isBlank);
    }),
    ...queues.foreignQueues().map(({ pane, rows, isBlank }) => queue(pane, rows, isBlank)),
  ];
}

/** Reads from the newest snapshot to older ones, until the team was seen. */
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
      say(`skipped ${path}: ${harmless(error.message)}`);
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

/** Compares words only: a badly written file must not make its team look lost. */
function wordsIn(paths: readonly string[]): ReadonlySet<string> | "any" {
  const words = new Set<string>();
  for (const path of paths) {
    const text = textOf(path);
    if (text === null) return "any";
    for (const word of text.split(/[^A-Za-z0-9_-]+/)) words.add(word);
  }
  return words;
}

/** The row has the path itself if the file has an unusual name. */
function teamFiles(folder: string): string[] {
  const paths = [folder, ...["hivemind.yaml", "hivemind.yml"].map((name) => join(folder, name))];
  return paths.filter((path) => existsSync(path) && !isFolder(path));
}

/** A default folder is made when it is first needed. */
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

/** Null if it exists and is unreadable: it may have any team. */
function textOf(path: string): string | null {
  try {
    return readBytes(path, limits.teamFileBytes)?.toString("utf8") ?? "";
  } catch {
    return null;
  }
}
