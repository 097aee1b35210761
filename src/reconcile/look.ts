// A look at everything: what is live beside what is stored, and what is wrong between them. Writes nothing.

import { heldSessions } from "../fleet/holders.js";
import type { SessionId, TeamName } from "../names/gates.js";
import { audit } from "./audit.js";
import { type BrokenSession, brokenInPanes, brokenSessions } from "./broken.js";
import { type Facts, factsOf } from "./facts.js";
import { planRepairs, type Repair } from "./plan.js";
import { unsearched } from "./searched.js";
import { readStored } from "./stored.js";
import type { Violation } from "./violation.js";
import type { ReconcileWorld } from "./world.js";

export interface Look {
  /** By the clock that nobody can set. */
  begunMs: number;
  facts: Facts;
  violations: readonly Violation[];
  repairs: readonly Repair[];
  /** What Stage 4 is about. */
  broken: readonly BrokenSession[];
  /** What a refresh calls broken, and Stage 4 leaves: it may come back. */
  spared: readonly BrokenSession[];
  /** What it would be about, did no folder lie away that may have their transcripts. */
  hidden: readonly BrokenSession[];
}

export interface LookOptions {
  /** A team that was there when it was asked for may be removed by now. */
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
  // Only what has no transcript makes anybody ask.
  const isHeld = (session: SessionId) => {
    held ??= heldSessions(fleet, { folders });
    return held.has(session);
  };
  const known = world.stores.accounts.read().rows.map(({ folder }) => folder);
  const away = unsearched(folders, known);
  const options = { only, hostName: world.hostName, isHeld, unsearched: away, mayBeGone };
  const seen = factsOf(fleet, stored, options);
  const facts = { ...seen, viewer: notFollowed(seen, await world.viewerDifferences()) };
  const violations = audit(facts);
  const broken = brokenSessions(facts);
  const isDropped = ({ pane }: BrokenSession) => broken.some((each) => each.pane === pane);
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

/** A window whose team was renamed shows the same team still. */
function notFollowed({ only, moves }: Facts, differences: Facts["viewer"]): Facts["viewer"] {
  const isRenamed = ({ team, actual }: Facts["viewer"][number]) =>
    moves.some((event) => event.name === "team.renamed" && event.old === team && event.new === actual);
  return differences.filter((each) => (only === null || each.team === only) && !isRenamed(each));
}
