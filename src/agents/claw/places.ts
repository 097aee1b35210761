// Where the managed sessions of a workspace are, and which file names are sessions.
//
// - The partition is `<workspace>/.claw/sessions/<fingerprint>`, or `<data folder>/sessions/<fingerprint>`.
// - Nothing is read or written through a link that leads out of the workspace or the data folder.
// - For one id, the partition's file comes before the flat one, and `.jsonl` before `.json`.
// - Rotated, temporary and hidden files, locks, and torn-off lines are not sessions.

import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode, exitCodes, HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { isManagedId, type ManagedId } from "../../names/managed-id.js";
import type { Workspace } from "../../names/workspace.js";
import { isInside } from "./binding.js";

export interface Places {
  workspace: Workspace;
  /** The canonical folder that no path may leave. */
  base: string;
  /** A separate data folder can serve several workspaces. */
  isShared: boolean;
  legacyRoot: string;
  partition: string;
}

/** A file that is named like a session; its contents decide whether it is one. */
export interface NamedFile {
  /** Null if the name is not a valid id. */
  id: ManagedId | null;
  path: string;
}

export function placesOf(workspace: Workspace, dataFolder?: string): Places {
  const isShared = dataFolder !== undefined;
  const base = realAhead(resolve(dataFolder ?? workspace.path));
  const legacyRoot = isShared ? join(base, "sessions") : join(base, ".claw", "sessions");
  return { workspace, base, isShared, legacyRoot, partition: join(legacyRoot, workspace.fingerprint) };
}

/** In order of precedence, highest first. */
export function pathsOf({ partition, legacyRoot }: Places, id: ManagedId): string[] {
  return [partition, legacyRoot].flatMap((folder) => [
    join(folder, `${id}.jsonl`),
    join(folder, `${id}.json`),
  ]);
}

/**
 * Whether anything is at the path, even a folder: it is then refused by its name instead of hiding a second file.
 */
export function standsAt(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw couldNotLook(path, error);
  }
}

/** The files of a folder that are named like sessions; none if the folder does not exist. */
export function namedFiles(places: Places, folder: string): NamedFile[] {
  if (!isThere(places, folder)) return [];
  return entriesOf(folder)
    .flatMap(({ name }) => {
      const stem = stemOf(name);
      return stem === null ? [] : [{ id: isManagedId(stem) ? stem : null, path: join(folder, name) }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The partitions of other workspaces beside ours. */
export function otherPartitions(places: Places): string[] {
  const { legacyRoot, partition } = places;
  if (!isThere(places, legacyRoot)) return [];
  return entriesOf(legacyRoot)
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name))
    .map(({ name }) => join(legacyRoot, name))
    .filter((path) => path !== partition);
}

/** The parts of a session: files rotated out of it, and lines torn off its end. */
export function partsOf(path: string): string[] {
  const folder = dirname(path);
  const prefixes = [`${stemOf(basename(path))}.rot-`, `${basename(path)}.torn-`];
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && prefixes.some((prefix) => entry.name.startsWith(prefix)))
    .map(({ name }) => join(folder, name));
}

/** The file name without its extension; null if it cannot be a session. */
export function stemOf(name: string): string | null {
  const stem = /^([^.].*)\.jsonl?$/s.exec(name)?.[1];
  return stem === undefined || /\.(?:rot|tmp|torn)-/.test(stem) ? null : stem;
}

/** False if there is no such folder. A folder outside the base is refused. */
export function isThere({ base }: Places, folder: string): boolean {
  let real: string;
  try {
    real = realpathSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw couldNotLook(folder, error);
  }
  if (real === folder || isInside(real, base)) return true;
  throw new HiveError(
    `refused ${harmless(folder)}: it leads out of ${harmless(base)}, to ${harmless(real)}`,
    {
      hint: "to use that folder, name it as the data folder",
    },
  );
}

export function couldNotLook(path: string, cause: unknown): HiveError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HiveError(`${harmless(path)}: ${harmless(why)}`, {
    hint: "it must be a regular file in a folder that you can read",
    exitCode: exitCodes.couldNotLook,
    cause,
  });
}

/** The real path of a folder that does not exist yet: its nearest existing ancestor decides. */
function realAhead(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realAhead(above), basename(path));
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw couldNotLook(folder, error);
  }
}
