// Teams of a box begin to live here: transcripts and lineage first, then each team as a restore would bring it back.
//
// [ARV1] What runs and what is stored here of other teams stays as it is; lineage is added, never rewritten.
// [ARV2] Broken off at any moment, the same command goes on: what is placed, known or running is left alone.

import type { TeamName } from "../names/gates.js";
import { type RestoreOutcome, restoreTeam } from "../teams/restore.js";
import { saveFleet } from "../teams/save.js";
import type { TeamWorld } from "../teams/world.js";
import type { Arrival } from "./arrival-plan.js";
import { newRows } from "./lineage-rows.js";
import { placeTranscript } from "./place-transcript.js";

export interface MovingWorld extends TeamWorld {
  /** Keeps other commands from changing this team meanwhile. */
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
}

/** Resolves when every agent that could be started was seen alive in its session, or as a fork of it. */
export async function arrive(world: MovingWorld, arrival: Arrival): Promise<RestoreOutcome> {
  const { saved, description, placings, lineage, isFork } = arrival;
  const { stores } = world;
  return world.whileChanging(saved.team, async () => {
    for (const placing of placings) placeTranscript(placing);
    await stores.forks.append(newRows(lineage, stores.forks.scan()));
    const isKnown = stores.teams.read().rows.some(({ team }) => team === saved.team);
    if (!isKnown) await world.emit({ name: "team.created", team: saved.team, description });
    const outcome = await restoreTeam(world, saved, isFork);
    // What has just arrived can be lost like everything else that runs here.
    if (outcome.started.length > 0)
      await saveFleet(stores, await world.observe(), { teams: [saved.team], isAutosave: true });
    return outcome;
  });
}
