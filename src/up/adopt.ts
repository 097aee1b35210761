// Agents that run become those of a team file: nothing is ended or typed, and each goes on in its conversation.

import type { Role, SessionId } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { modelOf } from "../teams/save.js";
import { launchOption } from "../teams/start.js";
import type { TeamWorld } from "../teams/world.js";
import { setPaneOption } from "../tmux/pane.js";
import { assumedLaunch, formatLaunch, type Launch } from "./launch.js";
import type { Seat } from "./seats.js";
import type { Step } from "./step.js";
import type { Wanted, WantedFacts } from "./wanted.js";

/** Their conversations are written down first: broken off behind that, the next run finds each agent in its own. */
export async function adoptRunning(
  { stores, tmux }: TeamWorld,
  { project }: TeamFile,
  steps: readonly Step[],
): Promise<void> {
  const taken = steps.flatMap(({ agent, adopts }) => (adopts === null ? [] : [{ agent, ...adopts }]));
  if (taken.length === 0) return;
  const isTaken = (agent: Role) => taken.some((each) => each.agent === agent);
  await stores.moved.update((rows) => [
    ...rows.filter((row) => row.project !== project || !isTaken(row.agent)),
    ...taken.map(({ agent, uuid }) => ({ project, agent, uuid })),
  ]);
  for (const { pane, do: deed, adopts } of steps)
    if (deed === "adopt" && adopts !== null)
      await setPaneOption(tmux, pane!, launchOption, formatLaunch(pane!, adopts.launch));
}

export interface Adopts {
  uuid: SessionId;
  launch: Launch;
}

/** As it was started, as far as that can be told; the model may be told by its answers alone. */
export function launchSeen(
  { pane }: Seat,
  { agent, launch, session }: Wanted,
  { fleet }: WantedFacts,
): Launch {
  const seen = assumedLaunch(pane, launch, agent.args);
  const isModel = seen.model === null && modelOf(pane, session, fleet) === launch.model;
  return isModel ? { ...seen, model: launch.model } : seen;
}
