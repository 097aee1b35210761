// Reads the messages of transcripts: a second pass over the few files that have relatives, never over all.
//
// Only families with at least two sessions are read: no others can share messages. Chains of families that are being
// written to are cached like the facts: a file that grew costs only its new bytes.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { fingerprint } from "../../names/fingerprint.js";
import { loadRows, type Readings, removeOld, saveRows } from "../cache.js";
import { difference, type Reading, stampOf } from "../scan/scan.js";
import { type ScanJob, scanAll, scanKinds } from "../scan/scan-all.js";
import type { Chain, MessageId, Transcript, TranscriptParser } from "../transcript.js";
import { familiesOf } from "./families.js";

export interface ChainOptions {
  cacheDir: string;
  parser: TranscriptParser;
  saveAfterBytes?: number;
  workerFromBytes?: number;
}

/** The chains of transcripts that have relatives; files that no longer exist are left out. */
export async function readChains(
  transcripts: readonly Transcript[],
  options: ChainOptions,
): Promise<ReadonlyMap<Transcript, Chain>> {
  const isShared = (family: Transcript[]) => family.some(({ id }) => id !== family[0]!.id);
  const families = familiesOf(transcripts)
    .filter(isShared)
    .map((family) => lookAt(family, options));
  const jobs = families.flatMap((family) => family.jobs);
  const { parser, workerFromBytes } = options;
  const outcomes = await scanAll(jobs, scanKinds(parser).chain, { worker: parser.worker, workerFromBytes });
  const chains = new Map<Transcript, Chain>();
  for (const family of families) {
    let bytesRead = 0;
    for (const { path } of family.jobs) {
      const scanned = outcomes.get(path)!.scanned;
      if (scanned === null) family.readings.delete(path);
      else family.readings.set(path, scanned.reading);
      bytesRead += scanned?.bytesRead ?? 0;
    }
    for (const transcript of family.members) {
      const reading = family.readings.get(transcript.path);
      if (reading !== undefined) chains.set(transcript, reading.value);
    }
    // A small family is cached too, once: otherwise it would be read at every look.
    const isMuch = family.isNew || bytesRead >= (options.saveAfterBytes ?? limits.transcriptSaveBytes);
    if (family.jobs.length > 0 && isMuch && isFresh(family.readings)) save(family, options);
  }
  return chains;
}

interface FamilyReadings {
  members: readonly Transcript[];
  file: string;
  key: string;
  readings: Readings<Chain>;
  isNew: boolean;
  /** The files whose readings are missing or old. */
  jobs: readonly ScanJob<Chain>[];
}

function lookAt(members: readonly Transcript[], { cacheDir, parser }: ChainOptions): FamilyReadings {
  const root = familyKey(members);
  const file = join(cacheDir, `${prefix}${fingerprint(root)}.json`);
  const key = `${parser.name} ${root}`;
  const readings: Readings<Chain> = loadRows(file, key);
  const isNew = readings.size === 0;
  const jobs: ScanJob<Chain>[] = [];
  for (const { path } of members) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    const before: Reading<Chain> | null = readings.get(path) ?? null;
    if (stat === undefined) readings.delete(path);
    else if (before === null || difference(before, stampOf(stat)) !== "none") {
      jobs.push({ path, sizeBytes: stat.size, before });
    }
  }
  return { members, file, key, readings, isNew, jobs };
}

/** The parents in a family that nobody writes to are cached themselves, and its messages are not needed again. */
function isFresh(readings: Readings<Chain>): boolean {
  const isRecent = ({ stamp, lookedAtMs }: Reading<Chain>) =>
    lookedAtMs - stamp.modifiedAtMs < limits.chainFreshMs;
  return [...readings.values()].some(isRecent);
}

/** The cache key of a family: it does not change when forks are added or removed. */
export function familyKey(family: readonly Transcript[]): MessageId {
  const beganAt = ({ facts }: Transcript) => facts.firstAtMs ?? Number.POSITIVE_INFINITY;
  return family.reduce((eldest, each) => (beganAt(each) < beganAt(eldest) ? each : eldest)).facts
    .rootMessage!;
}

const prefix = "chains-";

/** A cache that cannot be written only costs time: the chains themselves are known. */
function save({ file, key, readings }: FamilyReadings, { cacheDir }: ChainOptions): void {
  try {
    saveRows(file, key, readings);
    removeOld(cacheDir, prefix);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
