// Panes change places, and everything that is keyed by address goes with them.
//
// [SW1] What had moved before is put right first; then tmux acts, by id; then one event carries every pane that stands
//       elsewhere now: a swap, a single move, or all of them as one shift. Nothing moves where that could not be written.
//       What waits for who is brought back, where a pane came to stand, gives way with the same event.
// [SW2] A pane does not come into a team that has its role already: refused before anything moves.
// [SW3] A pane that finds no room beside another gets a window of its own there.

import { HiveError } from "../base/errors.js";
import type { HiveEvent, Move } from "../events/event.js";
import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import { givingWay, storedRows } from "../fleet/moves.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { shownRoles } from "../fleet/resolve.js";
import { isPaneAddress, isTeamName, type PaneId, type TeamName } from "../names/gates.js";
import { TmuxError } from "../tmux/error.js";
import { breakPane, movePane, swapPanes } from "../tmux/pane.js";
import { selectLayout } from "../tmux/window.js";
import { refuseTaken } from "./rename.js";
import type { TeamWorld } from "./world.js";

export async function swapTwo(world: TeamWorld, one: PaneId, other: PaneId): Promise<Move[]> {
  const now = await world.panes();
  const [a, b] = [findPaneIn(now, one), findPaneIn(now, other)];
  if (a.id === b.id) throw new HiveError(`${a.address} cannot change places with itself`);
  refuseRoles(world, now, [
    [a, b],
    [b, a],
  ]);
  return followed(world, [a.sessionName, b.sessionName], () => swapPanes(world.tmux, a.id, b.id));
}

/** Into the window of `beside`, or into that team: there beside the pane that is selected, all of them tiled. */
export async function moveOne(
  world: TeamWorld,
  moving: PaneId,
  to: { beside: PaneId } | { team: TeamName },
): Promise<Move[]> {
  const now = await world.panes();
  const pane = findPaneIn(now, moving);
  if ("team" in to && pane.sessionName === to.team) {
    throw new HiveError(`${pane.address} is in ${to.team} already`, {
      hint: "name the pane it shall stand beside",
    });
  }
  const target = "beside" in to ? findPaneIn(now, to.beside) : selectedPane(now, to.team);
  if (target.id === pane.id) throw new HiveError(`${pane.address} cannot stand beside itself`);
  if (pane.sessionName !== target.sessionName) refuseRoles(world, now, [[pane, target]]);
  return followed(world, [pane.sessionName, target.sessionName], async () => {
    const hasRoom = await joined(world, pane.id, target);
    if (hasRoom && "team" in to) await selectLayout(world.tmux, target.windowId, "tiled");
  });
}

/** The event that says what stands elsewhere now; null where nothing does. Pure. */
export function shiftEvent(moves: readonly Move[]): HiveEvent | null {
  const [first, second] = moves;
  if (first === undefined) return null;
  if (second === undefined) return { name: "pane.moved", ...first };
  const team = first.from.slice(0, first.from.lastIndexOf(":")) as TeamName;
  const isSwap = moves.length === 2 && first.from === second.to && first.to === second.from;
  return isSwap
    ? { name: "panes.swapped", team, a: first.from, b: first.to }
    : { name: "panes.shifted", team, moves };
}

/** Every pane that stands elsewhere after than before, as far as rows can name both places. Pure. */
export function movesBetween(before: Pick<Panes, "panes">, after: Pick<Panes, "panes">): Move[] {
  const places = new Map(after.panes.map(({ id, address }) => [id, address]));
  return before.panes.flatMap(({ id, address: from }) => {
    const to = places.get(id);
    const isMove = to !== undefined && to !== from && isPaneAddress(from) && isPaneAddress(to);
    return isMove ? [{ from, to }] : [];
  });
}

async function followed(
  world: TeamWorld,
  [team, other]: readonly [FleetPane["sessionName"], FleetPane["sessionName"]],
  act: () => Promise<void>,
): Promise<Move[]> {
  let before = await world.followMoves(team as TeamName);
  if (other !== team) before = await world.followMoves(other as TeamName);
  world.stores.rekeying.rehearse();
  await act();
  const after = await world.panes();
  const moves = movesBetween(before, after);
  const aside = givingWay(new Map(moves.map(({ from, to }) => [from, to])), after, storedRows(world.stores));
  const event = shiftEvent([...moves, ...[...aside].map(([from, to]) => ({ from, to }))]);
  if (event !== null) await world.emit(event);
  return moves;
}

/** Whether it stands in that window now; without room there it has one of its own. */
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

/** Each pane and the one in whose team it is about to stand. */
function refuseRoles(
  { stores, tmux }: TeamWorld,
  panes: Panes,
  arrivals: readonly (readonly [pane: FleetPane, at: FleetPane])[],
): void {
  const rows = storedRows(stores);
  const leaving = new Set(arrivals.map(([pane]) => pane.id));
  const staying = { ...panes, panes: panes.panes.filter(({ id }) => !leaving.has(id)) };
  for (const [pane, at] of arrivals) {
    for (const each of [pane, at]) if (!isTeamName(each.sessionName)) rowAddress(each, tmux.server);
    const role = shownRoles(panes, rows)(pane);
    if (role !== null) refuseTaken(staying, rows, { id: pane.id, sessionName: at.sessionName }, role);
  }
}
