// A second thread for the first look at gigabytes: it takes the next file from the same list as the main thread.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { type ScanOrder, scanShare } from "./scan-all.js";
import { type Facts, noFacts, type TranscriptParser } from "./transcript.js";

export function serveScans(parser: TranscriptParser): void {
  if (isMainThread) return;
  const { jobs, share } = workerData as ScanOrder<Facts>;
  const kind = { empty: noFacts, addLines: parser.addFacts };
  parentPort!.postMessage([...scanShare(jobs, kind, share)]);
}
