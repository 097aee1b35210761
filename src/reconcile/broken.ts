// Stage 4: sessions that nothing can open any more. Pure.
//
// [BR1] A row of S2 is broken when its transcript is nowhere and no live process holds its session: in a running team, also
//       where its pane is gone, and in a team that neither runs nor can come back.
// [BR2] One of a pane where an agent runs whose session is not known is left: it may be that very session.
// [BR3] One that never said a word and can be forked from its parent again is left.
// [BR4] While a folder that transcripts may lie in is not there to be searched, nothing is broken.
// [BR5] Without a tmux server no team is known to be gone.

import { tmuxSessionOf } from "../fleet/shifts.js";
import type { PaneAddress, SessionId, TeamName } from "../names/gates.js";
import { type Facts, isAudited } from "./facts.js";
import { canComeBack, isRestorable } from "./invariants.js";

export interface BrokenSession {
  pane: PaneAddress;
  uuid: SessionId;
}

export function brokenSessions(facts: Facts): BrokenSession[] {
  return [...facts.sessions]
    .filter(([pane, uuid]) => isDead(facts, pane) && !canComeBack(facts, uuid))
    .map(([pane, uuid]) => ({ pane, uuid }));
}

/** What a refresh counts as broken; a silent fork of a session that is there is among them. */
export function brokenInPanes({ fleet, teams }: Facts): BrokenSession[] {
  return fleet.panes.flatMap(({ id, address, sessionName }) => {
    const { uuid, state } = fleet.sessions.get(id)!;
    return teams.has(sessionName) && state === "broken" && uuid !== null ? { pane: address, uuid } : [];
  });
}

/** Whether the row's own pane, or its whole team, is not there any more. */
export function isGonePlace(facts: Facts, address: PaneAddress): boolean {
  if (isAudited(facts, address)) return facts.gone.has(address);
  const team = tmuxSessionOf(address);
  const isAsked = facts.only === null || facts.only === team;
  if (!isAsked || facts.running.has(team) || facts.fleet.server === null) return false;
  return !isRestorable(facts, team as TeamName) && !facts.stored.isBlind();
}

/** What a running agent is in is settled by the other invariants. */
function isDead(facts: Facts, address: PaneAddress): boolean {
  const pane = facts.places.get(address);
  if (isGonePlace(facts, address)) return true;
  return isAudited(facts, address) && pane !== undefined && pane.process === null;
}
