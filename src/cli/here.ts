// The workspace a command is typed in, and the boundary around it.
//
// [HRE1] In a folder that was removed each command that needs it says so, with exit code 3, and names only ways out that it
//        has; what needs no folder goes on.

import { placesOf } from "../agents/claw/places.js";
import { exitCodes, HiveError } from "../base/errors.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import type { Input } from "./command.js";
import { shown } from "./output.js";

/** `otherwise` is what can be said in place of a folder one is in. */
export function workspaceHere(otherwise?: string): Workspace {
  try {
    return openWorkspace();
  } catch (error) {
    throw folderGone(error, otherwise);
  }
}

/** Node itself cannot name a current folder that somebody removed; any other error stays what it is. */
export function folderGone(error: unknown, otherwise?: string): unknown {
  if (!(error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")) return error;
  return new HiveError("the current folder does not exist any more", {
    hint: ["go to one that does: cd ~", ...(otherwise === undefined ? [] : [otherwise])].join("; or "),
    exitCode: exitCodes.couldNotLook,
    cause: error,
  });
}

/** Null where every folder is meant: for commands that take --all. */
export function hereOrAll(input: Pick<Input, "flag">): Workspace | null {
  return input.flag("all") ? null : workspaceHere("look at all: --all");
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
