// Which sessions of another folder move to this one, because their clone was moved or copied here. Pure, except that
// it checks whether a folder exists.
//
// - Only sessions that the user named: one session, those of one folder, or those in this clone's own store.
// - A folder that still exists keeps its sessions: its clone was copied, not moved. With --copy, copies come here.
// - Sessions that already belong here are left alone.

import { needOf } from "../../agents/all.js";
import type { RefusedFile } from "../../agents/claw/managed-store.js";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { ManagedId } from "../../names/managed-id.js";
import type { Workspace } from "../../names/workspace.js";
import type { SessionEntry } from "./session-list.js";

export type RebindStep =
  /** A transcript: its file moves, and the folder in its records changes. */
  | { how: "move" | "copy"; entry: SessionEntry; from: string }
  /** A managed session: its file gets a new binding. */
  | { how: "bind"; id: ManagedId; path: string; why: string };

/** `isCopyAllowed`: the user gave --copy. */
export function rebindTranscript(entry: SessionEntry, here: Workspace, isCopyAllowed: boolean): RebindStep[] {
  const { id, workspace, path } = entry;
  if (workspace?.path === here.path) return [];
  needOf(entry.agent, "rebind");
  if (path === null) throw new HiveError(`session ${id} has no file yet: it has no messages`);
  if (workspace === null) {
    throw new HiveError(`cannot tell where session ${id} belongs: none of its records names a folder`, {
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
  return new HiveError(
    `${what}, which still exists: this clone is a copy of it, and the sessions stay there`,
    {
      hint: `to copy the conversation here: hivemind sessions rebind ${id} --copy`,
    },
  );
}
