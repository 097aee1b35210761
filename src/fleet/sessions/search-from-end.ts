// The second thread's part of a search: from the last file back to the first one already taken.

import { newBlock } from "../../transcripts/scan/scan.js";
import { openQuery } from "../../transcripts/search/query.js";
import { searchFile } from "../../transcripts/search/search.js";

/** The start data of the second thread. */
export interface SecondOrder {
  /** Null entries are not for the second thread. */
  files: readonly (SearchedFile | null)[];
  text: string;
  states: Int32Array;
}

interface SearchedFile {
  path: string;
  textMembers: readonly string[];
}

/** The state of a file, shared by both threads. */
export const [untaken, taken, empty, promising] = [0, 1, 2, 3];

export function searchFromEnd({ files, text, states }: SecondOrder): void {
  const query = openQuery(text);
  const block = newBlock();
  for (let place = files.length - 1; place >= 0; place--) {
    const file = files[place] ?? null;
    if (file === null) continue;
    const { path, textMembers } = file;
    if (Atomics.compareExchange(states, place, untaken, taken) !== untaken) return;
    let isPromising = false;
    const onLine = () => {
      isPromising = true;
      return false;
    };
    try {
      isPromising = searchFile(path, { query, textMembers, onLine }, block) > 0 || isPromising;
    } catch {
      // The main thread reads it again and reports the problem, also for lines that are too long.
      isPromising = true;
    }
    Atomics.store(states, place, isPromising ? promising : empty);
  }
}
