// Frees a session id for a new conversation: renames the old transcript, never deletes it.
//
// - Every `<uuid>.jsonl` of the agent, in any project folder, becomes `<uuid>.jsonl.bak` and replaces an older
//   `.bak`.
// - Returns null if there is no transcript or no projects folder. Throws every other failure.
// - The caller makes sure that the agent does not run.

import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { namesIn } from "../../base/files/names-in.js";
import { deriveSessionId } from "../../names/session-id.js";

/** The path of the `.bak` (the first one if several folders hold that id), or null. */
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
    // ENOTDIR: there is a plain file among the project folders.
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
    throw error;
  }
}
