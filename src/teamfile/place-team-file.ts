// A new team file in a folder: never over one that is there, unless that is what was asked for.

import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFile, replaceFile } from "../base/atomic-file.js";
import { errorCode, HiveError } from "../base/errors.js";
import { isTeamctl, teamFileNames } from "./find-team-file.js";
import { refuseSharedFolder } from "./whose-file.js";

/** The team file that a folder has; teamctl's own stays beside a new one. */
export function standingFile(folder: string): string | null {
  const paths = teamFileNames.filter((name) => !isTeamctl(name)).map((name) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** `standing` is replaced; null makes a new one. Its path. */
export function placeFile(folder: string, standing: string | null, text: string): string {
  const path = standing ?? join(folder, teamFileNames[0]);
  // A project's file, which others may read as any of theirs.
  const mode = 0o666 & ~process.umask();
  try {
    const target = standing === null ? path : realpathSync(standing);
    refuseSharedFolder(dirname(target), path);
    if (standing !== null) replaceFile(target, text, mode);
    else if (!createFile(path, text, mode)) throw new HiveError(`there is something at ${path} already`);
    return path;
  } catch (error) {
    if (error instanceof HiveError || errorCode(error) === undefined) throw error;
    throw new HiveError(`${path} could not be written: ${errorCode(error)}`, { cause: error });
  }
}
