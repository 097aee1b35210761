// A workspace is the canonical real path of a folder: the boundary inside which sessions see each other.
//
// [W1] Every spelling of one folder (symlink, `..`, relative, trailing slash) is one workspace.
// [W2] A path that cannot be made canonical is taken as it is given, and said to be so.

import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../base/errors.js";
import { type Fingerprint, fingerprint } from "./fingerprint.js";

export interface Workspace {
  path: string;
  fingerprint: Fingerprint;
  /** False when the path does not exist (or cannot be walked): it is then the path as given. */
  isCanonical: boolean;
}

export function openWorkspace(path: string = process.cwd()): Workspace {
  const real = realPath(path);
  const kept = real ?? path;
  return { path: kept, fingerprint: fingerprint(kept), isCanonical: real !== null };
}

function realPath(path: string): string | null {
  // `resolve("")` is the folder we are in, and an empty name must not quietly mean that.
  if (path === "") return null;
  try {
    return realpathSync(resolve(path));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
