// Rows and mark of an agent, written before it starts, and the way back.
//
// [RGS1] They are written where its pane stands by then, not where it stood when somebody looked; so is the way back.
// [RGS2] A row of another role, at a pane without a mark, is somebody else's whose pane is gone, once room was made for who
//        can come back. One with the session that is opened is its own, under another name: nothing of it is lost.
// [RGS3] With another session than before its role is dated anew: what was begun earlier is nothing that this one went on
//        to. The way back gives the time back too: who was not brought back is still awaited.

import { utcSeconds } from "../base/utc.js";
import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import { rowWriter } from "../stores/row-writer.js";
import { type Comer, isOpened, makeRoom } from "./coming-back.js";
import type { TeamWorld } from "./world.js";

export interface Registered {
  address: PaneAddress;
  /** The rows as they were. */
  undo(): Promise<void>;
}

export interface Registration extends Omit<Comer, "role"> {
  role: Role | null;
  team: TeamName;
}

export async function registerStart(
  world: TeamWorld,
  { id }: Pick<FleetPane, "id">,
  { role, team, session, isByName = false }: Registration,
): Promise<Registered> {
  const { roles, sessions, forks } = world.stores;
  // Rows go by address: one that belongs to a pane which moved must not be taken for this pane's.
  const pane = findPaneIn(await world.followMoves(team), id);
  const address = rowAddress(pane, world.tmux.server);
  if (role === null) return { address, undo: async () => {} };
  await makeRoom(world, id, { role, session, isByName });

  const ofPane = <Row extends { pane: string }>(each: readonly Row[]) =>
    each.find((row) => row.pane === address);
  const { role: roleBefore, epoch } = ofPane(roles.read().rows) ?? { role: null, epoch: null };
  const sessionBefore = ofPane(sessions.read().rows)?.uuid ?? null;
  const isForeign =
    roleBefore !== null && roleBefore !== role && pane.mark === null && !isOpened(session, sessionBefore);
  // Its messages are not for this one.
  if (isForeign) await world.emit({ name: "agent.killed", pane: address, how: "unasked" });

  if (session?.how === "fork")
    await world.emit({
      name: "agent.forked",
      pane: address,
      role,
      parent: session.parent,
      child: session.id,
    });
  else await world.emit({ name: "agent.spawned", pane: address, role, uuid: session?.id ?? null });
  if (session !== null && session.id !== sessionBefore)
    await rowWriter(world.stores).renewRoles(new Map([[address, Date.now()]]));

  async function undo(): Promise<void> {
    const { panes } = await world.followMoves(team);
    const place = panes.find((each) => each.id === id)?.address ?? address;
    if (session?.how === "fork") {
      const { id: uuid, parent } = session;
      await forks.append([{ at: utcSeconds(Date.now()), pane: place, role, uuid, state: "broken", parent }]);
    }
    // It is gone, and another came to stand there.
    if (panes.some((each) => each.address === place && each.id !== id)) return;
    if (roleBefore === null || isForeign) return world.emit({ name: "agent.killed", pane: place });
    if (sessionBefore === null) await sessions.update((all) => all.filter((row) => row.pane !== place));
    await world.emit({ name: "agent.spawned", pane: place, role: roleBefore, uuid: sessionBefore });
    // Behind the mark, which may give it a later time: whose pane is closed again would be gone for good by that.
    await roles.update((all) => all.map((row) => (row.pane === place ? { ...row, epoch } : row)));
  }
  return { address, undo };
}
