// Reads the messages of transcripts: a second pass over the few files that have relatives, never over all.
//
// Only families with at least two sessions are read: no others can share messages. Chains are read on demand and
// cached like the facts; a file that grew costs only its new bytes.

import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { fingerprint } from "../../names/fingerprint.js";
import { loadRows, type Readings, saveRows } from "../cache.js";
import { difference, stampOf } from "../scan/scan.js";
import { type ScanJob, scanAll } from "../scan/scan-all.js";
import {
  type Chain,
  type MessageId,
  noChain,
  type Transcript,
  type TranscriptParser,
} from "../transcript.js";
import { familiesOf } from "./families.js";

export interface ChainOptions {
  cacheDir: string;
  parser: TranscriptParser;
  saveAfterBytes?: number;
}

/** The chains of transcripts that have relatives; files that no longer exist are left out. */
export async function readChains(
  transcripts: readonly Transcript[],
  options: ChainOptions,
): Promise<ReadonlyMap<Transcript, Chain>> {
  const chains = new Map<Transcript, Chain>();
  for (const family of familiesOf(transcripts)) {
    if (family.every(({ id }) => id === family[0]!.id)) continue;
    const readings = await familyReadings(family, options);
    for (const transcript of family) {
      const reading = readings.get(transcript.path);
      if (reading !== undefined) chains.set(transcript, reading.value);
    }
  }
  return chains;
}

async function familyReadings(
  family: readonly Transcript[],
  { cacheDir, parser, saveAfterBytes = limits.transcriptSaveBytes }: ChainOptions,
): Promise<Readings<Chain>> {
  const root = familyKey(family);
  const file = join(cacheDir, `${prefix}${fingerprint(root)}.json`);
  const key = `${parser.name} ${root}`;
  const readings: Readings<Chain> = loadRows(file, key);
  const isNew = readings.size === 0;
  const jobs: ScanJob<Chain>[] = [];
  for (const { path } of family) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    const before = readings.get(path) ?? null;
    if (stat === undefined) readings.delete(path);
    else if (before === null || difference(before, stampOf(stat)) !== "none") {
      jobs.push({ path, sizeBytes: stat.size, before });
    }
  }
  let bytesRead = 0;
  for (const { path, scanned } of (
    await scanAll(jobs, { empty: noChain, addLines: parser.addChain })
  ).values()) {
    if (scanned === null) readings.delete(path);
    else readings.set(path, scanned.reading);
    bytesRead += scanned?.bytesRead ?? 0;
  }
  // A small family is cached too, once: otherwise it would be read at every look.
  if (jobs.length > 0 && (isNew || bytesRead >= saveAfterBytes)) save(cacheDir, file, key, readings);
  return readings;
}

/** The cache key of a family: it does not change when forks are added or removed. */
export function familyKey(family: readonly Transcript[]): MessageId {
  const beganAt = ({ facts }: Transcript) => facts.firstAtMs ?? Number.POSITIVE_INFINITY;
  return family.reduce((eldest, each) => (beganAt(each) < beganAt(eldest) ? each : eldest)).facts
    .rootMessage!;
}

const prefix = "chains-";

/** A cache that cannot be written only costs time: the chains themselves are known. */
function save(cacheDir: string, file: string, key: string, readings: Readings<Chain>): void {
  try {
    saveRows(file, key, readings);
    const oldest = Date.now() - limits.transcriptChainDays * 24 * 3600 * 1000;
    for (const name of readdirSync(cacheDir)) {
      const path = join(cacheDir, name);
      if (name.startsWith(prefix) && lstatSync(path).mtimeMs < oldest) unlinkSync(path);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
