// The real path of a path, with links resolved.

import { realpathSync } from "node:fs";
import { errorCode } from "../errors.js";

/** Null if the path does not exist or may not be read. */
export function realPath(path: string): string | null {
  try {
    // The other one asks for every folder above it, one after the other.
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
