// Which conversation an agent of a team file takes over from whoever has its name in the team. Pure.
//
// [UA1] Only a file that says `running: adopt` takes anybody over: an agent of its team with the file's name and kind, that
//       no project started, in the conversation it is in. An agent that has ended is taken over in its last one.
// [UA2] An agent of the file that has a conversation of its own keeps it: nobody is taken over for it.

import type { SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import type { WantedFacts } from "./wanted.js";

/** Null where there is nobody to take over. */
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
