// Whether somebody works in a session: then its files are left alone.
//
// [TIU1] A session that a process holds, in a pane or outside tmux, is in use, and its holder is named.
// [TIU2] A claw of the same workspace that does not tell which session it is in may be in this one.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import { type AnySession, folderOf, isRunning, runningPane } from "../fleet/session-list.js";
import type { ManagedId } from "../names/managed-id.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import { liveHolder } from "./holder.js";
import type { TeamWorld } from "./world.js";

export function refuseInUse(entry: AnySession, fleet: Fleet, world: Pick<TeamWorld, "env" | "stores">): void {
  const pane = runningPane(entry);
  if (pane !== null) throw inUse(entry, `${pane.address}, process ${pane.process?.pid}`);
  if (entry.store === "transcripts") {
    const holder = liveHolder(entry.id, fleet, world);
    if (holder !== null) throw inUse(entry, `${holder.pane ?? "outside this tmux"}, process ${holder.pid}`);
    return;
  }
  refuseClawIn(entry.workspace, entry.id, fleet);
}

/** Of a session in a store that no list shows: of a clone that was moved. */
export function refuseClawIn(workspace: Workspace | null, id: ManagedId, fleet: Fleet): void {
  const suspect = fleet.panes.find((pane) => {
    const folder = folderOf(pane);
    if (pane.kind !== "claw" || !isRunning(pane) || folder === null) return false;
    return (pane.arguments?.managed ?? id) === id && openWorkspace(folder).path === workspace?.path;
  });
  if (suspect === undefined) return;
  throw new HiveError(`a claw runs in ${harmless(suspect.address)}, and may be in session ${id}`, {
    hint: "end it first",
  });
}

function inUse({ id, path }: AnySession, where: string): HiveError {
  // What has not said a word has no file, and nothing to copy.
  const copying =
    path === null ? "" : `, or work with a copy: hivemind sessions fork --file ${shellWord(path)}`;
  return new HiveError(`session ${id} is in use: ${harmless(where)}`, {
    hint: `end it there first${copying}`,
  });
}
