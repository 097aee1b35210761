// The session of one pane without reading any transcript, for prompts and status lines that ask all the time.
//
// [QL1] It answers what the full look would answer, or nothing: where no registry speaks, or a session has several
//       files, somebody has to read.

import type { SessionId } from "../names/gates.js";
import type { Found } from "../transcripts/find.js";
import { runningState, type SessionState, type Subject } from "./discover.js";

export interface QuickLook {
  uuid: SessionId;
  state: SessionState;
}

export function quickLook(
  { live, hook }: Pick<Subject, "live" | "hook">,
  /** Its transcripts, by name and time alone. */
  filesOf: (id: SessionId) => Found,
  nowMs: number,
): QuickLook | null {
  if (live === null || (hook !== null && hook.sessionId !== live.sessionId)) return null;
  const own = filesOf(live.sessionId);
  // Of several files only their records tell which one is the pane's.
  if (own.problems.length > 0 || own.files.length > 1) return null;
  const writtenAtMs = own.files[0]?.stamp.modifiedAtMs ?? null;
  return { uuid: live.sessionId, state: runningState(writtenAtMs, nowMs) };
}
