// A second thread for searching gigabytes. It goes through the same files from the other end and only reports which
// of them cannot contain the text; the main thread skips those. So the main thread alone decides the order of
// results and where the search ends.
//
// Each file is read by one of the two. The main thread reads a file that the second thread took and did not finish.

import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { spokenLines } from "../../agents/all.js";
import { limits } from "../../limits.js";
import type { Query } from "../../transcripts/search/query.js";
import { empty, type SecondOrder, taken, untaken } from "./search-from-end.js";
import type { AnySession } from "./session-list.js";

export interface SearchThread {
  /** Whether this file may contain the text. Waits while the second thread is reading it. */
  mayHold(place: number): Promise<boolean>;
  /** Resolves when the second thread has finished or died. */
  ended: Promise<void>;
  stop(): void;
}

/** Null if a thread is not worth it. */
export async function startSearchThread(
  entries: readonly AnySession[],
  { text }: Query,
  program = new URL("./search-worker.js", import.meta.url),
  fromBytes: number = limits.searchSecondBytes,
): Promise<SearchThread | null> {
  const bytes = entries.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  if (bytes < fromBytes || availableParallelism() < 2) return null;
  const { Worker } = await import("node:worker_threads");
  const states = new Int32Array(new SharedArrayBuffer(4 * entries.length));
  const files = entries.map(({ store, path, agent }) => {
    if (store !== "transcripts" || path === null) return null;
    return { path, textMembers: spokenLines(agent).textMembers };
  });
  const workerData: SecondOrder = { files, text, states };
  const thread = new Worker(program, { workerData, stdout: true, stderr: true });
  return secondOf(thread, states);
}

function secondOf(thread: Worker, states: Int32Array): SearchThread {
  let isGone = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    // A thread that could not start, or died, leaves its current file unfinished.
    thread.on("error", end).on("exit", end);
  });
  thread.unref();
  return {
    ended,
    async mayHold(place) {
      let state = Atomics.compareExchange(states, place, untaken, taken);
      if (state === untaken) return true;
      while (state === taken && !isGone) {
        await new Promise((resolve) => setTimeout(resolve, limits.searchSecondPollMs));
        state = Atomics.load(states, place);
      }
      return state !== empty;
    },
    stop: () => void thread.terminate(),
  };
}
