// New files in a partition: whole from the first moment, each under an id that nobody else has.
//
// [CWN1] Ids are taken by making the file, exclusively: of two processes only one gets it.
// [CWN2] Files are 0600 and folders 0700; what a killed maker left half done is swept by the next.

import { dirname, join } from "node:path";
import { createFile, makeFolder, sweepTemporary } from "../../base/atomic-file.js";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/harmless.js";
import { withLock } from "../../base/lock.js";
import { shellWord } from "../../base/shell-word.js";
import { type ManagedId, newManagedId } from "../../names/managed-id.js";
import type { Contents } from "./contents.js";
import { isThere, type Places, pathsOf, standsAt } from "./places.js";
import { type JsonObject, recordLine } from "./records.js";

export interface NewFile {
  id: ManagedId;
  path: string;
}

/** `content` is asked once for each id that is tried. */
export async function makeSession(places: Places, content: (id: ManagedId) => Uint8Array): Promise<NewFile> {
  return whileMaking(places, () => {
    for (;;) {
      const id = newManagedId(Date.now());
      const made = pathsOf(places, id).some(standsAt) ? null : tryMake(places, id, content(id));
      if (made !== null) return made;
    }
  });
}

/** Under an id that is given: a session that is brought here keeps its name. */
export async function makeNamed(places: Places, id: ManagedId, content: Uint8Array): Promise<NewFile> {
  const made = await whileMaking(places, () => tryMake(places, id, content));
  if (made === null) throw taken(places, id);
  return made;
}

export function taken({ partition }: Places, id: ManagedId): HiveError {
  return new HiveError(`there is another session ${id} in ${harmless(partition)}`, {
    hint: `look at both; if the one here may go: hivemind sessions rm ${id}`,
  });
}

/** Keys that we do not know (`carried`) go along. */
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

/** Every whole record as it was written, byte for byte; of the older form as it would be written. */
export function recordBytes({ form, lines, records }: Contents): Buffer {
  if (form === "object") return Buffer.from(records.map(recordLine).join(""));
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
}

/** Checked from the top down, so that no folder is made through a link that leads away. */
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
