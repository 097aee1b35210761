// Creates files in a partition, each complete from the first moment and with a unique id.
//
// - An id is taken by creating the file exclusively: only one of two processes gets it.
// - Files are 0600 and folders 0700. The next maker removes what a killed one left unfinished.

import { dirname, join } from "node:path";
import { HiveError } from "../../base/errors.js";
import { createFile, makeFolder, sweepTemporary } from "../../base/files/atomic-file.js";
import { withLock } from "../../base/files/lock.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { shellWord } from "../../base/text/shell-word.js";
import { type ManagedId, newManagedId } from "../../names/managed-id.js";
import type { Contents } from "./contents.js";
import { isThere, type Places, pathsOf, standsAt } from "./places.js";
import { type JsonObject, recordLine } from "./records.js";

export interface NewFile {
  id: ManagedId;
  path: string;
}

/** Calls `content` once per id that it tries. */
export async function makeSession(places: Places, content: (id: ManagedId) => Uint8Array): Promise<NewFile> {
  return whileMaking(places, () => {
    for (;;) {
      const id = newManagedId(Date.now());
      const made = pathsOf(places, id).some(standsAt) ? null : tryMake(places, id, content(id));
      if (made !== null) return made;
    }
  });
}

/** Creates a session with a given id: a moved session keeps its id. */
export async function makeNamed(places: Places, id: ManagedId, content: Uint8Array): Promise<NewFile> {
  const made = await whileMaking(places, () => tryMake(places, id, content));
  if (made === null) throw taken(places, id);
  return made;
}

export function taken({ partition }: Places, id: ManagedId): HiveError {
  return new HiveError(`${harmless(partition)} already has another session ${id}`, {
    hint: `compare both; to remove the one here: hivemind sessions rm ${id}`,
  });
}

/** Unknown keys (`carried`) are copied along. */
export function metaLine(places: Places, id: ManagedId, own: JsonObject, carried: JsonObject | null): string {
  const now = Date.now();
  const meta: JsonObject = { created_at_ms: now, ...carried, updated_at_ms: now, ...own };
  return recordLine({
    ...meta,
    type: "session_meta",
    version: 1,
    session_id: id,
    workspace_root: places.workspace.path,
  });
}

/** Every whole record byte for byte; records of the older form as they would be written today. */
export function recordBytes({ form, lines, records }: Contents): Buffer {
  if (form === "object") return Buffer.from(records.map(recordLine).join(""));
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
}

/** Checks from the top down, so that no folder is created through a link that leads away. */
export function makePartition(places: Places): void {
  const { workspace, base, legacyRoot, partition } = places;
  if (!workspace.isCanonical) {
    const { path } = workspace;
    throw new HiveError(`there is no folder ${harmless(path)}`, { hint: `mkdir -p ${shellWord(path)}` });
  }
  for (const folder of [base, dirname(legacyRoot), legacyRoot, partition]) {
    if (!isThere(places, folder)) makeFolder(folder);
  }
}

async function whileMaking<T>(places: Places, make: () => T): Promise<T> {
  makePartition(places);
  const { partition } = places;
  return withLock(join(partition, ".making.lock"), make, { afterDeath: () => sweepTemporary(partition) });
}

function tryMake({ partition }: Places, id: ManagedId, content: Uint8Array): NewFile | null {
  const path = join(partition, `${id}.jsonl`);
  return createFile(path, content) ? { id, path } : null;
}
