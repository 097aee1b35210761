// A second thread for a search through gigabytes. It goes through the same files from the other end and tells only which
// of them cannot hold the text: those the first one passes over. So the order of results, and where a search ends, stay
// the first one's alone.
//
// [SHP1] Every file is looked at by one of the two. One that the second thread took and did not finish, the first does.

import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { textMembers } from "../agents/claude/said.js";
import { limits } from "../limits.js";
import { newBlock } from "../transcripts/scan.js";
import { searchFile } from "../transcripts/search.js";
import { openQuery, type Query } from "../transcripts/search-query.js";
import type { AnySession } from "./session-list.js";

export interface Second {
  /** Whether there is anything to find in this file. Waits where the other thread is just at it. */
  mayHold(place: number): Promise<boolean>;
  /** When the other thread has done its part, or died. */
  ended: Promise<void>;
  stop(): void;
}

/** What the second thread is started with. */
export interface SecondOrder {
  /** Null where there is nothing for it to read. */
  paths: readonly (string | null)[];
  text: string;
  states: Int32Array;
}

const [untaken, taken, empty, promising] = [0, 1, 2, 3];

/** Null where it is not worth a thread. */
export async function startSecond(
  entries: readonly AnySession[],
  { text }: Query,
  program = new URL("./search-worker.js", import.meta.url),
  fromBytes: number = limits.searchSecondBytes,
): Promise<Second | null> {
  const bytes = entries.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  if (bytes < fromBytes || availableParallelism() < 2) return null;
  const { Worker } = await import("node:worker_threads");
  const states = new Int32Array(new SharedArrayBuffer(4 * entries.length));
  const paths = entries.map(({ store, path }) => (store === "transcripts" ? path : null));
  const workerData: SecondOrder = { paths, text, states };
  const thread = new Worker(program, { workerData, stdout: true, stderr: true });
  return secondOf(thread, states);
}

function secondOf(thread: Worker, states: Int32Array): Second {
  let isGone = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    // A thread that could not start, or died, leaves what it had begun.
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

/** The second thread's part: from the last file to the first that somebody took. */
export function searchFromEnd({ paths, text, states }: SecondOrder): void {
  const query = openQuery(text);
  const block = newBlock();
  for (let place = paths.length - 1; place >= 0; place--) {
    const path = paths[place] ?? null;
    if (path === null) continue;
    if (Atomics.compareExchange(states, place, untaken, taken) !== untaken) return;
    let isPromising = false;
    const onLine = () => {
      isPromising = true;
      return false;
    };
    try {
      isPromising = searchFile(path, { query, textMembers, onLine }, block) > 0 || isPromising;
    } catch {
      // Whoever reads it for its text tells what is wrong with it, as with lines that are too long.
      isPromising = true;
    }
    Atomics.store(states, place, isPromising ? promising : empty);
  }
}
