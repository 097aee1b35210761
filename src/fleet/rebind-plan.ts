// Which sessions of another folder become this folder's, because the clone they belong to was moved here or copied. Pure
// but for looking whether a folder is still there.
//
// [RBD1] Only what somebody named: one session, those of one folder, or those that lie in this clone's own store.
// [RBD2] A folder that is still there keeps its sessions: its clone was copied, not moved, and only copies of them come
//        here, if that was said.
// [RBD3] What belongs here already is left alone.

import type { RefusedFile } from "../agents/claw/managed-store.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { ManagedId } from "../names/managed-id.js";
import type { Workspace } from "../names/workspace.js";
import type { SessionEntry } from "./session-list.js";

export type RebindStep =
  /** A transcript: the folder in its records changes with its place. */
  | { how: "move" | "copy"; entry: SessionEntry; from: string }
  /** A managed session: its file gets a new binding. */
  | { how: "bind"; id: ManagedId; path: string; why: string };

/** `isCopyAllowed`: somebody said --copy. */
export function rebindTranscript(entry: SessionEntry, here: Workspace, isCopyAllowed: boolean): RebindStep[] {
  const { id, workspace, path } = entry;
  if (workspace?.path === here.path) return [];
  if (path === null) throw new HiveError(`session ${id} has no file yet: nothing was said in it`);
  if (workspace === null) {
    throw new HiveError(`no record of session ${id} names a folder: there is no telling where it belongs`, {
      hint: `its file is ${harmless(path)}`,
    });
  }
  if (!workspace.isCanonical) return [{ how: "move", entry, from: workspace.path }];
  if (isCopyAllowed) return [{ how: "copy", entry, from: workspace.path }];
  throw stillThere(`session ${id} belongs to ${harmless(workspace.path)}`, id);
}

export function rebindManaged(
  refused: readonly RefusedFile[],
  isMeant: (file: RefusedFile) => boolean,
  isCopyAllowed: boolean,
): RebindStep[] {
  return refused.flatMap((file) => {
    const { id, path, reason, why } = file;
    if (id === null || (reason !== "moved" && reason !== "copied") || !isMeant(file)) return [];
    if (reason === "copied" && !isCopyAllowed) throw stillThere(`${id}: ${why}`, id);
    return [{ how: "bind" as const, id, path, why }];
  });
}

function stillThere(what: string, id: string): HiveError {
  return new HiveError(`${what}, which is still there: this clone is a copy of it, and its sessions stay`, {
    hint: `to have a copy of the conversation here: hivemind sessions rebind ${id} --copy`,
  });
}
