// The fleet joined with the stores, as people and programs see it.

import { lookAtScreens, type SeenActivities } from "../fleet/activity/activity-screens.js";
import { windowsOf } from "../fleet/activity/context.js";
import { lastTurnIn } from "../fleet/activity/last-turn.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { managedInPanes } from "../fleet/sessions/managed-list.js";
import { type BackgroundView, type TeamView, viewBackground, viewTeams } from "../fleet/view.js";
import type { Core } from "./core.js";

export interface FleetView {
  teams: TeamView[];
  background: BackgroundView[];
}

export async function viewFleet(core: Core, screens?: "open" | "all"): Promise<FleetView> {
  return viewOf(core, await core.lookAtShown(), screens);
}

export async function viewOf(core: Core, fleet: Fleet, screens?: "open" | "all"): Promise<FleetView> {
  const turnOf = (pane: FleetPane) => lastTurnIn(fleet, pane);
  return viewSeen(core, fleet, await lookAtScreens(core.tmux, fleet.panes, fleet.hooks, turnOf, screens));
}

/** From a look whose screens were read already. */
export function viewSeen(
  { env, stores }: Pick<Core, "env" | "stores">,
  fleet: Fleet,
  seen: SeenActivities,
): FleetView {
  const { queues } = stores;
  const stored = {
    teams: stores.teams.read().rows,
    activeTeam: stores.activeTeam.read(),
    queued: new Map(queues.agents().map((agent) => [agent, queues.read(agent).messages.length])),
    windows: windowsOf(env),
    managed: managedInPanes(fleet, env),
  };
  return { teams: viewTeams(fleet, stored, seen), background: viewBackground(fleet, stored.windows) };
}
