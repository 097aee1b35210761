// Rows and mark of an agent, written before it starts, and the way back.

import type { SessionStart } from "../agents/agent.js";
import { utcSeconds } from "../base/utc.js";
import { rowAddress } from "../fleet/find-pane.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Role, TeamName } from "../names/gates.js";
import type { TeamWorld } from "./world.js";

export interface Registered {
  /** The rows as they were. */
  undo(): Promise<void>;
}

export interface Registration {
  role: Role | null;
  team: TeamName;
  session: SessionStart | null;
}

export async function registerStart(
  world: TeamWorld,
  pane: FleetPane,
  { role, team, session }: Registration,
): Promise<Registered> {
  const { roles, sessions, forks } = world.stores;
  // Rows go by address: one that belongs to a pane which moved must not be taken for this pane's.
  await world.followMoves(team);
  if (role === null) return { undo: async () => {} };

  const address = rowAddress(pane);
  const ofPane = <Row extends { pane: string }>(each: readonly Row[]) =>
    each.find((row) => row.pane === address);
  const [roleBefore, sessionBefore] = [
    ofPane(roles.read().rows)?.role ?? null,
    ofPane(sessions.read().rows)?.uuid ?? null,
  ];
  // Somebody else's, whose pane is gone: its messages are not for this one.
  const isForeign = roleBefore !== null && roleBefore !== role && pane.mark === null;
  if (isForeign) await world.emit({ name: "agent.killed", pane: address });

  if (session?.how === "fork")
    await world.emit({
      name: "agent.forked",
      pane: address,
      role,
      parent: session.parent,
      child: session.id,
    });
  else await world.emit({ name: "agent.spawned", pane: address, role, uuid: session?.id ?? null });

  async function undo(): Promise<void> {
    if (session?.how === "fork") {
      const { id: uuid, parent } = session;
      await forks.append([
        { at: utcSeconds(Date.now()), pane: address, role, uuid, state: "broken", parent },
      ]);
    }
    if (roleBefore === null || isForeign) return world.emit({ name: "agent.killed", pane: address });
    if (sessionBefore === null) await sessions.update((all) => all.filter((row) => row.pane !== address));
    await world.emit({ name: "agent.spawned", pane: address, role: roleBefore, uuid: sessionBefore });
  }
  return { undo };
}
