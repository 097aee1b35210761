// What an agent that has ended was last in, where its process left no word of its own. Pure.

import type { SessionId } from "../names/gates.js";
import type { Transcript } from "../transcripts/transcript.js";
import {
  type Archive,
  bornAt,
  type Claimant,
  type IsFree,
  possibleSequels,
  provenSequel,
  titledLike,
} from "./claims.js";
import { doubt, type Evidence, evidence } from "./evidence.js";

export interface EndedAgent extends Claimant {
  /** The title of its conversation, as its last words have it. */
  saidTitle: string | null;
}

export interface Others {
  /** What was last seen with another agent. */
  isSeenWithAnother: IsFree;
  /** A running agent has it, and began it itself: one that an agent resumed may be another's. */
  isBegunElsewhere: IsFree;
  /** A process outside the panes has it by its own registry. */
  isHeldElsewhere: IsFree;
}

/** What was last seen of it is `cached`; this is what that may have become. */
export function endedEvidence(
  agent: EndedAgent,
  seen: SessionId,
  archive: Archive,
  others: Others,
): Evidence[] {
  const isFree = (id: SessionId) => !others.isBegunElsewhere(id) && !others.isSeenWithAnother(id);
  const called = archive.byId.get(seen)?.facts.title ?? agent.title;
  if (agent.saidTitle !== null && agent.saidTitle !== called)
    return ofTitle(agent.saidTitle, seen, titledLike(agent, archive, isFree));
  const last = provenSequel(seen, agent, archive, isFree);
  if (last !== seen) {
    const reason = `its records say that it follows ${seen}`;
    const isProven = agent.endedAtMs !== null && !others.isHeldElsewhere(last);
    return [isProven ? evidence("records", last, reason) : doubt("records", last, reason)];
  }
  const why = `begun by /clear since ${seen} was seen here, it may be this agent's`;
  return possibleSequels(agent, archive, isFree).map(({ id }) => doubt("records", id, why));
}

/** `starts` are those of the running agents that have it. */
export function isBegunBy(starts: readonly number[], transcript: Transcript | undefined): boolean {
  return transcript !== undefined && starts.some((startedAtMs) => bornAt(transcript) >= startedAtMs);
}

/** Its last words name another title than the session has in which it was last seen. */
function ofTitle(title: string, seen: SessionId, like: readonly Transcript[]): Evidence[] {
  const [only] = like;
  if (only !== undefined && like.length === 1)
    return [evidence("screen", only.id, `its last words name the title ${title}`)];
  const why = `its last words name the title ${title}`;
  return [...like.map(({ id }) => doubt("screen", id, why)), doubt("screen", seen, why)];
}
