// The fleet as signals: one per agent, so that a change of one agent draws one row again.

import { batch, computed, type Signal, signal } from "@preact/signals";
import type { AgentView, BackgroundView, TeamView } from "../../src/fleet/view.js";
import type { Attention } from "../../src/hive/attention.js";
import type { FleetView } from "../../src/hive/view-fleet.js";
import type { AgentKey, LoggedFact, LookState, ServerFacts, StreamEvent } from "../../src/web/contract.js";
import { agentKey, applyDelta } from "../../src/web/fleet-delta.js";

/** A team and the keys of its agents. */
export type TeamSummary = Omit<TeamView, "agents"> & { agents: readonly AgentKey[] };

/** Null until the first event. */
export const teams = signal<readonly TeamSummary[] | null>(null);
export const background = signal<readonly BackgroundView[]>([]);
export const inbox = signal<readonly Attention[]>([]);
export const look = signal<LookState | null>(null);
export const serverFacts = signal<ServerFacts | null>(null);
/** The newest rows of the event log that came while the page was open; the newest last. */
export const facts = signal<readonly LoggedFact[]>([]);
export const mostFacts = 500;

const agents = new Map<AgentKey, Signal<AgentView>>();
let fleet: FleetView = { teams: [], background: [] };

/** How many things wait for a person. */
export const waitingCount = computed(() => inbox.value.length);

/** Undefined for an agent that is not, or no longer, in the fleet. Read it again after `teams` changed. */
export function agentSignal(key: AgentKey): Signal<AgentView> | undefined {
  return agents.get(key);
}

/** The agent and its team; null if the fleet has no such agent. Reads signals. */
export function agentIn(key: AgentKey): { agent: AgentView; team: TeamSummary } | null {
  const team = teams.value?.find((each) => each.agents.includes(key));
  const agent = agents.get(key);
  return team === undefined || agent === undefined ? null : { agent: agent.value, team };
}

/** Everything that waits for a person on this agent. Reads signals. */
export function attentionOf({ agent, paneId }: Pick<AgentView, "agent" | "paneId">): Attention[] {
  return inbox.value.filter((item) =>
    item.agent !== null ? item.agent === agent : item.paneId !== null && item.paneId === paneId,
  );
}

export function applyEvent({ event, data }: StreamEvent): void {
  switch (event) {
    case "fleet":
      show(data);
      break;
    case "delta":
      show(applyDelta(fleet, data));
      break;
    case "inbox":
      inbox.value = data.items;
      break;
    case "look":
      look.value = data;
      break;
    case "facts":
      facts.value = [...facts.value, ...data.facts].slice(-mostFacts);
  }
}

function show(next: FleetView): void {
  fleet = next;
  batch(() => {
    const seen = new Set<AgentKey>();
    const frames = next.teams.map(({ agents: members, ...team }) => ({
      ...team,
      agents: members.map((agent) => {
        const key = freeKey(agentKey(agent), seen);
        seen.add(key);
        keep(key, agent);
        return key;
      }),
    }));
    for (const key of agents.keys()) if (!seen.has(key)) agents.delete(key);
    if (!isSame(teams.value, frames)) teams.value = frames;
    if (!isSame(background.value, next.background)) background.value = next.background;
  });
}

/** Two rows of one key get a number, as in the difference. */
function freeKey(key: AgentKey, taken: ReadonlySet<AgentKey>): AgentKey {
  let [free, times] = [key, 1];
  while (taken.has(free)) free = `${key} ${++times}`;
  return free;
}

function keep(key: AgentKey, agent: AgentView): void {
  const known = agents.get(key);
  if (known === undefined) agents.set(key, signal(agent));
  else if (known.peek() !== agent && !isSame(known.peek(), agent)) known.value = agent;
}

/** After a reconnection everything is a new object, though little changed. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
