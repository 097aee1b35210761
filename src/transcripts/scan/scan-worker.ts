// The second thread for the first scan of gigabytes: it takes files from the same list as the main thread.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { limits } from "../../limits.js";
import type { TranscriptParser } from "../transcript.js";
import { type ScanOrder, type ScanOutcome, type ScanReport, scanKinds, scanShare } from "./scan-all.js";

export function serveScans(parser: TranscriptParser): void {
  if (isMainThread) return;
  const kinds = scanKinds(parser);
  const serve = ({ reads, jobs, share }: ScanOrder<never>) => {
    const outcomes =
      reads === "facts" ? scanShare(jobs, kinds.facts, share) : scanShare(jobs, kinds.chain, share);
    const post = (report: ScanReport<unknown>) => parentPort!.postMessage(report);
    let some: ScanOutcome<unknown>[] = [];
    let postAtMs = performance.now() + limits.transcriptStretchMs;
    for (const outcome of outcomes) {
      some.push(outcome);
      if (performance.now() < postAtMs) continue;
      post({ outcomes: some, isLast: false });
      some = [];
      postAtMs = performance.now() + limits.transcriptStretchMs;
    }
    post({ outcomes: some, isLast: true });
  };
  serve(workerData);
  parentPort!.on("message", serve);
}
