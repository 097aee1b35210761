// Makes running agents the agents of a team file: nothing is ended or typed, and each continues its conversation.

import type { Role, SessionId } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { modelOf } from "../teams/snapshot/save.js";
import type { TeamWorld } from "../teams/world.js";
import type { AgentPane } from "./agent-panes.js";
import { assumedLaunch, type Launch, writeLaunches } from "./launch.js";
import type { Step } from "./step.js";
import type { Wanted, WantedFacts } from "./wanted.js";

/** Writes their conversations down first: after an interruption the next run finds each agent in its own. */
export async function adoptRunning(
  { stores }: TeamWorld,
  { project }: TeamFile,
  steps: readonly Step[],
): Promise<void> {
  const taken = steps.flatMap(({ agent, adopts }) => (adopts === null ? [] : [{ agent, ...adopts }]));
  if (taken.length === 0) return;
  const isTaken = (agent: Role) => taken.some((each) => each.agent === agent);
  await stores.sessionOverrides.update((rows) => [
    ...rows.filter((row) => row.project !== project || !isTaken(row.agent)),
    ...taken.map(({ agent, uuid }) => ({ project, agent, uuid })),
  ]);
  const running = steps.flatMap(({ do: deed, agentId, adopts }) =>
    deed === "adopt" && agentId !== null && adopts !== null ? [[agentId, adopts.launch] as const] : [],
  );
  await writeLaunches(stores, new Map(running));
}

export interface Adopts {
  uuid: SessionId;
  launch: Launch;
}

/** The launch settings as far as they can be seen; for the model its answers may be the only evidence. */
export function launchSeen(
  { pane }: AgentPane,
  { agent, launch, session }: Wanted,
  { fleet }: WantedFacts,
): Launch {
  const seen = assumedLaunch(pane, launch, agent.args);
  const isModel = seen.model === null && modelOf(pane, session, fleet) === launch.model;
  return isModel ? { ...seen, model: launch.model } : seen;
}
