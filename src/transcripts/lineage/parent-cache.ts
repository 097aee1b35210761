// Caches the parents of sessions between runs: most transcripts never change again.
//
// - The cached result of a family counts only while it has the same files with the same stamps. Otherwise it is
//   computed from the messages again, with the same result.
// - A family that is being written to is not cached at every look.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { loadRows, removeOld, saveRows } from "../cache.js";
import type { KinIndex } from "../index.js";
import { difference, type Seen, type Stamp, stampOf } from "../scan/scan.js";
import type { Chain, MessageId, Transcript } from "../transcript.js";
import { type ChainOptions, familyKey, readChains } from "./chains.js";
import { familiesOf } from "./families.js";
import { type MessageParent, parentsByMessages } from "./parent-by-messages.js";

export interface ParentOptions extends ChainOptions {
  /** How long a family must have been silent to be cached. */
  quietMs?: number;
}

/** The parents by child, for transcripts that have relatives; of several files of one id the last written counts. */
export async function readParents(
  index: KinIndex,
  options: ParentOptions,
): Promise<ReadonlyMap<SessionId, MessageParent>> {
  const { part } = index;
  if (part === undefined || !part.isUnchanged) return (await compareFamilies(index, options)).kinship;
  // Of a part that did not change, the whole result counts.
  const file = join(options.cacheDir, `${prefix}${part.name}.json`);
  const key = `${options.parser.name} ${part.version}`;
  const known = loadRows<MessageParent>(file, key) as Map<SessionId, MessageParent>;
  if (known.size > 0) return known;
  const { kinship, isFinal } = await compareFamilies(index, options);
  if (isFinal) save(file, key, kinship, options);
  return kinship;
}

const prefix = "kinship-";

/** `isFinal`: all files were still as they were indexed. */
async function compareFamilies(
  { transcripts, byId, lookedAtMs }: KinIndex,
  options: ParentOptions,
): Promise<{ kinship: Map<SessionId, MessageParent>; isFinal: boolean }> {
  const speaking = transcripts.filter((each) => byId.get(each.id)?.[0] === each);
  const families = familiesOf(speaking).filter(({ length }) => length > 1);
  const kinship = new Map<SessionId, MessageParent>();
  if (families.length === 0) return { kinship, isFinal: true };
  const file = join(options.cacheDir, "kinship.json");
  const rows = loadRows<FamilyRow>(file, options.parser.name);
  const unknown: Look[] = [];
  for (const family of families) {
    const look = lookAt(family, lookedAtMs);
    const row = rows.get(look.root);
    if (row !== undefined && isAsItWas(row, look)) addKin(kinship, row.kin);
    else unknown.push(look);
  }
  let isWorthIt = false;
  let isFinal = true;
  for (const batch of batchesOf(unknown)) {
    const chains = await readChains(
      batch.flatMap(({ family }) => family),
      options,
    );
    for (const look of batch) {
      const kin = [...parentsByMessages(withChains(look.family, chains))];
      addKin(kinship, kin);
      const isSame = look.family.every((each) => chains.has(each) && isWhatWasIndexed(each, look));
      isFinal &&= isSame;
      if (!isSame) continue;
      rows.set(look.root, { files: [...look.files], kin });
      isWorthIt ||= isQuiet(look, options.quietMs ?? limits.kinshipQuietMs);
    }
  }
  // Families without files are not cached.
  const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isWorthIt) {
    const kept = [...rows].filter(([, { files }]) => files.every(([path]) => isThere(path)));
    save(file, options.parser.name, new Map(kept), options);
  }
  return { kinship, isFinal };
}

/** The cache row of one family. */
interface FamilyRow {
  files: [path: string, seen: Seen][];
  kin: [SessionId, MessageParent][];
}

interface Look {
  root: MessageId;
  family: readonly Transcript[];
  files: ReadonlyMap<string, Seen>;
}

/**
 * Taken before the messages are read: a file that changes meanwhile no longer has this stamp. The look that found the
 * transcripts took them already.
 */
function lookAt(family: readonly Transcript[], indexedAtMs: number | undefined): Look {
  const files = new Map<string, Seen>();
  for (const { path, stamp } of family) {
    const lookedAtMs = indexedAtMs ?? Date.now();
    const found = (indexedAtMs !== undefined && stamp) || stampAt(path);
    if (found !== undefined) files.set(path, { stamp: found, lookedAtMs });
  }
  return { root: familyKey(family), family, files };
}

function stampAt(path: string): Stamp | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat && stampOf(stat);
}

/** Families whose messages are held in memory together. */
function batchesOf(looks: readonly Look[]): Look[][] {
  const batches: Look[][] = [];
  let roomBytes = 0;
  for (const look of looks) {
    if (roomBytes <= 0) {
      batches.push([]);
      roomBytes = limits.kinshipBatchBytes;
    }
    batches.at(-1)!.push(look);
    for (const { sizeBytes } of look.family) roomBytes -= sizeBytes;
  }
  return batches;
}

function isAsItWas({ files }: FamilyRow, look: Look): boolean {
  if (files.length !== look.family.length || look.files.size !== look.family.length) return false;
  return files.every(([path, then]) => {
    const now = look.files.get(path);
    return now !== undefined && difference(then, now.stamp) === "none";
  });
}

/** Whether the index and the messages come from the same bytes. */
function isWhatWasIndexed({ path, sizeBytes, modifiedAtMs }: Transcript, { files }: Look): boolean {
  const stamp = files.get(path)?.stamp;
  return stamp?.sizeBytes === sizeBytes && stamp.modifiedAtMs === modifiedAtMs;
}

function isQuiet({ files }: Look, quietMs: number): boolean {
  return [...files.values()].every(({ stamp, lookedAtMs }) => lookedAtMs - stamp.modifiedAtMs >= quietMs);
}

function withChains(family: readonly Transcript[], chains: ReadonlyMap<Transcript, Chain>) {
  return family.flatMap((each) => {
    const chain = chains.get(each);
    return chain === undefined ? [] : [{ ...each, chain }];
  });
}

function addKin(
  kinship: Map<SessionId, MessageParent>,
  kin: readonly (readonly [SessionId, MessageParent])[],
): void {
  for (const [child, each] of kin) kinship.set(child, each);
}

/** A cache that cannot be written only costs time. */
function save<Row>(
  file: string,
  key: string,
  rows: ReadonlyMap<string, Row>,
  { cacheDir }: ParentOptions,
): void {
  try {
    saveRows(file, key, rows);
    removeOld(cacheDir, prefix);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
