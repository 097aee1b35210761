// What each running agent was started with, as far as it decides the context window.

import type { ModelSetup } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { PaneId } from "../names/gates.js";
import type { FleetPane, World } from "./panes.js";

export type ModelSetups = ReadonlyMap<PaneId, ModelSetup>;

export function modelSetups(
  { processes }: Pick<World, "processes">,
  panes: readonly FleetPane[],
): ModelSetups {
  const setups = new Map<PaneId, ModelSetup>();
  for (const { id, kind, process, folder, live, cwd } of panes) {
    const agent = process === null ? null : agentOfKind(kind);
    if (process === null || !agent?.modelSetup) continue;
    const variables = processes.readProcessVariables(process.pid, agent.modelVariables ?? []);
    const { args, startedAtMs } = process;
    const start = { args, startedAtMs, variables, folder, cwd: live?.cwd ?? (cwd || null) };
    setups.set(id, agent.modelSetup(start));
  }
  return setups;
}
