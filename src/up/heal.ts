// One crashed agent comes back as its team file says now.
//
// [UH4] It is looked at again once nobody else changes the team: back comes only who still lies crashed in its pane of that
//       team. Whoever was ended, moved or brought back meanwhile was so by somebody's will.

import { HiveError } from "../base/errors.js";
import { activityOf } from "../fleet/activity.js";
import type { Role, TeamName } from "../names/gates.js";
import type { TeamWorld } from "../teams/world.js";
import { lookAt } from "./look.js";
import { bringUp, type UpOutcome } from "./up.js";
import { writtenProject } from "./written.js";

export interface HealWorld {
  world: TeamWorld;
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
}

/** Tried once: whoever calls again rests in between. Null where it is not to come back. */
export async function healAgent(
  { world, whileChanging }: HealWorld,
  project: string,
  agent: Role,
): Promise<UpOutcome | null> {
  const file = writtenProject(world, project);
  const wanted = file.agents.find(({ id }) => id === agent);
  if (wanted?.restart !== "on-crash") return null;
  const how = { mode: "up", isFresh: false, isBroadAllowed: true, own: null, rounds: 1 } as const;
  const outcome = await whileChanging(file.team, async () => {
    const pane = (await lookAt(world, file)).seats.of(agent)?.pane;
    const isCrashed = pane?.dead === true && activityOf(pane).activity === "crashed";
    return isCrashed ? bringUp(world, file, new Set([agent]), how) : null;
  });
  if (outcome === null) return null;
  const refused = outcome.plan.steps.find((step) => step.do === "refuse");
  const failure = outcome.failed[0] ?? refused;
  if (failure !== undefined) throw new HiveError(`${agent}: ${failure.why}`);
  return outcome;
}
