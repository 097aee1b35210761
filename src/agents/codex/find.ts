// Finds the conversations of a config folder with listings and `stat` alone.
//
// - `sessions/YYYY/MM/DD/rollout-<time>-<uuid>.jsonl`, and `archived_sessions/` without the days.
// - Only a regular file counts.
// - The day is the local day on which the conversation began. Its id has the same time, so the files of one session
//   are found in three folders of days: the client's time zone may be another one.
// - A missing folder is empty. An unreadable one is a problem, and the rest is still found.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { readSessionId, type SessionId } from "../../names/gates.js";
import {
  type FoundFile,
  listed,
  look,
  type Search,
  stated,
  type TranscriptFormat,
} from "../../transcripts/find.js";
import { stampOf } from "../../transcripts/scan/scan.js";
import { readNames } from "./names.js";
import { codexLines } from "./transcript/lines.js";

export const codexTranscripts: TranscriptFormat = {
  kind: "codex",
  parser: codexLines,
  find: findRollouts,
  findSessions: (folder, ids, search) => [...ids].flatMap((id) => findRollout(folder, id, search)),
  // Its client resumes a conversation from any folder.
  workFolderOf: ({ facts }) => facts.lastCwd,
  isFoundFrom: () => true,
  titlesIn: readNames,
};

function findRollouts(folder: string, search: Search): FoundFile[] {
  let folders = [join(folder, "sessions")];
  for (const form of [/^\d{4}$/, /^\d\d$/, /^\d\d$/])
    folders = folders.flatMap((each) =>
      names(each, search)
        .filter((name) => form.test(name))
        .map((name) => join(each, name)),
    );
  return [...folders, archiveOf(folder)].flatMap((each) => rolloutsIn(each, () => true, search));
}

function findRollout(folder: string, id: SessionId, search: Search): FoundFile[] {
  const begun = begunAtMs(id);
  if (begun === null) return findRollouts(folder, search).filter((found) => found.id === id);
  const days = [-dayMs, 0, dayMs].map((offset) => dayFolder(folder, begun + offset));
  return [...days, archiveOf(folder)].flatMap((each) => rolloutsIn(each, (own) => own === id, search));
}

/** The time in a UUID of version 7; null for any other. */
export function begunAtMs(id: string): number | null {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}

export function rolloutId(name: string): SessionId | null {
  return readSessionId(/^rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i.exec(name)?.[1]);
}

const dayMs = 24 * 60 * 60 * 1000;

function dayFolder(folder: string, timeMs: number): string {
  return join(folder, "sessions", ...new Date(timeMs).toISOString().slice(0, 10).split("-"));
}

function archiveOf(folder: string): string {
  return join(folder, "archived_sessions");
}

function rolloutsIn(folder: string, isMeant: (id: SessionId) => boolean, search: Search): FoundFile[] {
  const real = look(folder, search, (path) => realpathSync(path));
  if (real === null || search.listed.has(real)) return [];
  search.listed.add(real);
  return names(folder, search).flatMap((name) => {
    const id = rolloutId(name);
    if (id === null || !isMeant(id)) return [];
    const path = join(folder, name);
    const stat = look(path, search, stated);
    return stat?.isFile() ? [{ id, path, stamp: stampOf(stat) }] : [];
  });
}

function names(folder: string, search: Search): string[] {
  return look(folder, search, listed) ?? [];
}
