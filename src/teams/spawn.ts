// A new agent in a team that runs: a pane of its own, then the start.
//
// [TSP1] A role is held once in a team; a team that does not run is not made on the way.
// [TSP2] A start that fails takes its pane away again; what it said last is in the error.
// [TSP3] A pane that a run which was killed opened for this role, whether it got to give it its name or not, is taken: the
//       same command goes on, and nothing else is left of it.

import { randomUUID } from "node:crypto";
import type { Kind, SessionStart } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import { storedRows } from "../fleet/moves.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { rolesIn } from "../fleet/resolve.js";
import type { PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import { isTmuxError } from "../tmux/error.js";
import { killPane, setPaneTitle, splitWindow } from "../tmux/pane.js";
import { type PaneStart, respawnPane } from "../tmux/program.js";
import { newWindow, selectLayout } from "../tmux/window.js";
import { agentEnvironment } from "./environment.js";
import { refuseKept } from "./kept.js";
import { placeFor } from "./place.js";
import { isFreePane } from "./place-rows.js";
import { registerStart } from "./register-start.js";
import { leftPaneFor, placeholderFor } from "./spare-panes.js";
import { type Started, startAgent } from "./start.js";
import { StartFailure } from "./start-failure.js";
import type { TeamWorld } from "./world.js";

export interface Spawn {
  team: TeamName;
  role: Role;
  kind: Kind;
  cwd: string;
  model?: string | null;
  prompt?: string | null;
  /** A new conversation without it. */
  session?: SessionStart;
}

export async function spawnAgent(world: TeamWorld, spawn: Spawn): Promise<Started> {
  const session = spawn.session ?? { how: "create", id: newSession() };
  // A program that is missing is found out before anybody sees a pane come and go.
  agentOfKind(spawn.kind)?.program(world.env);
  return inNewPane(world, spawn, (pane) => startAgent(world, { ...spawn, pane, session }));
}

/** A shell with a role: a place for a person, or for what hivemind does not start itself. */
export async function spawnShell(world: TeamWorld, spawn: Spawn): Promise<Pick<Started, "pane" | "address">> {
  const { team, role, cwd } = spawn;
  const { variables } = agentEnvironment(world.env, {
    role,
    team,
    stores: world.stores.paths.folder,
    folder: null,
  });
  return inNewPane(world, spawn, async (id) => {
    const { address, undo } = await registerStart(world, { id }, { role, team, session: null });
    try {
      await respawnPane(world.tmux, id, { cwd, env: variables });
      await setPaneTitle(world.tmux, id, role);
    } catch (error) {
      await undo();
      if (isTmuxError(error, "no-target")) throw new HiveError(`the shell of ${role} ended at once`);
      throw error;
    }
    return { pane: id, address };
  });
}

export function newSession(): SessionId {
  return randomUUID() as string as SessionId;
}

interface Room {
  /** The panes of the team. */
  own: FleetPane[];
  /** One that a killed run opened, and whether it has its name. */
  left: FleetPane | null;
  isNamed: boolean;
}

/** In a team that runs, and in which nobody has this role yet. */
function roomFor(panes: Panes, world: TeamWorld, team: TeamName, role: Role): Room {
  const own = panes.panes.filter(({ sessionName }) => sessionName === team);
  if (own.length === 0) {
    const isKnown = world.stores.teams.read().rows.some((row) => row.team === team);
    throw new HiveError(`no team "${team}" is running`, {
      hint: isKnown ? `bring it back: hivemind team restart ${team}` : `hivemind team setup ${team} ${role}`,
    });
  }
  const roleAt = rolesIn(panes, world.stores);
  const holder = own.find((pane) => roleAt(pane) === role);
  if (holder === undefined) {
    const left = leftPaneFor(panes, storedRows(world.stores), team, role);
    return { own, left, isNamed: false };
  }
  if (isFreePane(holder) && !holder.dead) return { own, left: holder, isNamed: true };
  throw new HiveError(`${holder.address} is ${role} already`, {
    hint: holder.dead ? `nothing runs there: hivemind agent kill ${role}` : "choose another name",
  });
}

async function inNewPane<T>(
  world: TeamWorld,
  { team, role, cwd }: Spawn,
  work: (pane: PaneId) => Promise<T>,
): Promise<T> {
  const { own, left, isNamed } = roomFor(await world.panes(), world, team, role);
  const pane = left?.id ?? (await openPane(world, own, { argv: placeholderFor(role), cwd }));
  if (left !== null && !isNamed) await tile(world, left);
  try {
    const seen = await world.panes();
    refuseKept(seen, storedRows(world.stores), rowAddress(findPaneIn(seen, pane), world.tmux.server), role);
    return await work(pane);
  } catch (error) {
    const isRunning = error instanceof StartFailure && error.isRunning;
    if (!isRunning && !isNamed) await closePane(world, pane);
    throw error;
  }
}

/** In a tmux session that has these panes. */
export async function openPane(
  world: TeamWorld,
  own: readonly FleetPane[],
  start: PaneStart,
): Promise<PaneId> {
  const { tmux } = world;
  const place = placeFor(own);
  if (place.how === "window") return newWindow(tmux, own[0]!.sessionId, start);
  // The last pane may be small while its window is large: tiled first, there is room to split it.
  await tile(world, place.behind);
  const pane = await splitWindow(tmux, place.behind.id, start);
  await tile(world, place.behind);
  return pane;
}

/** The window of this pane, unless somebody zoomed it. */
export async function tile({ tmux }: TeamWorld, { windowId, windowZoomed }: FleetPane): Promise<void> {
  if (!windowZoomed) await selectLayout(tmux, windowId, "tiled");
}

async function closePane({ tmux }: TeamWorld, pane: PaneId): Promise<void> {
  try {
    await killPane(tmux, pane);
  } catch (error) {
    if (!isTmuxError(error, "no-target")) throw error;
  }
}
