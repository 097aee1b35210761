// In which folder Claude Code finds a transcript: it looks only under the slug of its start folder. Pure.
//
// Two folders may share a slug: the folder in the records decides, if it has that slug.

import { basename, dirname } from "node:path";
import { projectSlug } from "../../../names/slug.js";
import type { Transcript } from "../../../transcripts/transcript.js";

/** Null if the records do not have it. */
export function workFolderOf({ path, facts }: Pick<Transcript, "path" | "facts">): string | null {
  const slug = basename(dirname(path));
  return [facts.firstCwd, facts.lastCwd].find((cwd) => cwd !== null && projectSlug(cwd) === slug) ?? null;
}

export function isFoundFrom(transcript: Pick<Transcript, "path" | "facts">, realCwd: string): boolean {
  if (basename(dirname(transcript.path)) !== projectSlug(realCwd)) return false;
  // Records from another machine name folders of that machine.
  return (workFolderOf(transcript) ?? realCwd) === realCwd;
}
