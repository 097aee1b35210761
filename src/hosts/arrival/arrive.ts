// Starts the teams of a bundle here: places transcripts and lineage first, then restores each team.
//
// - Running and stored teams of this host stay as they are. Lineage is added, never rewritten.
// - The agents are in the roster, away, before the first one starts: an agent that cannot start can come back later.
// - After an interruption the same command continues: transcripts, rows and agents that are already here are left
//   alone.

import type { AgentId } from "../../names/agent-id.js";
import type { TeamName } from "../../names/gates.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";
import { type RestoreOutcome, restoreTeam } from "../../teams/snapshot/restore.js";
import { saveFleet } from "../../teams/snapshot/save.js";
import type { TeamWorld } from "../../teams/world.js";
import { newRows } from "../lineage-rows.js";
import type { Arrival } from "./arrival-plan.js";
import { type Arriving, arrivingAgents } from "./arriving-agents.js";
import { placeTranscript } from "./place-transcript.js";

export interface MovingWorld extends TeamWorld {
  /** Keeps other commands from changing this team. */
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
}

/** Resolves when every agent that could start was seen alive in its session, or as a fork of it. */
export async function arrive(world: MovingWorld, arrival: Arrival): Promise<RestoreOutcome> {
  const { saved, description, placings, lineage, isFork } = arrival;
  const { stores } = world;
  return world.whileChanging(saved.team, async () => {
    for (const placing of placings) placeTranscript(placing);
    await stores.forks.append(newRows(lineage, stores.forks.scan()));
    const isKnown = stores.teams.read().rows.some(({ team }) => team === saved.team);
    if (!isKnown) await world.emit({ name: "team.created", team: saved.team, description });
    const rows = await land(world, arrival);
    const outcome = await restoreTeam(world, { ...saved, rows }, isFork);
    // Saved at once, because an arrived team can be lost like any other.
    if (outcome.started.length > 0)
      await saveFleet(stores, await world.observe(), { teams: [saved.team], isAutosave: true });
    return outcome;
  });
}

async function land(
  { stores, change, say }: MovingWorld,
  { saved, isFork }: Arrival,
): Promise<readonly SnapshotRow[]> {
  const { rows: events } = stores.events.read();
  const forgotten = new Set(
    events.flatMap(({ event }) => (event.name === "agent.forgotten" ? event.agent : [])),
  );
  const isForgotten = (agent: AgentId) => forgotten.has(agent);
  let arriving!: Arriving;
  await change((roster) => {
    arriving = arrivingAgents(saved.rows, { roster, isForgotten, isFork, nowMs: Date.now() });
    return { agents: [...roster.agents, ...arriving.landed] };
  });
  for (const line of arriving.said) say(line);
  return arriving.rows;
}
