// Whether a session belongs to a workspace.
//
// - Bound to this workspace, however it is spelled: accepted, wherever the file is.
// - Bound to another workspace: refused, wherever the file is. The answer says whether that folder is gone (this
//   clone was moved) or still there (this clone is a copy).
// - Bound to none: accepted only if the file is inside the workspace.

import { isAbsolute } from "node:path";
import { fingerprint } from "../../names/fingerprint.js";
import { openWorkspace, type Workspace } from "../../names/workspace.js";

export type Binding =
  | { answer: "accepted" }
  | { answer: "unbound" }
  /** `isGone`: nothing is at that path now. */
  | { answer: "other"; actual: Workspace; isGone: boolean };

/** `path` is the file's canonical path. `root` is the workspace that the file names. */
export function bindingOf(root: string | null, path: string, workspace: Workspace): Binding {
  if (root === null) return { answer: isInside(path, workspace.path) ? "accepted" : "unbound" };
  const actual = workspaceOf(root);
  if (actual.path === workspace.path) return { answer: "accepted" };
  return { answer: "other", actual, isGone: !actual.isCanonical };
}

export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** A relative path depends on where it is read, so it never matches a workspace. */
function workspaceOf(root: string): Workspace {
  if (isAbsolute(root)) return openWorkspace(root);
  return { path: root, fingerprint: fingerprint(root), isCanonical: false };
}
