// Adds a new agent to a running team: opens its pane, then starts it.
//
// - A role is unique in its team. A team that does not run is not made on the way.
// - If the start fails, its pane is closed again; the error has its last output.
// - A pane that a killed run opened for this role, named or not, is used: the same command continues and leaves
//   nothing else behind.

import { randomUUID } from "node:crypto";
import { agentOfKind } from "../agents/all.js";
import type { SessionStart } from "../agents/launch.js";
import { HiveError } from "../base/errors.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { roleHolder, standingIn } from "../fleet/roster/roster.js";
import { limits } from "../limits.js";
import type { PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import { isTmuxError } from "../tmux/error.js";
import { killPane, setPaneTitle, splitWindow } from "../tmux/pane.js";
import { type PaneStart, respawnPane } from "../tmux/program.js";
import { newSession as newTmuxSession } from "../tmux/session.js";
import { newWindow, selectLayout } from "../tmux/window.js";
import { placeFor } from "./place.js";
import { isFreePane } from "./snapshot/place-rows.js";
import { leftPaneFor, placeholderFor } from "./spare-panes.js";
import { agentEnvironment } from "./start/environment.js";
import { seatAgent } from "./start/seat-agent.js";
import { roleTaken } from "./start/seating.js";
import { type Started, startAgent } from "./start/start.js";
import { StartFailure } from "./start/start-failure.js";
import type { TeamWorld } from "./world.js";

export interface Spawn {
  team: TeamName;
  role: Role;
  kind: Kind;
  cwd: string;
  model?: string | null;
  permissionMode?: string | null;
  prompt?: string | null;
  acceptsInbound?: boolean;
  /** It gets hivemind's tools. */
  hasTools?: boolean;
  /** Default: a new conversation. */
  session?: SessionStart;
}

export async function spawnAgent(world: TeamWorld, spawn: Spawn): Promise<Started> {
  const session = spawn.session ?? { how: "create", id: newSession() };
  // Checks for the program first, so that no pane opens in vain.
  agentOfKind(spawn.kind)?.program(world.env);
  return inNewPane(world, spawn, (pane) => startAgent(world, { ...spawn, pane, session }));
}

/** A shell with a role, for a person or for a program that hivemind does not start. */
export async function spawnShell(world: TeamWorld, spawn: Spawn): Promise<Pick<Started, "pane" | "address">> {
  const { team, role, cwd } = spawn;
  const { variables } = agentEnvironment(world.env, {
    role,
    team,
    stores: world.stores.paths.folder,
    folder: null,
  });
  return inNewPane(world, spawn, async (id) => {
    const { address, done, undo } = await seatAgent(world, {
      pane: id,
      role,
      team,
      kind: "shell",
      session: null,
    });
    try {
      await respawnPane(world.tmux, id, { cwd, env: variables });
      await setPaneTitle(world.tmux, id, role);
      await done();
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
  /** A pane that a killed run opened, and whether it has its role. */
  left: FleetPane | null;
  isNamed: boolean;
}

/** The team must run, and the role must be free. */
function roomFor(panes: Panes, world: TeamWorld, team: TeamName, role: Role): Room {
  const own = panes.panes.filter(({ sessionName }) => sessionName === team);
  if (own.length === 0) {
    const isKnown = world.stores.teams.read().rows.some((row) => row.team === team);
    throw new HiveError(`no team "${team}" is running`, {
      hint: isKnown ? `bring it back: hivemind team restart ${team}` : `hivemind team setup ${team} ${role}`,
    });
  }
  const holder = roleHolder(panes.roster, team, role);
  if (holder === undefined) return { own, left: leftPaneFor(panes, team, role), isNamed: false };
  const its = own.find((pane) => pane.agent?.id === holder.id);
  if (its !== undefined && isFreePane(its) && !its.dead) return { own, left: its, isNamed: true };
  if (its?.dead && standingIn(panes.roster, holder) === "present")
    throw new HiveError(`${its.address} is ${role} already, but has ended`, {
      hint: `restart it: hivemind agent restart ${its.address}`,
    });
  throw roleTaken(panes.roster, holder);
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
    return await work(pane);
  } catch (error) {
    const isRunning = error instanceof StartFailure && error.isRunning;
    if (!isRunning && !isNamed) await closePane(world, pane);
    throw error;
  }
}

/** In the tmux session of these panes. */
export async function openPane(
  world: TeamWorld,
  own: readonly FleetPane[],
  start: PaneStart,
): Promise<PaneId> {
  const { tmux } = world;
  const place = placeFor(own);
  if (place.how === "window") return newWindow(tmux, own[0]!.sessionId, start);
  // The last pane may be small while its window is large: tiling first makes room to split it.
  await tile(world, place.behind);
  const pane = await splitWindow(tmux, place.behind.id, start);
  await tile(world, place.behind);
  return pane;
}

/** The same; makes a tmux session if the team has no pane. */
export async function openPaneIn(
  world: TeamWorld,
  team: TeamName,
  own: readonly FleetPane[],
  start: PaneStart,
): Promise<PaneId> {
  if (own.length > 0) return openPane(world, own, start);
  const lock = world.stores.sizeLocks.read().rows.find((row) => row.team === team);
  const { width, height } = lock ?? { width: limits.birthWidth, height: limits.birthHeight };
  return (await newTmuxSession(world.tmux, { name: team, width, height, ...start })).pane;
}

/** Tiles the window of this pane, unless it is zoomed. */
export async function tile({ tmux }: TeamWorld, { windowId, windowZoomed }: FleetPane): Promise<void> {
  if (!windowZoomed) await selectLayout(tmux, windowId, "tiled");
}

export async function closePane({ tmux }: TeamWorld, pane: PaneId): Promise<void> {
  try {
    await killPane(tmux, pane);
  } catch (error) {
    if (!isTmuxError(error, "no-target")) throw error;
  }
}
