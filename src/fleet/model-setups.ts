// What each running agent was started with, as far as it decides the context window.

import type { ModelSetup } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { PaneId } from "../names/gates.js";
import type { FleetPane, World } from "./panes.js";

/** Asked for seldom, and then for few: what an agent was started with stands in several files. */
export interface ModelSetups {
  get(pane: PaneId): ModelSetup | undefined;
}

export function modelSetups(
  { processes }: Pick<World, "processes">,
  panes: readonly FleetPane[],
): ModelSetups {
  const known = new Map<PaneId, ModelSetup | undefined>();
  const setupOf = (pane: FleetPane | undefined): ModelSetup | undefined => {
    const agent = pane === undefined || pane.process === null ? null : agentOfKind(pane.kind);
    if (pane === undefined || pane.process === null || !agent?.modelSetup) return undefined;
    const { process, folder, live, cwd } = pane;
    const variables = processes.readProcessVariables(process.pid, agent.modelVariables ?? []);
    const { args, startedAtMs } = process;
    return agent.modelSetup({ args, startedAtMs, variables, folder, cwd: live?.cwd ?? (cwd || null) });
  };
  return {
    get(id) {
      if (!known.has(id)) known.set(id, setupOf(panes.find((pane) => pane.id === id)));
      return known.get(id);
    },
  };
}
