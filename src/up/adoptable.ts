// Which conversation an agent of a team file takes over from the agent with its name in the team. Pure.
//
// - Only a file with `running: adopt` takes over agents: an agent of its team with the same name and kind that no
//   project started, with its current conversation.
// - An ended agent is taken over with its last conversation.
// - An agent of the file that has its own conversation keeps it, and takes over nothing.

import type { SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import type { WantedFacts } from "./wanted.js";

/** Null if there is nothing to take over. */
export function adoptable(file: TeamFile, agent: WantedAgent, facts: WantedFacts): SessionId | null {
  if (!file.adopts || agent.kind === "shell") return null;
  const seat = facts.seats.of(agent.id);
  if (seat === null || seat.launch !== null || seat.otherProject !== null) return null;
  const { pane, isRunning } = seat;
  const isIt = isRunning ? pane.kind === agent.kind : pane.dead;
  if (!isIt || pane.sessionName !== file.team || hasOwn(file, agent, facts)) return null;
  const found = facts.fleet.sessions.get(pane.id);
  const isKnown = found !== undefined && found.state !== "unknown" && found.state !== "broken";
  return isKnown ? found.uuid : null;
}

function hasOwn({ project }: TeamFile, { id }: WantedAgent, { moved, fleet }: WantedFacts): boolean {
  const isMoved = moved.some((row) => row.project === project && row.agent === id);
  return isMoved || fleet.index.byId.has(deriveSessionId(project, id));
}
