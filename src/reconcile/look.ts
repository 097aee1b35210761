// A look at everything: the live state, the stored state, and the violations between them. Writes nothing.

import { foldersOfClaude } from "../fleet/folders.js";
import { heldSessions } from "../fleet/identity/holders.js";
import type { SessionId, TeamName } from "../names/gates.js";
import { audit, planRepairs, type Repair } from "./audit.js";
import { type BrokenSession, brokenInPanes, brokenSessions } from "./broken.js";
import { type Facts, factsOf } from "./facts.js";

import { unsearched } from "./searched.js";
import { readStored } from "./stored.js";
import type { Violation } from "./violation.js";
import type { ReconcileWorld } from "./world.js";

export interface Look {
  /** By the monotonic clock. */
  begunMs: number;
  facts: Facts;
  violations: readonly Violation[];
  repairs: readonly Repair[];
  /** The sessions that Stage 4 drops. */
  broken: readonly BrokenSession[];
  /** Sessions that a refresh calls broken but Stage 4 leaves, because they may come back. */
  spared: readonly BrokenSession[];
  /** The sessions that Stage 4 would drop if no folder that may have their transcripts were missing. */
  hidden: readonly BrokenSession[];
}

export interface LookOptions {
  /** A team that existed when it was given may have been removed since. */
  mayBeGone: boolean;
}

export async function lookAt(
  world: ReconcileWorld,
  only: TeamName | null,
  { mayBeGone }: LookOptions = { mayBeGone: false },
): Promise<Look> {
  const begunMs = performance.now();
  const fleet = await world.observe();
  const stored = readStored(world.stores, world.recordedParent, world.say);
  const folders = world.folders(fleet);
  let held: ReadonlySet<SessionId> | null = null;
  // Asked only for sessions without a transcript.
  const isHeld = (session: SessionId) => {
    held ??= heldSessions(fleet, { folders });
    return held.has(session);
  };
  const known = foldersOfClaude(world.stores.accounts.read().rows);
  const away = unsearched(foldersOfClaude(folders), known);
  const options = { only, hostName: world.hostName, isHeld, unsearched: away, mayBeGone };
  const seen = factsOf(fleet, stored, options);
  const facts = { ...seen, viewer: notFollowed(seen, await world.viewerDifferences()) };
  const violations = audit(facts);
  const broken = brokenSessions(facts);
  const isDropped = ({ uuid }: BrokenSession) => broken.some((each) => each.uuid === uuid);
  return {
    begunMs,
    facts,
    violations,
    repairs: planRepairs(violations, facts),
    broken,
    spared: brokenInPanes(facts).filter((each) => !isDropped(each)),
    hidden: away.length === 0 ? [] : brokenSessions({ ...facts, unsearched: [] }),
  };
}

/** A window of a renamed team still shows the same team. */
function notFollowed({ only, fleet }: Facts, differences: Facts["viewer"]): Facts["viewer"] {
  const isRenamed = ({ team, actual }: Facts["viewer"][number]) =>
    fleet.roster.renamed.some(({ from, to }) => from === team && to === actual);
  return differences.filter((each) => (only === null || each.team === only) && !isRenamed(each));
}
