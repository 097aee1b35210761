// A pane for an agent of a team file, in the tmux session of its team.
//
// [UO1] The tmux session is made with the first pane, in the size that is locked for the team or the usual one.
// [UO2] Each pane stands behind the last one of a window that has room, in the layout of the file; with the layout
//       `windows` each agent has a window that carries its name.
// [UO3] A pane that was kept open for an agent by a command which was killed before it gave it a name is nobody's: the next
//       agent that needs one takes it.

import { limits } from "../limits.js";
import type { PaneId, Role } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { placeFor } from "../teams/place.js";
import type { TeamWorld } from "../teams/world.js";
import { splitWindow } from "../tmux/pane.js";
import type { PaneStart } from "../tmux/program.js";
import { newSession } from "../tmux/session.js";
import { newWindow, selectLayout } from "../tmux/window.js";

export async function openPane(
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
