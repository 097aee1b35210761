// Brings back one crashed agent, as its team file is now.
//
// It looks again while it holds the team. The agent comes back only if it still lies crashed in its pane: if it was
// ended, moved or restarted meanwhile, someone wanted it so.

import { HiveError } from "../base/errors.js";
import { activityOf } from "../fleet/activity/activity.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role, TeamName } from "../names/gates.js";
import type { TeamWorld } from "../teams/world.js";
import { lookAt } from "./look.js";
import { bringUp, type UpOutcome } from "./up.js";
import { writtenProject } from "./written.js";

export interface HealWorld {
  world: TeamWorld;
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
}

/** A crashed agent of a team file. */
export interface CrashedAgent {
  id: AgentId;
  project: string;
  /** Its name in the file. */
  agent: Role;
}

/** Tries once; the caller waits before it tries again. Null if the agent is not to come back. */
export async function healAgent(
  { world, whileChanging }: HealWorld,
  { id, project, agent }: CrashedAgent,
): Promise<UpOutcome | null> {
  const file = writtenProject(world, project);
  const wanted = file.agents.find((each) => each.id === agent);
  if (wanted?.restart !== "on-crash") return null;
  const how = {
    ...({ mode: "up", isFresh: false, isBroadAllowed: true, rounds: 1 } as const),
    ownPane: () => null,
    // Anybody may have changed the file since.
    checkOpening: (): never => {
      throw new HiveError(
        `${agent} now has \`inbound: accept\`, which only a person may give it: hivemind up`,
      );
    },
  };
  const outcome = await whileChanging(file.team, async () => {
    const seat = (await lookAt(world, file)).seats.of(agent);
    const isCrashed = seat?.pane.dead === true && activityOf(seat.pane).activity === "crashed";
    return isCrashed && seat.agent.id === id ? bringUp(world, file, new Set([agent]), how) : null;
  });
  if (outcome === null) return null;
  const refused = outcome.plan.steps.find((step) => step.do === "refuse");
  const failure = outcome.failed[0] ?? refused;
  if (failure !== undefined) throw new HiveError(`${agent}: ${failure.why}`);
  return outcome;
}
