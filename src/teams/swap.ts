// Moves and swaps panes. Roles, sessions and messages belong to the agents, so nothing else has to change.
//
// - tmux acts by id; then one change of the roster records the new addresses.
// - A pane cannot move into a team that already has its role: refused before anything moves.
// - A pane that does not fit beside another gets its own window there.

import { HiveError } from "../base/errors.js";
import type { Move } from "../events/event.js";
import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { roleHolder } from "../fleet/roster/roster.js";
import { isPaneAddress, isTeamName, type PaneId, type TeamName } from "../names/gates.js";
import { TmuxError } from "../tmux/error.js";
import { breakPane, movePane, swapPanes } from "../tmux/pane.js";
import { selectLayout } from "../tmux/window.js";
import { roleTaken } from "./start/seating.js";
import type { TeamWorld } from "./world.js";

export async function swapTwo(world: TeamWorld, one: PaneId, other: PaneId): Promise<Move[]> {
  const now = await world.panes();
  const [a, b] = [findPaneIn(now, one), findPaneIn(now, other)];
  if (a.id === b.id) throw new HiveError(`${a.address} cannot be swapped with itself`);
  refuseRoles(world, now, [
    [a, b],
    [b, a],
  ]);
  return followed(world, now, () => swapPanes(world.tmux, a.id, b.id));
}

/** Moves into the window of `beside`, or into that team: beside its selected pane, then tiled. */
export async function moveOne(
  world: TeamWorld,
  moving: PaneId,
  to: { beside: PaneId } | { team: TeamName },
): Promise<Move[]> {
  const now = await world.panes();
  const pane = findPaneIn(now, moving);
  if ("team" in to && pane.sessionName === to.team) {
    throw new HiveError(`${pane.address} is in ${to.team} already`, {
      hint: "give the pane to put it beside",
    });
  }
  const target = "beside" in to ? findPaneIn(now, to.beside) : selectedPane(now, to.team);
  if (target.id === pane.id) throw new HiveError(`${pane.address} cannot be moved beside itself`);
  if (pane.sessionName !== target.sessionName) refuseRoles(world, now, [[pane, target]]);
  return followed(world, now, async () => {
    const hasRoom = await joined(world, pane.id, target);
    if (hasRoom && "team" in to) await selectLayout(world.tmux, target.windowId, "tiled");
  });
}

/** Every pane whose address changed, if rows can hold both addresses. Pure. */
export function movesBetween(before: Pick<Panes, "panes">, after: Pick<Panes, "panes">): Move[] {
  const places = new Map(after.panes.map(({ id, address }) => [id, address]));
  return before.panes.flatMap(({ id, address: from }) => {
    const to = places.get(id);
    const isMove = to !== undefined && to !== from && isPaneAddress(from) && isPaneAddress(to);
    return isMove ? [{ from, to }] : [];
  });
}

async function followed(world: TeamWorld, before: Panes, act: () => Promise<void>): Promise<Move[]> {
  await act();
  return movesBetween(before, await world.change());
}

/** Whether the pane fits into that window; if not, it gets its own. */
async function joined({ tmux }: TeamWorld, pane: PaneId, target: FleetPane): Promise<boolean> {
  try {
    await movePane(tmux, pane, target.id);
    return true;
  } catch (error) {
    const isFull = error instanceof TmuxError && /pane too small|no space for/.test(error.message);
    if (!isFull) throw error;
    await breakPane(tmux, pane, target.sessionId);
    return false;
  }
}

function selectedPane({ panes }: Panes, team: TeamName): FleetPane {
  const own = panes.filter(({ sessionName }) => sessionName === team);
  const selected = own.find(({ windowActive, paneActive }) => windowActive && paneActive) ?? own[0];
  if (selected !== undefined) return selected;
  throw new HiveError(`no team "${team}" is running`, { hint: "hivemind team list" });
}

/** Pairs of a pane and the pane whose team it is about to join. */
function refuseRoles(
  { tmux }: TeamWorld,
  { roster }: Panes,
  arrivals: readonly (readonly [pane: FleetPane, at: FleetPane])[],
): void {
  const leaving = new Set(arrivals.map(([pane]) => pane.agent?.id));
  for (const [pane, at] of arrivals) {
    for (const each of [pane, at]) if (!isTeamName(each.sessionName)) rowAddress(each, tmux.server);
    const holder = roleHolder(roster, at.sessionName, roleOf(pane));
    if (holder !== undefined && !leaving.has(holder.id)) throw roleTaken(roster, holder);
  }
}
