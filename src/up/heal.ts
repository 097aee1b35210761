// One crashed agent comes back as its team file says now.

import { HiveError } from "../base/errors.js";
import type { Role, TeamName } from "../names/gates.js";
import type { TeamWorld } from "../teams/world.js";
import { bringUp, type UpOutcome } from "./up.js";
import { writtenProject } from "./written.js";

export interface HealWorld {
  world: TeamWorld;
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
}

/** Tried once: whoever calls again rests in between. Null where the file does not want it back. */
export async function healAgent(
  { world, whileChanging }: HealWorld,
  project: string,
  agent: Role,
): Promise<UpOutcome | null> {
  const file = writtenProject(world, project);
  const wanted = file.agents.find(({ id }) => id === agent);
  if (wanted?.restart !== "on-crash") return null;
  const how = { mode: "up", isFresh: false, isBroadAllowed: true, own: null, rounds: 1 } as const;
  const outcome = await whileChanging(file.team, () => bringUp(world, file, new Set([agent]), how));
  const refused = outcome.plan.steps.find((step) => step.do === "refuse");
  const failure = outcome.failed[0] ?? refused;
  if (failure !== undefined) throw new HiveError(`${agent}: ${failure.why}`);
  return outcome;
}
