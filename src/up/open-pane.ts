// A pane for an agent of a team file, in the tmux session of its team.
//
// [UO1] The tmux session is made with the first pane, in the size that is locked for the team or the usual one.
// [UO2] Each pane stands behind the last one of a window that has room, in the layout of the file; with the layout
//       `windows` each agent has a window that carries its name.
// [UO3] A pane that was kept open for an agent by a command which was killed before it said for whom is nobody's: the next
//       agent that needs one takes it. While a team is being changed no other command has such a pane.
// [UO4] An agent that stood elsewhere before its team was lost has its rows, and what waits for it, in its new place; who
//       stood there has theirs where it stood, until it comes too.

import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { Panes } from "../fleet/panes.js";
import { rolesIn } from "../fleet/resolve.js";
import { limits } from "../limits.js";
import { addressParts, type PaneId, type Role, type TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { placeFor } from "../teams/place.js";
import { isFreePane } from "../teams/place-rows.js";
import type { TeamWorld } from "../teams/world.js";
import { splitWindow } from "../tmux/pane.js";
import type { PaneStart } from "../tmux/program.js";
import { newSession } from "../tmux/session.js";
import { newWindow, selectLayout } from "../tmux/window.js";

/** Panes of the team that nothing was started in, and that carry no name. */
export function sparePanes(
  panes: Panes,
  stores: Pick<Stores, "roles" | "sessions">,
  team: TeamName,
): PaneId[] {
  const roleOf = rolesIn(panes, stores);
  return panes.panes
    .filter((pane) => pane.sessionName === team && pane.launch === "" && roleOf(pane) === null)
    .filter((pane) => !pane.dead && isFreePane(pane))
    .map(({ id }) => id);
}

export async function openPane(
  world: TeamWorld,
  file: Pick<TeamFile, "team" | "layout">,
  agent: Role,
  inside: PaneStart,
): Promise<PaneId> {
  const pane = await newPane(world, file, agent, inside);
  await takeRowsAlong(world, file.team, agent, pane);
  return pane;
}

async function takeRowsAlong(world: TeamWorld, team: TeamName, agent: Role, pane: PaneId): Promise<void> {
  const seen = await world.panes();
  const rows = world.stores.roles.read().rows.filter((row) => addressParts(row.pane).team === team);
  const stood = rows.find(({ role }) => role === agent)?.pane;
  const isTaken = seen.panes.some(({ address }) => address === stood);
  if (stood === undefined || isTaken) return;
  await world.emit({ name: "panes.swapped", team, a: stood, b: rowAddress(findPaneIn(seen, pane)) });
}

async function newPane(
  world: TeamWorld,
  { team, layout }: Pick<TeamFile, "team" | "layout">,
  agent: Role,
  inside: PaneStart,
): Promise<PaneId> {
  const { tmux, stores } = world;
  const own = (await world.panes()).panes.filter(({ sessionName }) => sessionName === team);
  const [first] = own;
  if (first === undefined) {
    const lock = stores.sizeLocks.read().rows.find((row) => row.team === team);
    const { width, height } = lock ?? { width: limits.birthWidth, height: limits.birthHeight };
    const named = layout === "windows" ? { windowName: agent } : {};
    return (await newSession(tmux, { name: team, width, height, ...named, ...inside })).pane;
  }
  if (layout === "windows") return newWindow(tmux, first.sessionId, { name: agent, ...inside });
  const place = placeFor(own);
  if (place.how === "window") return newWindow(tmux, first.sessionId, inside);
  const { id, windowId } = place.behind;
  // The last pane may be small while its window is large: tiled first, there is room to split it.
  await selectLayout(tmux, windowId, "tiled");
  const pane = await splitWindow(tmux, id, inside);
  await selectLayout(tmux, windowId, layout);
  return pane;
}
