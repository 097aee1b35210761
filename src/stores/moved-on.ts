// An agent of a team file that goes on in another session than the one its name gives: written down, so that it is
// resumed there.
//
// [UM1] Only a change away from the very session that the agent had counts: another agent of that role is none of its.
// [UM2] One that is back in the session of its name has not moved.

import type { PaneAddress, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { MovedRow } from "./moved.js";
import type { Stores } from "./stores.js";

export interface SessionChange {
  pane: PaneAddress;
  old: SessionId | null;
  new: SessionId;
}

export async function followMovedOn(
  { roles, projects, moved }: Pick<Stores, "roles" | "projects" | "moved">,
  change: SessionChange,
): Promise<void> {
  const agent = roles.read().rows.find(({ pane }) => pane === change.pane)?.role;
  const known = agent === undefined ? [] : projects.read().rows;
  if (agent === undefined || known.length === 0) return;
  await moved.update((rows) =>
    known.reduce((all, { project }) => movedOn(all, { project, agent, uuid: change.new }, change.old), rows),
  );
}

/** The rows afterwards; the same where the agent was not in `old`. */
export function movedOn(
  rows: readonly MovedRow[],
  now: MovedRow,
  old: SessionId | null,
): readonly MovedRow[] {
  const { project, agent } = now;
  const derived = deriveSessionId(project, agent);
  const known = rows.find((row) => row.project === project && row.agent === agent);
  if ((known?.uuid ?? derived) !== old) return rows;
  const others = rows.filter((row) => row !== known);
  return now.uuid === derived ? others : [...others, now];
}
