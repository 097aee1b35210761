// The roster's agent of a pane. Adds an agent with a new id if the roster has none.
//
// An agent is added only if a client runs in the pane, its team runs on no other server, and no other agent has the
// client's session. A session that only the client knows is recorded first: it would be lost with the client.

import { HiveError } from "../../base/errors.js";
import { newAgentId } from "../../names/agent-id.js";
import type { TeamName } from "../../names/gates.js";
import type { Stores } from "../../stores/stores.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { Tmux } from "../../tmux/tmux.js";
import { rowAddress } from "../find-pane.js";
import type { FleetPane, Panes } from "../panes.js";
import type { Work } from "./change-roster.js";
import { isAgent } from "./role-of.js";
import { agentsByPane, type RosterNow, refuseElsewhere, reportedSession } from "./roster.js";

export interface KnownWorld {
  tmux: Pick<Tmux, "server">;
  stores: Pick<Stores, "queues">;
  change(work?: Work): Promise<Panes>;
  writeNews(seen: Panes, team: string): Promise<boolean>;
}

export async function knownAgent(world: KnownWorld, seen: Panes, pane: FleetPane): Promise<AgentRow> {
  const { agent } = pane;
  await world.writeNews(seen, pane.sessionName);
  const isStored = agent !== null && seen.roster.stored.some(({ id }) => id === agent.id);
  // Another program may have written messages under the pane's address. A change takes them in.
  const hasForeign = world.stores.queues.foreignQueues().some((queue) => queue.pane === pane.address);
  if (isStored && !hasForeign) return agent;
  if (agent === null && !isAgent(pane))
    throw new HiveError(`no agent runs in ${pane.address}, and none is registered there`, {
      hint: `give the pane a role: hivemind registry set ${pane.id} ROLE`,
    });
  rowAddress(pane, world.tmux.server);
  const { panes } = await world.change((roster) => ({ agents: withAgentIn(roster, pane) }));
  const known = panes.find(({ id }) => id === pane.id)?.agent;
  if (!known) throw new HiveError(`there is no pane ${pane.address}`, { hint: "hivemind status" });
  return known;
}

function withAgentIn(roster: RosterNow, pane: FleetPane): readonly AgentRow[] {
  const { agents, server } = roster;
  if (server === null || agentsByPane(roster).has(pane.id)) return agents;
  const team = pane.sessionName as TeamName;
  refuseElsewhere(roster, team);
  const session = reportedSession(pane);
  const holder = session === null ? undefined : agents.find((agent) => agent.session === session);
  if (holder !== undefined)
    throw new HiveError(
      `${pane.address} shows session ${session}, which belongs to ${holder.role ?? `@${holder.id}`}`,
      {
        hint: "the same session is in two panes: end one of them",
      },
    );
  const epoch = Math.floor(Date.now() / 1000);
  const { address, kind } = pane;
  const seat = { server, pane: pane.id };
  return [...agents, { id: newAgentId(), team, role: null, kind, session, seat, address, epoch }];
}
