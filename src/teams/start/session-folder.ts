// In which folder a conversation can be opened. Pure.
//
// - A session is resumed or forked in a folder where its client finds it. Anywhere else it is refused, and the error
//   names the right folder.
// - An id with a transcript anywhere is not created again: the client would start a second file with it.
// - A transcript is opened with the config folder it lies in.

import { formatOf } from "../../agents/all.js";
import type { SessionStart } from "../../agents/launch.js";
import { HiveError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import type { SessionId } from "../../names/gates.js";
import type { Index } from "../../transcripts/index.js";
import type { Transcript } from "../../transcripts/transcript.js";

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
  if (here !== undefined) return here.folder;
  if (written[0] === undefined) {
    throw new HiveError(`session ${wanted} has no transcript: there is nothing to ${session.how}`, {
      hint: "see what there is: hivemind sessions --all",
    });
  }
  const home = workFolderOf(written[0]);
  throw new HiveError(`session ${wanted} belongs to ${home ?? written[0].path}, not to ${realCwd}`, {
    hint: home === null ? "start it in its original folder" : `start it there: --cwd ${shellWord(home)}`,
  });
}

/** The folder in which the client continues it; null if its records do not tell. */
export function workFolderOf(transcript: Pick<Transcript, "kind" | "path" | "facts">): string | null {
  return formatOf(transcript.kind).workFolderOf(transcript);
}

/** Whether a client started in this folder finds the transcript. */
export function isOf(transcript: Transcript, realCwd: string): boolean {
  return formatOf(transcript.kind).isFoundFrom(transcript, realCwd);
}

function refuseWritten(id: SessionId, { byId }: Pick<Index, "byId">): void {
  const [written] = byId.get(id) ?? [];
  if (written === undefined) return;
  throw new HiveError(`session ${id} has a transcript already: ${written.path}`, {
    hint: "resume it, or choose another id",
  });
}
