// The session of one pane without reading any transcript, for prompts and status lines that ask all the time.
//
// [QL1] It answers what the full look would answer, or nothing: where a transcript could correct the registry,
//       somebody has to read it.

import type { SessionId } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import type { Found, FoundFile } from "../transcripts/find.js";
import { isSince } from "./claims.js";
import { firmHolders, runningState, type SessionState, type Subject } from "./discover.js";

export interface QuickLook {
  uuid: SessionId;
  state: SessionState;
}

/** How transcripts are found by name and time alone. */
export interface Files {
  inSlug(slug: string): Found;
  ofSession(id: SessionId): Found;
}

export function quickLook(
  subject: Subject,
  all: readonly Subject[],
  files: Files,
  nowMs: number,
): QuickLook | null {
  const { live, hook, cwd, id: pane } = subject;
  if (live === null || cwd === null || (hook !== null && hook.sessionId !== live.sessionId)) return null;
  const isFree = firmHolders(all);
  const couldCorrect = ({ id, stamp }: FoundFile) =>
    id !== live.sessionId && isFree(pane, id) && (stamp.bornAtMs <= 0 || isSince(stamp.bornAtMs, subject));
  const near = files.inSlug(projectSlug(cwd));
  if (near.problems.length > 0 || near.files.some(couldCorrect)) return null;
  const own = files.ofSession(live.sessionId);
  if (own.problems.length > 0) return null;
  const written = own.files.map(({ stamp }) => stamp.modifiedAtMs);
  return {
    uuid: live.sessionId,
    state: runningState(written.length > 0 ? Math.max(...written) : null, nowMs),
  };
}
