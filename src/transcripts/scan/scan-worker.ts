// The second thread for the first scan of gigabytes: it takes files from the same list as the main thread.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { TranscriptParser } from "../transcript.js";
import { type ScanOrder, scanKinds, scanShare } from "./scan-all.js";

export function serveScans(parser: TranscriptParser): void {
  if (isMainThread) return;
  const kinds = scanKinds(parser);
  const serve = ({ reads, jobs, share }: ScanOrder<never>) => {
    const outcomes =
      reads === "facts" ? scanShare(jobs, kinds.facts, share) : scanShare(jobs, kinds.chain, share);
    parentPort!.postMessage([...outcomes]);
  };
  serve(workerData);
  parentPort!.on("message", serve);
}
