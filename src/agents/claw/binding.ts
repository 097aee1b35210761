// Whether a session belongs to the workspace that asks.
//
// [CWB1] Bound to a folder that is this workspace, however it is spelled: accepted, wherever the file is.
// [CWB2] Bound to another: refused, naming both, wherever the file is.
// [CWB3] Bound to none: accepted if the file lies inside the workspace, else refused.
// [CWB4] A clone that was moved (the other folder is gone) and one that was copied (it is still there) are told apart.

import { isAbsolute } from "node:path";
import { fingerprint } from "../../names/fingerprint.js";
import { openWorkspace, type Workspace } from "../../names/workspace.js";

export type Binding =
  | { answer: "accepted" }
  | { answer: "unbound" }
  /** `isGone`: nothing is at that path now. */
  | { answer: "other"; actual: Workspace; isGone: boolean };

/** `path` is the file's own, canonical. `root` is what the file says. */
export function bindingOf(root: string | null, path: string, workspace: Workspace): Binding {
  if (root === null) return { answer: isInside(path, workspace.path) ? "accepted" : "unbound" };
  const actual = workspaceOf(root);
  if (actual.path === workspace.path) return { answer: "accepted" };
  return { answer: "other", actual, isGone: !actual.isCanonical };
}

export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** A relative path would be another folder wherever it is read: it is no workspace that could be this one. */
function workspaceOf(root: string): Workspace {
  if (isAbsolute(root)) return openWorkspace(root);
  return { path: root, fingerprint: fingerprint(root), isCanonical: false };
}
