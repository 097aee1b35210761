// A session of a clone that was moved or copied becomes one of this workspace: only when somebody says so.
//
// [CWM1] The binding is a new session_meta at the end; what was there stays as it was.
// [CWM2] From another partition of this folder the file comes over as it is, with what was rotated out of it and torn
//        off; from outside, and of the older form, a copy is made and the original stays.
// [CWM3] Stopped at any moment it can be said again; a session that is bound here already is left alone, and so is the
//        original of a copy that was made here.

import { linkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { removeFile } from "../../base/atomic-file.js";
import { errorCode } from "../../base/errors.js";
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
  /** Where its file was before, if it was brought into the partition. */
  broughtFrom: string | null;
  /** False when there was nothing to do. */
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
    return { id, path: bringOver(places, located), from, broughtFrom: path, isChanged: true };
  });
}

/** Bound to whomever: all that counts is that it is a session. */
function readToRebind(places: Places, { path, place }: Located): ReadFile {
  const file = readManagedFile(path, place === "flat");
  if (file !== null && isRead(file)) return file;
  const gone = { path, id: null, reason: "broken", why: "it is gone", workspaceRoot: null } as const;
  throw refusalError(file ?? gone, places.workspace);
}

/** Its parts first: a session that is here is not brought over again. */
function bringOver(places: Places, { id, path }: Located): string {
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

/** A second name first, then the first one goes: never without a name. Where another has the name, it stays. */
function move(path: string, target: string): void {
  try {
    linkSync(path, target);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (isAnother(target, path)) return;
  }
  removeFile(path);
}
