// Where the managed sessions of a workspace lie, and which names there are sessions.
//
// [CWP1] The partition is `<workspace>/.claw/sessions/<fingerprint>`, or `<data folder>/sessions/<fingerprint>`.
// [CWP2] Nothing is read or written through a link that leads out of the workspace or the data folder.
// [CWP3] Of an id the partition's file counts before the flat one, and `.jsonl` before `.json`.
// [CWP4] Rotated, temporary and hidden files, locks, and what was set aside are no sessions.

import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode, exitCodes, HiveError } from "../../base/errors.js";
import { harmless } from "../../base/harmless.js";
import { isManagedId, type ManagedId } from "../../names/managed-id.js";
import type { Workspace } from "../../names/workspace.js";
import { isInside } from "./binding.js";

export interface Places {
  workspace: Workspace;
  /** What nothing may lead out of, canonical. */
  base: string;
  /** A data folder of its own may serve many workspaces. */
  isShared: boolean;
  legacyRoot: string;
  partition: string;
}

/** A file that is named like a session; whether it is one, its content tells. */
export interface NamedFile {
  /** Null where the name is no legal id. */
  id: ManagedId | null;
  path: string;
}

export function placesOf(workspace: Workspace, dataFolder?: string): Places {
  const isShared = dataFolder !== undefined;
  const base = realAhead(resolve(dataFolder ?? workspace.path));
  const legacyRoot = isShared ? join(base, "sessions") : join(base, ".claw", "sessions");
  return { workspace, base, isShared, legacyRoot, partition: join(legacyRoot, workspace.fingerprint) };
}

/** Best first. */
export function pathsOf({ partition, legacyRoot }: Places, id: ManagedId): string[] {
  return [partition, legacyRoot].flatMap((folder) => [
    join(folder, `${id}.jsonl`),
    join(folder, `${id}.json`),
  ]);
}

/** Whatever stands there, a folder too: it is then refused by its name instead of hiding a second one. */
export function standsAt(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw couldNotLook(path, error);
  }
}

/** Files of one folder that are named like sessions; a folder that is not there has none. */
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

/** What was rotated out of a session, and what was torn off its end: parts of it. */
export function partsOf(path: string): string[] {
  const folder = dirname(path);
  const prefixes = [`${stemOf(basename(path))}.rot-`, `${basename(path)}.torn-`];
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && prefixes.some((prefix) => entry.name.startsWith(prefix)))
    .map(({ name }) => join(folder, name));
}

/** Of the name of a file; null for what is no session by its name. */
export function stemOf(name: string): string | null {
  const stem = /^([^.].*)\.jsonl?$/s.exec(name)?.[1];
  return stem === undefined || /\.(?:rot|tmp|torn)-/.test(stem) ? null : stem;
}

/** False where there is no such folder. One that leads out of the base is refused. */
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
      hint: "if that is meant, name that folder as the data folder",
    },
  );
}

export function couldNotLook(path: string, cause: unknown): HiveError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HiveError(`${harmless(path)}: ${harmless(why)}`, {
    hint: "look at that path: it must be a regular file, in a folder that you may read",
    exitCode: exitCodes.couldNotLook,
    cause,
  });
}

/** A folder that is not there yet will be made where its nearest ancestor really is. */
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
