// The workspace (folder) a command runs in, and the lines that explain its boundary.
//
// In a folder that was removed, a command that needs the folder fails with exit code 3, and its hint names only ways
// out that this command has. Commands that need no folder still work.

import { existsSync } from "node:fs";
import { placesOf } from "../agents/claw/places.js";
import { exitCodes, HiveError } from "../base/errors.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import type { Input } from "./command.js";
import { shown } from "./output.js";

/** `otherwise`: a hint for running this command without a current folder. */
export function currentWorkspace(otherwise?: string): Workspace {
  try {
    return openWorkspace();
  } catch (error) {
    throw folderGone(error, otherwise);
  }
}

/** Replaces node's error for a removed current folder; returns every other error unchanged. */
export function folderGone(error: unknown, otherwise?: string): unknown {
  if (!(error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")) return error;
  return new HiveError("the current folder no longer exists", {
    hint: ["change to another folder: cd ~", ...(otherwise === undefined ? [] : [otherwise])].join("; or "),
    exitCode: exitCodes.couldNotLook,
    cause: error,
  });
}

/** For commands that take --all: null with --all. */
export function workspaceOrAll(input: Pick<Input, "flag">): Workspace | null {
  return input.flag("all") ? null : currentWorkspace("look in every folder: --all");
}

/** The folder in which claw keeps its sessions for a workspace; it need not exist. */
export function partitionOf(workspace: Workspace): string {
  return placesOf(workspace).partition;
}

/** As JSON; null for every folder. */
export function boundaryOf(here: Workspace | null) {
  return here && { path: here.path, fingerprint: here.fingerprint, partition: partitionOf(here) };
}

/** Works in a removed folder too, because help must. */
export function boundaryNote(): string {
  const rule =
    "A session belongs to the folder it ran in (its real path). `hivemind sessions --all` lists every folder.";
  return [rule, ...workspaceLines(workspaceOrNull())].join("\n");
}

/** Null in a folder that was removed. */
export function workspaceOrNull(): Workspace | null {
  try {
    return currentWorkspace();
  } catch {
    return null;
  }
}

/** Folder and fingerprint, and where claw keeps its sessions. */
export function workspaceLines(here: Workspace | null): string[] {
  if (here === null) return [];
  return [`This folder is ${shown(here.path)}, fingerprint ${here.fingerprint}.`, ...clawLines(here)];
}

/** Empty unless claw has been used in this folder. */
export function clawLines(here: Workspace): string[] {
  const folder = partitionOf(here);
  return existsSync(folder) ? [`claw keeps its sessions for this folder in ${shown(folder)}`] : [];
}
