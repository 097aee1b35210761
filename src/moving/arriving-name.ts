// What a team that comes from another host is called here. Pure.
//
// [ARN1] A team that is free here keeps its name; one that is taken becomes `<host>_<team>`.
// [ARN2] A name is not taken by the team itself: where an earlier run brought it, the next one goes on; where it stands
//        here without running, and is what the arriving conversations come from, they go on in its place.
// [ARN3] Where both names are taken it is refused; nothing is ever mixed into another team.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { type Host, type SessionId, type TeamName, teamName } from "../names/gates.js";

/** What is here of a name. */
export interface Standing {
  isRunning: boolean;
  isRegistered: boolean;
  /** Of its panes and rows. */
  sessions: readonly SessionId[];
  /** It has panes that were kept open for agents, or whose agents ended. */
  isWaiting: boolean;
}

export interface Kinship {
  arriving: ReadonlySet<SessionId>;
  /** What is known of both hosts. */
  parentOf(session: SessionId): SessionId | null;
}

export function arrivingName(
  team: TeamName,
  host: Host,
  standing: (name: TeamName) => Standing,
  kinship: Kinship,
): TeamName {
  const isOpen = (name: TeamName) => isFree(standing(name), kinship);
  if (isOpen(team)) return team;
  const longer = withHost(host, team);
  if (isOpen(longer)) return longer;
  throw new HiveError(`there are other teams ${team} and ${longer} here already`, {
    hint: `give one of them another name: hivemind team rename ${longer} NEW`,
  });
}

function isFree({ isRunning, isRegistered, sessions, isWaiting }: Standing, kinship: Kinship): boolean {
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
