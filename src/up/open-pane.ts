// Opens a pane for an agent of a team file, in the tmux session of its team.
//
// - The first pane makes the tmux session, in the team's locked size or the default size.
// - Each pane goes behind the last pane of a window with room, in the layout of the file. With the layout `windows`
//   each agent has its own window with its name.

import type { Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneId, Role } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { placeFor } from "../teams/place.js";
import type { TeamWorld } from "../teams/world.js";
import type { PaneStart } from "../tmux/program.js";
import { newSession } from "../tmux/session.js";
import { newWindow, splitTiled } from "../tmux/window.js";

export async function openPane(
  { tmux, stores }: Pick<TeamWorld, "tmux" | "stores">,
  seen: Panes,
  { team, layout }: Pick<TeamFile, "team" | "layout">,
  agent: Role,
  inside: PaneStart,
): Promise<PaneId> {
  const own = seen.panes.filter(({ sessionName }) => sessionName === team);
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
  return splitTiled(tmux, id, windowId, { ...inside, layout });
}
