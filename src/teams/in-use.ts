// Refuses to change the files of a session that is in use.
//
// - A session that a process holds, in a pane or outside tmux, is in use; the error names the holder.
// - A claw of the same workspace that does not report its session may be in this one.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import { type AnySession, folderOf, isRunning, runningPane } from "../fleet/sessions/session-list.js";
import type { ManagedId } from "../names/managed-id.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import { liveHolder } from "./start/holder.js";
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

/** For a session in a store that no list shows: the store of a clone that was moved. */
export function refuseClawIn(workspace: Workspace | null, id: ManagedId, fleet: Fleet): void {
  const suspect = fleet.panes.find((pane) => {
    const folder = folderOf(pane);
    if (pane.kind !== "claw" || !isRunning(pane) || folder === null) return false;
    return (pane.arguments?.managed ?? id) === id && openWorkspace(folder).path === workspace?.path;
  });
  if (suspect === undefined) return;
  throw new HiveError(`a claw runs in ${harmless(suspect.address)} and may be using session ${id}`, {
    hint: "end it first",
  });
}

function inUse({ id, path }: AnySession, where: string): HiveError {
  // A session without a conversation has no file, so there is nothing to copy.
  const copying =
    path === null ? "" : `, or work with a copy: hivemind sessions fork --file ${shellWord(path)}`;
  return new HiveError(`session ${id} is in use: ${harmless(where)}`, {
    hint: `end it there first${copying}`,
  });
}
