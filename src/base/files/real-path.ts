// The real path of a path, with links resolved.

import { realpathSync } from "node:fs";
import { errorCode } from "../errors.js";

/** Null if the path does not exist or may not be read. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
