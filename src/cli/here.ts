// The workspace a command is typed in.

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

/** Help is printed in a removed folder too. */
export function boundaryNote(): string {
  const rule =
    "A session belongs to the folder it was held in, by its real path; --all shows those of every folder.";
  try {
    const { path, fingerprint } = workspaceHere();
    return `${rule}\nThis folder is ${shown(path)}, fingerprint ${fingerprint}.`;
  } catch {
    return rule;
  }
}
