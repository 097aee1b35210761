// An agent of the roster in a pane of a test, without a program.

import type { Hive } from "../src/hive/hive.js";
import type { AgentId } from "../src/names/agent-id.js";
import { addressParts, type PaneAddress, type Role, type SessionId } from "../src/names/gates.js";
import { seat } from "../src/teams/start/seating.js";

export async function seatIn(
  hive: Pick<Hive, "change">,
  address: string,
  role: string | null,
  session: SessionId | null = null,
): Promise<AgentId> {
  let id!: AgentId;
  const place = address as PaneAddress;
  const { panes } = await hive.change();
  const pane = panes.find((each) => each.address === address)!;
  await hive.change((roster) => {
    const { team } = addressParts(place);
    const seating = { pane, team, role: role as Role | null, kind: pane.kind, session };
    const { agents, after } = seat(roster, seating, Date.now());
    id = after.id;
    return { agents };
  });
  return id;
}
