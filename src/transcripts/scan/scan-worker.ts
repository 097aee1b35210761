// The second thread for the first scan of gigabytes: it takes files from the same list as the main thread.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { type Facts, noFacts, type TranscriptParser } from "../transcript.js";
import { type ScanOrder, scanShare } from "./scan-all.js";

export function serveScans(parser: TranscriptParser): void {
  if (isMainThread) return;
  const { jobs, share } = workerData as ScanOrder<Facts>;
  const kind = { empty: noFacts, addLines: parser.addFacts };
  parentPort!.postMessage([...scanShare(jobs, kind, share)]);
}
