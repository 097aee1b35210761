// Binds a session of a moved or copied clone to this workspace, only on request.
//
// - The binding is a new session_meta at the end of the file; earlier records stay.
// - From another partition of this folder the file is moved here with its parts. From outside, and for the older
//   form, it is copied and the original stays.
// - After an interruption it can be repeated. A session that is already bound here stays unchanged, and so does the
//   original of a copy that was made here.

import { linkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { removeFile } from "../../base/files/atomic-file.js";
import type { ManagedId } from "../../names/managed-id.js";
import { appendRecords } from "./append.js";
import { copyOf, isRead, type Located, locateOrStray, type ManagedRef } from "./find.js";
import { whileHolding } from "./hold.js";
import { makeNamed, makePartition, metaLine, recordBytes, taken } from "./make.js";
import { type ReadFile, readManagedFile, refusalError, refusalOf } from "./managed-file.js";
import { type Places, partsOf } from "./places.js";

export interface Rebound {
  id: ManagedId;
  path: string;
  /** The workspace it was bound to; null for none. */
  from: string | null;
  /** The file's earlier path, if it was moved into the partition. */
  broughtFrom: string | null;
  /** False if there was nothing to do. */
  isChanged: boolean;
}

export async function rebindSession(places: Places, ref: ManagedRef): Promise<Rebound> {
  const located = locateOrStray(places, ref);
  const { id, path, place } = located;
  const file = readToRebind(places, located);
  const from = file.summary.workspaceRoot;
  const isBound = from !== null && refusalOf(file, places.workspace) === null;
  const isHere = place === "partition" || place === "flat";
  if (isBound && isHere) return { id, path, from, broughtFrom: null, isChanged: false };

  const { meta } = file.contents;
  if (place === "outside" || file.contents.form === "object") {
    const copy = copyOf(places, file);
    if (copy !== null) return { id, path: copy, from, broughtFrom: null, isChanged: false };
    const bytes = Buffer.concat([Buffer.from(metaLine(places, id, {}, meta)), recordBytes(file.contents)]);
    const made = await makeNamed(places, id, bytes);
    return { id, path: made.path, from, broughtFrom: path, isChanged: true };
  }
  return whileHolding(path, id, () => {
    if (!isHere && isAnother(targetOf(places, id), path)) throw taken(places, id);
    if (!isBound) appendRecords(path, metaLine(places, id, {}, meta));
    if (isHere) return { id, path, from, broughtFrom: null, isChanged: true };
    return { id, path: moveHere(places, located), from, broughtFrom: path, isChanged: true };
  });
}

/** Reads the session whatever its binding; it only has to be a session. */
function readToRebind(places: Places, { path, place }: Located): ReadFile {
  const file = readManagedFile(path, place === "flat");
  if (file !== null && isRead(file)) return file;
  const gone = { path, id: null, reason: "broken", why: "the file is gone", workspaceRoot: null } as const;
  throw refusalError(file ?? gone, places.workspace);
}

/** Moves the parts first: once the session is here, it is not moved again. */
function moveHere(places: Places, { id, path }: Located): string {
  makePartition(places);
  const target = targetOf(places, id);
  for (const part of partsOf(path)) move(part, join(places.partition, basename(part)));
  move(path, target);
  return target;
}

function targetOf({ partition }: Places, id: ManagedId): string {
  return join(partition, `${id}.jsonl`);
}

function isAnother(target: string, path: string): boolean {
  const standing = statSync(target, { throwIfNoEntry: false });
  return standing !== undefined && standing.ino !== statSync(path).ino;
}

/** Links the new name before it removes the old one, so the file always has a name. An existing target stays. */
function move(path: string, target: string): void {
  try {
    linkSync(path, target);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (isAnother(target, path)) return;
  }
  removeFile(path);
}
