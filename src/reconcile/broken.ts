// Stage 4: sessions that nothing can open any more. Pure.
//
// [BR1] A row of S2 is broken when its transcript is nowhere and no live process holds its session, in a running team.
// [BR2] One of a pane where an agent runs whose session is not known is left: it may be that very session.
// [BR3] One that never said a word and can be forked from its parent again is left.
// [BR4] While a folder that transcripts may lie in is not there to be searched, nothing is broken.

import type { PaneAddress, SessionId } from "../names/gates.js";
import { type Facts, isAudited } from "./facts.js";
import { canComeBack } from "./invariants.js";

export interface BrokenSession {
  pane: PaneAddress;
  uuid: SessionId;
}

export function brokenSessions(facts: Facts): BrokenSession[] {
  return [...facts.sessions]
    .filter(([pane, uuid]) => isAudited(facts, pane) && !isRunning(facts, pane) && !canComeBack(facts, uuid))
    .map(([pane, uuid]) => ({ pane, uuid }));
}

/** What a running agent is in is settled by the other invariants. */
function isRunning({ places }: Facts, address: PaneAddress): boolean {
  const pane = places.get(address);
  return pane === undefined || pane.process !== null;
}
