// A transcript of Claude's comes under another folder: its clone was moved, or copied.
//
// [TRB1] Moved, it has the same id and the new folder in its records, and lies where the client looks for it from there.
//        The old file goes to the trash, as it was. Where that cannot be written it stays where it was, and that is told.
// [TRB2] Stopped in the middle it can be said again; a file of that id which says something else is never touched.
// [TRB3] Copied, it is a fork with an id of its own, so that no id is in two folders.

import { basename, dirname, join } from "node:path";
import { type FolderMove, movedLines } from "../agents/claude/moved-lines.js";
import { createTranscript, forkTranscript, readTranscript } from "../agents/claude/offline-fork.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { sessionFiles } from "../fleet/session-files.js";
import type { SessionEntry } from "../fleet/session-list.js";
import type { SessionId } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import type { Trash } from "../stores/trash.js";
import { moveNew } from "../stores/whole-files.js";

export async function moveTranscriptTo(entry: SessionEntry, move: FolderMove, trash: Trash): Promise<void> {
  const { owner, paths } = sessionFiles(entry);
  const [path, beside] = paths as [string, string?];
  const target = placeOf(path, move.to);
  const bytes = movedLines(readTranscript(path), move);
  if (!createTranscript(target, bytes) && !readTranscript(target).equals(bytes)) {
    throw new HiveError(`there is a ${harmless(target)} already, with something else in it`, {
      hint: `look at both; the other is ${harmless(path)}`,
    });
  }
  if (beside !== undefined) moveNew(beside, join(dirname(target), basename(beside)));
  await trash.put(owner, async (take) => take(path));
}

export function copyTranscriptTo({ id, path, title }: SessionEntry, move: FolderMove): SessionId {
  const into = dirname(placeOf(path!, move.to));
  return forkTranscript(path!, { parent: id, title: title ?? id.slice(0, 8), move, into }).id;
}

/** In the same config folder, under the slug of the folder. */
function placeOf(path: string, folder: string): string {
  return join(dirname(dirname(path)), projectSlug(folder), basename(path));
}
