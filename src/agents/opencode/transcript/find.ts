// The client's conversations, all in one database.
//
// A client finds a conversation from any folder, and continues it there.

import type { SessionId } from "../../../names/gates.js";
import { findMirrored, mirrored, whyUnread } from "../../../transcripts/database/mirror.js";
import type { TranscriptFormat } from "../../../transcripts/find.js";
import { opencodeLines } from "./lines.js";
import { opencodeDatabase } from "./rows.js";

export const opencodeTranscripts: TranscriptFormat = {
  kind: "opencode",
  parser: opencodeLines,
  isMirrored: true,
  find: (folder, search) => findMirrored(folder, opencodeDatabase, search),
  findSessions: (folder, ids, search) => findMirrored(folder, opencodeDatabase, search, ids),
  workFolderOf: ({ facts }) => facts.lastCwd,
  isFoundFrom: () => true,
  titlesIn: titles,
};

/** Empty if the database cannot be read: the search reports that. */
export function titles(folder: string): ReadonlyMap<SessionId, string> {
  try {
    const named = [...mirrored(folder, opencodeDatabase).values()];
    return new Map(named.flatMap(({ id, title }) => (title === null ? [] : [[id, title]])));
  } catch (error) {
    whyUnread(error);
    return new Map();
  }
}
