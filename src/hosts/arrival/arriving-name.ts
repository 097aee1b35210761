// The name that a team from another host gets here. Pure.
//
// - A team keeps its name if the name is free; otherwise it becomes `<host>_<team>`.
// - A name is free for the same team: an earlier run brought it, or a team that does not run here has the parents of
//   the arriving conversations.
// - If both names are in use, the arrival is refused. Teams are never mixed.

import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { type Host, type SessionId, type TeamName, teamName } from "../../names/gates.js";

/** What exists here under a name. */
export interface Standing {
  isRunning: boolean;
  /** It is registered, or has away agents. */
  isRegistered: boolean;
  /** The sessions of its panes and agents. */
  sessions: readonly SessionId[];
  /** It has panes kept open for agents, or with ended agents. */
  isWaiting: boolean;
}

export interface SessionParents {
  arriving: ReadonlySet<SessionId>;
  /** From the lineage of both hosts. */
  parentOf(session: SessionId): SessionId | null;
}

export function arrivingName(
  team: TeamName,
  host: Host,
  standing: (name: TeamName) => Standing,
  kinship: SessionParents,
): TeamName {
  const isOpen = (name: TeamName) => isFree(standing(name), kinship);
  if (isOpen(team)) return team;
  const longer = withHost(host, team);
  if (isOpen(longer)) return longer;
  throw new HiveError(`${team} and ${longer} are both names of other teams here`, {
    hint: `rename one of them: hivemind team rename ${longer} NEW`,
  });
}

function isFree(
  { isRunning, isRegistered, sessions, isWaiting }: Standing,
  kinship: SessionParents,
): boolean {
  if (!isRunning && !isRegistered) return true;
  const { arriving, parentOf } = kinship;
  const isBrought = (session: SessionId) => arriving.has(session) || arriving.has(parentOf(session)!);
  if (sessions.some(isBrought)) return true;
  if (isRunning) return sessions.length === 0 && isWaiting;
  const origins = new Set([...arriving].map(parentOf));
  return sessions.length === 0 || sessions.some((session) => origins.has(session));
}

/** A host may have dots, a team may not. */
function withHost(host: Host, team: TeamName): TeamName {
  const front = host.replaceAll(".", "_").slice(0, Math.max(0, limits.teamNameLength - team.length - 1));
  return teamName(front === "" ? `${team.slice(0, -1)}_` : `${front}_${team}`);
}
