// A workspace is the canonical real path of a folder: the boundary inside which sessions see each other.
//
// Every spelling of one folder (symlink, `..`, relative, trailing slash) is one workspace. A path that cannot be
// made canonical is used as given, with `isCanonical` false.

import { resolve } from "node:path";
import { realPath } from "../base/files/real-path.js";
import { type Fingerprint, fingerprint } from "./fingerprint.js";

export interface Workspace {
  path: string;
  fingerprint: Fingerprint;
  /** False if the path does not exist or cannot be read: then it is the path as given. */
  isCanonical: boolean;
}

export function openWorkspace(path: string = process.cwd()): Workspace {
  // `resolve("")` is the working directory, and an empty name must not silently mean that.
  const real = path === "" ? null : realPath(resolve(path));
  const used = real ?? path;
  return {
    path: used,
    // On demand: a list opens the folders of all sessions, and shows the fingerprint of one.
    get fingerprint() {
      return fingerprint(used);
    },
    isCanonical: real !== null,
  };
}
