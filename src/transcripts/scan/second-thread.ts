// The thread that scans beside the main one. It is kept for a moment: who reads the facts of many transcripts often
// reads their messages next, and a start costs as much as reading some hundred megabytes.

import type { Worker } from "node:worker_threads";
import { limits } from "../../limits.js";
import type { ScanOrder, ScanOutcome, ScanReport } from "./scan-all.js";

/** `ended` never fails: what a thread does not report, because it could not start or died, is found undone. */
export async function secondThread<T>(
  program: URL,
  order: ScanOrder<T>,
  onOutcome: (outcome: ScanOutcome<T>) => void,
): Promise<{ ended: Promise<void> }> {
  const kept = idle?.program === program.href ? idle : null;
  idle = null;
  clearTimeout(leaving);
  kept?.thread.ref();
  kept?.thread.postMessage(order);
  const thread = kept?.thread ?? (await start(program, order));
  const ended = new Promise<void>((resolve) => {
    const take = ({ outcomes, isLast }: ScanReport<T>) => {
      for (const outcome of outcomes) onOutcome(outcome);
      if (!isLast) return;
      // A kept thread gets many orders.
      thread.off("message", take).off("error", lose).off("exit", lose);
      keep({ program: program.href, thread });
      resolve();
    };
    const lose = () => resolve();
    thread.on("message", take).on("error", lose).on("exit", lose);
  });
  return { ended };
}

/** Whether a thread waits for more work of this program. */
export function isThreadKept(program: URL): boolean {
  return idle?.program === program.href;
}

let idle: { program: string; thread: Worker } | null = null;
let leaving: NodeJS.Timeout | undefined;

/** Neither the thread nor its timer keeps the command from ending. */
function keep(thread: NonNullable<typeof idle>): void {
  idle = thread;
  thread.thread.unref();
  leaving = setTimeout(() => {
    if (idle === thread) idle = null;
    void thread.thread.terminate();
  }, limits.transcriptThreadMs);
  leaving.unref();
}

async function start<T>(program: URL, workerData: ScanOrder<T>): Promise<Worker> {
  // Loaded only here: every command loads this file, and hardly any needs a thread.
  const { Worker } = await import("node:worker_threads");
  // Hardly anything it allocates survives, so a small nursery costs no time and saves tens of megabytes.
  const resourceLimits = { maxYoungGenerationSizeMb: 4 };
  const thread = new Worker(program, { workerData, resourceLimits, stdout: true, stderr: true });
  // If it dies while it waits, nobody else listens.
  thread.on("error", () => {});
  thread.on("exit", () => {
    if (idle?.thread === thread) idle = null;
  });
  return thread;
}
