// A look at everything: what is live beside what is stored, and what is wrong between them. Writes nothing.

import { heldSessions } from "../fleet/holders.js";
import type { SessionId, TeamName } from "../names/gates.js";
import { audit } from "./audit.js";
import { type BrokenSession, brokenSessions } from "./broken.js";
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
  /** What it would be about, did no folder lie away that may have their transcripts. */
  hidden: readonly BrokenSession[];
}

export async function lookAt(world: ReconcileWorld, only: TeamName | null): Promise<Look> {
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
  const seen = factsOf(fleet, stored, { only, hostName: world.hostName, isHeld, unsearched: away });
  const facts = { ...seen, shown: claimed(seen, await world.shownByViewer()) };
  const violations = audit(facts);
  return {
    begunMs,
    facts,
    violations,
    repairs: planRepairs(violations, facts),
    broken: brokenSessions(facts),
    hidden: away.length === 0 ? [] : brokenSessions({ ...facts, unsearched: [] }),
  };
}

/** A window whose team was renamed shows the same team still. */
function claimed({ only, moves }: Facts, shown: Facts["shown"]): Facts["shown"] {
  if (shown === null || (only !== null && shown.named !== only)) return null;
  const isRenamed = moves.some(
    (event) => event.name === "team.renamed" && event.old === shown.named && event.new === shown.shows,
  );
  return isRenamed ? null : shown;
}
