// The beginning of the list of sessions while transcripts are still being read. Pure.
//
// A list is ordered by the times of the files, which are known before any of them is read. So the newest transcripts
// have their place as soon as all newer ones are read, and what was read of them is final.

import type { SessionId } from "../names/gates.js";
import type { FoundFile } from "./find.js";
import type { Transcript } from "./transcript.js";

export function newestFirst<File extends FoundFile>(files: readonly File[]): File[] {
  return files.toSorted((a, b) => b.stamp.modifiedAtMs - a.stamp.modifiedAtMs);
}

/** `read` returns null for a file that could not be read, undefined for one that is not read yet. */
export function* newestRead<File extends FoundFile>(
  newest: readonly File[],
  read: (file: File) => Transcript | null | undefined,
): Generator<Transcript> {
  const seen = new Set<SessionId>();
  for (const file of newest) {
    const transcript = read(file);
    if (transcript === undefined) return;
    if (transcript === null || seen.has(transcript.id)) continue;
    seen.add(transcript.id);
    yield transcript;
  }
}
