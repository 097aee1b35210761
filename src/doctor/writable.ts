// Whether something could be written at a path, found out without writing.

import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../base/errors.js";

/** Null when it could; a folder that is not there yet would be made in the nearest one that is. */
export function whyUnwritable(folder: string): string | null {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is no folder`;
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = errorCode(error);
    const isLink = code === "ENOENT" && lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
    if (isLink) return `${folder} is a link that leads nowhere`;
    if (code === "ENOENT" && dirname(folder) !== folder) return whyUnwritable(dirname(folder));
    if (code === undefined) throw error;
    return `${folder} is not writable (${code})`;
  }
}
