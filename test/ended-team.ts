// A team whose agents have all ended: nothing but the roster knows whose session and messages are whose.

import type { Hive } from "../src/hive/hive.js";
import { newAgentId } from "../src/names/agent-id.js";
import type { Role, SessionId, TeamName } from "../src/names/gates.js";
import type { AgentRow } from "../src/stores/text/roster-rows.js";

const sessions = ["15533422-8bdb-5079-8420-efcdb81dd2e5", "b63de03a-6d49-5f14-9be3-0aac60a859ed", null];

/** `r0`, `r1` and `r2` in the panes of this team, two messages for each; the last of them never had a session. */
export async function endedTeam(hive: Hive, team: TeamName): Promise<void> {
  await hive.emit({ name: "team.created", team, description: "d" });
  const own = (await hive.panes()).panes.filter(({ sessionName }) => sessionName === team);
  const made: AgentRow[] = [];
  await hive.change(({ agents, server }) => {
    made.push(
      ...sessions.map((session, number) => ({
        id: newAgentId(),
        team,
        role: `r${number}` as Role,
        kind: "",
        session: session as SessionId | null,
        seat: { server: server!, pane: own[number]!.id },
        address: own[number]!.address,
        epoch: Math.floor(Date.now() / 1000),
      })),
    );
    return { agents: [...agents, ...made] };
  });
  for (const { id, role } of made)
    for (const text of [`for ${role}`, `and for ${role}`])
      await hive.stores.queues.append(id, "inform", text);
}

/** All that is known of each agent, wherever it is. */
export function knownAgents({ stores }: Pick<Hive, "stores">) {
  const holds = new Map(stores.holds.read().rows.map(({ agent, by }) => [agent, by]));
  return Object.fromEntries(
    stores.roster.read().agents.map(({ id, role, session }) => {
      const messages = stores.queues.read(id).messages.map(({ text }) => text);
      return [id, { role, session, hold: holds.get(id), messages }];
    }),
  );
}

/** `a:0.0 r0`, as S1 has it. */
export function rolesIn({ stores }: Pick<Hive, "stores">): string[] {
  return stores.roles.read().rows.map(({ pane, role }) => `${pane} ${role}`);
}
