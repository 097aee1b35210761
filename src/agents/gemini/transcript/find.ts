// The client's session files as transcripts.
//
// - A session counts from its first message on. The client makes the file at its start, and deletes it at its end, or
//   at the start of another client in the folder, if nothing was said.
// - The client finds a session only in the folder that it began in.
// - A known file is not opened again for its id: the first line of a file never changes.

import type { SessionId } from "../../../names/gates.js";
import {
  type FoundFile,
  look,
  type Search,
  stated,
  type TranscriptFormat,
} from "../../../transcripts/find.js";
import { stampOf } from "../../../transcripts/scan/scan.js";
import type { Transcript } from "../../../transcripts/transcript.js";
import { idInLog, projectRootOf, readHead, sessionFilesIn, slugFolderOf, slugFolders } from "../find.js";
import { geminiLines } from "./lines.js";

export const geminiTranscripts: TranscriptFormat = {
  kind: "gemini",
  parser: geminiLines,
  isBegun: ({ messages }) => messages > 0,
  find: (home, search) => find(home, search, () => true),
  findSessions: (home, ids, search) =>
    find(home, search, (short) => [...ids].some((id) => id.startsWith(short))).filter(({ id }) =>
      ids.has(id),
    ),
  workFolderOf,
  isFoundFrom: (transcript, realCwd) => workFolderOf(transcript) === realCwd,
};

function workFolderOf({ path, facts }: Pick<Transcript, "path" | "facts">): string | null {
  return projectRootOf(slugFolderOf(path)) ?? facts.firstCwd;
}

function find(home: string, search: Search, isWanted: (short: string) => boolean): FoundFile[] {
  return slugFolders(home).flatMap((folder) =>
    sessionFilesIn(folder).flatMap(({ path, short }): FoundFile[] => {
      const stat = isWanted(short) ? look(path, search, stated) : null;
      if (!stat?.isFile()) return [];
      const stamp = stampOf(stat);
      const id = idOf(path, short, stamp.inode);
      return id === null ? [] : [{ id, path, stamp }];
    }),
  );
}

const known = new Map<string, { id: SessionId; inode: number }>();

function idOf(path: string, short: string, inode: number): SessionId | null {
  const before = known.get(path);
  if (before?.inode === inode) return before.id;
  const id = readHead(path)?.id ?? idInLog(slugFolderOf(path), short);
  if (id !== null) known.set(path, { id, inode });
  return id;
}
