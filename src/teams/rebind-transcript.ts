// Puts a Claude transcript under another folder, after its clone was moved or copied.
//
// - A moved transcript keeps its id, has the new folder in its records, and lies where the client looks for it.
// - The old file goes to the trash unchanged. If it cannot be written there, it stays in place and the error says
//   so.
// - An interrupted move can be repeated. An existing file with that id and other contents is never touched.
// - A copied transcript is a fork with its own id, so that no id is in two folders.

import { basename, dirname, join } from "node:path";
import { type FolderMove, movedLines } from "../agents/claude/transcript/moved-lines.js";
import {
  createTranscript,
  forkTranscript,
  readTranscript,
} from "../agents/claude/transcript/offline-fork.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { sessionFiles } from "../fleet/sessions/session-files.js";
import type { SessionEntry } from "../fleet/sessions/session-list.js";
import type { SessionId } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import { moveNew } from "../stores/file/whole-files.js";
import type { Trash } from "../stores/trash.js";

export async function moveTranscriptTo(entry: SessionEntry, move: FolderMove, trash: Trash): Promise<void> {
  const { owner, paths } = sessionFiles(entry);
  const [path, beside] = paths as [string, string?];
  const target = placeOf(path, move.to);
  const bytes = movedLines(readTranscript(path), move);
  if (!createTranscript(target, bytes) && !readTranscript(target).equals(bytes)) {
    throw new HiveError(`${harmless(target)} exists already, with other contents`, {
      hint: `compare it with ${harmless(path)}`,
    });
  }
  if (beside !== undefined) moveNew(beside, join(dirname(target), basename(beside)));
  await trash.put(owner, async (take) => take(path));
}

export function copyTranscriptTo({ id, path, title }: SessionEntry, move: FolderMove): SessionId {
  const into = dirname(placeOf(path!, move.to));
  return forkTranscript(path!, { parent: id, title: title ?? id.slice(0, 8), move, into }).id;
}

/** In the same config folder, under the folder's slug. */
function placeOf(path: string, folder: string): string {
  return join(dirname(dirname(path)), projectSlug(folder), basename(path));
}
