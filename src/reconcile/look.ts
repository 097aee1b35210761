// A look at everything: what is live beside what is stored, and what is wrong between them. Writes nothing.

import { statSync } from "node:fs";
import { join } from "node:path";
import { heldSessions } from "../fleet/holders.js";
import type { SessionId, TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import { audit } from "./audit.js";
import { type BrokenSession, brokenSessions } from "./broken.js";
import { type Facts, factsOf } from "./facts.js";
import { planRepairs, type Repair } from "./plan.js";
import { readStored } from "./stored.js";
import type { Violation } from "./violation.js";
import type { ReconcileWorld } from "./world.js";

export interface Look {
  takenAtMs: number;
  facts: Facts;
  violations: readonly Violation[];
  repairs: readonly Repair[];
  /** What Stage 4 is about. */
  broken: readonly BrokenSession[];
}

export async function lookAt(world: ReconcileWorld, only: TeamName | null): Promise<Look> {
  const fleet = await world.observe();
  const stored = readStored(world.stores, world.recordedParent, world.say);
  const folders = world.folders(fleet);
  let held: ReadonlySet<SessionId> | null = null;
  // Only what has no transcript makes anybody ask.
  const isHeld = (session: SessionId) => {
    held ??= heldSessions(fleet, { folders });
    return held.has(session);
  };
  const isSearchable = canSearch(world.stores, folders);
  const seen = factsOf(fleet, stored, { only, hostName: world.hostName, isHeld, isSearchable });
  const facts = { ...seen, shown: claimed(seen, await world.shownByViewer()) };
  const violations = audit(facts);
  return {
    takenAtMs: fleet.takenAtMs,
    facts,
    violations,
    repairs: planRepairs(violations, facts),
    broken: brokenSessions(facts),
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

/** A client that never ran here, or a folder that is not mounted, says nothing about its conversations. */
function canSearch({ accounts }: Stores, folders: readonly string[]): boolean {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const known = accounts.read().rows.map(({ folder }) => folder);
  return known.every(isFolder) && folders.some((folder) => isFolder(join(folder, "projects")));
}
