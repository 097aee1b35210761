// What a change of the roster would write now, as text. The watcher changes the roster only if there is something to write.
//
// Right after a change the text is empty. Two looks at the same fleet give the same text.

import type { Fleet } from "../fleet/observe.js";
import { optionChanges } from "../fleet/roster/pane-options.js";
import { type FoundAgent, withFound } from "../fleet/roster/refresh.js";
import { agentsByPane } from "../fleet/roster/roster.js";
import { lastOwnersOf, seatsOf, viewsOf } from "../fleet/roster/roster-views.js";
import type { AgentId } from "../names/agent-id.js";
import type { Stores } from "../stores/stores.js";
import { type AgentRow, agentFormat } from "../stores/text/roster-rows.js";

export function unwritten(
  { roster, panes }: Fleet,
  found: readonly FoundAgent[],
  { roles, sessions, queues }: Pick<Stores, "roles" | "sessions" | "queues">,
  nowMs: number,
): string[] {
  const { agents: refreshed } = withFound(roster.agents, found, { server: roster.server, nowMs });
  const agents = withSameIds(roster.stored, refreshed);
  const running = new Set(panes.map(({ sessionName }) => sessionName));
  const views = viewsOf(agents, running);
  const [seats, last] = [seatsOf(agents), lastOwnersOf(agents)];
  const strangers = queues.foreignQueues().filter(({ pane }) => seats.has(pane) || last.has(pane));
  return [
    ...difference(roster.stored.map(withoutTime), agents.map(withoutTime)),
    ...difference(roles.read().rows.map(asText), views.roles.map(asText)),
    ...difference(sessions.read().rows.map(asText), views.sessions.map(asText)),
    ...strangers.map(({ path }) => path),
    ...optionChanges(panes, agents, agentsByPane({ ...roster, agents })).map((words) => words.join(" ")),
  ];
}

/** The lines that only one of the two texts has. */
function difference(stored: readonly string[], wanted: readonly string[]): string[] {
  const [before, after] = [new Set(stored), new Set(wanted)];
  return [
    ...stored.filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...wanted.filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ];
}

/** Without the time of the seat: until it is written, each look has another second. */
function withoutTime(agent: AgentRow): string {
  return agentFormat.format({ ...agent, epoch: 0 });
}

function asText(row: object): string {
  return JSON.stringify({ ...row, epoch: 0 });
}

/** Without the ids of unwritten agents: each look gives them another one. */
function withSameIds(stored: readonly AgentRow[], agents: readonly AgentRow[]): AgentRow[] {
  const known = new Set(stored.map(({ id }) => id));
  return agents.map((agent, at) => (known.has(agent.id) ? agent : { ...agent, id: `new ${at}` as AgentId }));
}
