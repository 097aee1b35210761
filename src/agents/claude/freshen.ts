// Beginning anew at the same session id: the transcript is put aside, never deleted.
//
// [F1] Every `<uuid>.jsonl` of that agent, in whichever project folder, becomes `<uuid>.jsonl.bak` by one rename;
//      an older `.bak` in its place is replaced: there is one slot.
// [F2] No other file is touched.
// [F3] Nothing to put aside, or no projects folder: null. Every other failure is thrown.
// Whether the agent still runs is the caller's question: this knows files only.

import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { namesIn } from "../../base/names-in.js";
import { deriveSessionId } from "../../names/session-id.js";

/** The path of the `.bak` (the first one, should several folders hold that id), or null. */
export function freshenSession(home: string, project: string, agent: string): string | null {
  const projects = join(home, "projects");
  const fileName = `${deriveSessionId(project, agent)}.jsonl`;
  const found = namesIn(projects)
    .sort()
    .map((folder) => join(projects, folder, fileName))
    .filter(isRegularFile);
  for (const path of found) renameSync(path, `${path}.bak`);
  return found[0] === undefined ? null : `${found[0]}.bak`;
}

function isRegularFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch (error) {
    // ENOTDIR: a plain file lies among the project folders.
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
    throw error;
  }
}
