// Which transcripts a look at the panes needs at all. Most fleets need a few of thousands: the registry says which
// session is in a pane, and only its title and its age come from the transcript. Pure.
//
// [WS8] A look at the transcripts of these sessions alone gives every pane the same answer as a look at all of them.

import type { SessionId } from "../../names/gates.js";
import { firmEvidence, isRunning, type Subject } from "./discover.js";

/** Null if any transcript could decide: one is searched by its title, or by what its records say. */
export function decidingSessions(subjects: readonly Subject[]): ReadonlySet<SessionId> | null {
  const needed = new Set<SessionId>();
  for (const subject of subjects) {
    const found = firmEvidence(subject);
    if (isSearching(subject, found[0]?.source)) return null;
    for (const { uuid } of found) needed.add(uuid);
    if (subject.cached !== null) needed.add(subject.cached);
  }
  return needed;
}

/** An agent that runs may have moved on from its arguments. For an ended one its last session may have a sequel. */
function isSearching(subject: Subject, strongest: string | undefined): boolean {
  if (isRunning(subject)) return strongest === undefined || strongest === "args";
  return strongest === undefined && (subject.cached !== null || subject.title !== null);
}
