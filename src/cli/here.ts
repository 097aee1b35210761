// The workspace a command is typed in, and the boundary around it.

import { placesOf } from "../agents/claw/places.js";
import { errorCode, exitCodes, HiveError } from "../base/errors.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import { shown } from "./output.js";

export function workspaceHere(): Workspace {
  try {
    return openWorkspace();
  } catch (error) {
    // Node itself cannot name a current folder that somebody removed.
    if (errorCode(error) === undefined) throw error;
    throw new HiveError("the current folder does not exist any more", {
      hint: "go to one that does, or look at all: --all",
      exitCode: exitCodes.couldNotLook,
      cause: error,
    });
  }
}

/** Where claw keeps the sessions of a workspace; the folder need not exist. */
export function partitionOf(workspace: Workspace): string {
  return placesOf(workspace).partition;
}

/** For programs; null for every folder. */
export function boundaryOf(here: Workspace | null) {
  return here && { path: here.path, fingerprint: here.fingerprint, partition: partitionOf(here) };
}

/** Help is printed in a removed folder too. */
export function boundaryNote(): string {
  const rule =
    "A session belongs to the folder it was held in, by its real path; `hivemind sessions --all` shows every folder's.";
  return [rule, ...hereLines(workspaceOrNull())].join("\n");
}

/** Null in a folder that was removed. */
export function workspaceOrNull(): Workspace | null {
  try {
    return workspaceHere();
  } catch {
    return null;
  }
}

/** Folder, fingerprint and partition, for a person. */
export function hereLines(here: Workspace | null): string[] {
  if (here === null) return [];
  return [
    `This folder is ${shown(here.path)}, fingerprint ${here.fingerprint}.`,
    `Partition of managed (claw) sessions: ${shown(partitionOf(here))}`,
  ];
}
