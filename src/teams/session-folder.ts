// In which folder a conversation can be taken up: the client looks only under the slug of the folder it is started in. Pure.
//
// [TSF1] A session is resumed, and forked from, in the folder its transcript belongs to; anywhere else it is refused, and
//       that folder is named.
// [TSF2] Folders that share a slug are still two: what the records say decides, where they speak of that slug.
// [TSF3] An id that has a transcript anywhere is not created again: the client would begin a second file of it.
// [TSF4] A transcript is taken up with the config folder it lies in.

import { basename, dirname } from "node:path";
import type { SessionStart } from "../agents/agent.js";
import { HiveError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { SessionId } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import type { Index } from "../transcripts/index.js";
import type { Transcript } from "../transcripts/transcript.js";

/** The config folder to start with; null for the standard one. `realCwd` has its links resolved. */
export function configFolderFor(
  session: SessionStart,
  realCwd: string,
  index: Pick<Index, "byId">,
): string | null {
  if (session.how !== "resume") refuseWritten(session.id, index);
  if (session.how === "create") return null;
  const wanted = session.how === "resume" ? session.id : session.parent;
  const written = index.byId.get(wanted) ?? [];
  const here = written.find((transcript) => isOf(transcript, realCwd));
  if (here !== undefined) return dirname(dirname(dirname(here.path)));
  if (written[0] === undefined) {
    throw new HiveError(`session ${wanted} has no transcript: there is nothing to ${session.how}`, {
      hint: "see what there is: hivemind sessions --all",
    });
  }
  const home = workFolderOf(written[0]);
  throw new HiveError(`session ${wanted} belongs to ${home ?? written[0].path}, not to ${realCwd}`, {
    hint:
      home === null ? "start it in the folder it was held in" : `start it there: --cwd ${shellWord(home)}`,
  });
}

/** The folder that the client must be started in to find this transcript; null when the records do not name it. */
export function workFolderOf({ path, facts }: Pick<Transcript, "path" | "facts">): string | null {
  const slug = basename(dirname(path));
  return [facts.firstCwd, facts.lastCwd].find((cwd) => cwd !== null && projectSlug(cwd) === slug) ?? null;
}

/** Whether a client that is started in this folder finds it. */
export function isOf(transcript: Transcript, realCwd: string): boolean {
  if (basename(dirname(transcript.path)) !== projectSlug(realCwd)) return false;
  // Records that came from another machine name folders of that machine.
  return (workFolderOf(transcript) ?? realCwd) === realCwd;
}

function refuseWritten(id: SessionId, { byId }: Pick<Index, "byId">): void {
  const [written] = byId.get(id) ?? [];
  if (written === undefined) return;
  throw new HiveError(`session ${id} has a transcript already: ${written.path}`, {
    hint: "resume it, or choose another id",
  });
}
