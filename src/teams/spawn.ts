// A new agent in a team that runs: a pane of its own, then the start.
//
// [TSP1] A role is held once in a team; a team that does not run is not made on the way.
// [TSP2] A start that fails takes its pane away again; what it said last is in the error.
// [TSP3] A pane that a run which did not get further kept open for this role is taken, so that the same command goes on.

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
import { type PaneStart, placeholder, respawnPane } from "../tmux/program.js";
import { newWindow, selectLayout } from "../tmux/window.js";
import { agentEnvironment } from "./environment.js";
import { refuseKept } from "./kept.js";
import { placeFor } from "./place.js";
import { isFreePane } from "./place-rows.js";
import { registerStart } from "./register-start.js";
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
  return inNewPane(world, spawn, { argv: placeholder, cwd: spawn.cwd }, (pane) =>
    startAgent(world, { ...spawn, pane, session }),
  );
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
  return inNewPane(world, spawn, { cwd, env: variables }, async (id) => {
    const fleet = await world.observe();
    const pane = fleet.panes.find((each) => each.id === id);
    if (pane === undefined) throw new HiveError(`the shell of ${role} ended at once`);
    const { address } = await registerStart(world, pane, { role, team, session: null });
    await setPaneTitle(world.tmux, id, role);
    return { pane: id, address };
  });
}

export function newSession(): SessionId {
  return randomUUID() as string as SessionId;
}

interface Room {
  /** The panes of the team. */
  own: FleetPane[];
  /** One that was kept open for this role. */
  kept: PaneId | null;
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
  if (holder === undefined) return { own, kept: null };
  if (isFreePane(holder) && !holder.dead) return { own, kept: holder.id };
  throw new HiveError(`${holder.address} is ${role} already`, {
    hint: holder.process === null ? `nothing runs there: hivemind agent kill ${role}` : "choose another name",
  });
}

async function inNewPane<T>(
  world: TeamWorld,
  { team, role }: Spawn,
  start: PaneStart,
  work: (pane: PaneId) => Promise<T>,
): Promise<T> {
  const { own, kept } = roomFor(await world.panes(), world, team, role);
  const pane = kept ?? (await openPane(world, own, start));
  if (kept !== null) await respawnPane(world.tmux, kept, start);
  try {
    const seen = await world.panes();
    refuseKept(seen, storedRows(world.stores), rowAddress(findPaneIn(seen, pane)), role);
    return await work(pane);
  } catch (error) {
    const isRunning = error instanceof StartFailure && error.isRunning;
    if (!isRunning && kept === null) await closePane(world, pane);
    throw error;
  }
}

async function openPane(world: TeamWorld, own: readonly FleetPane[], start: PaneStart): Promise<PaneId> {
  const { tmux } = world;
  const place = placeFor(own);
  if (place.how === "window") return newWindow(tmux, own[0]!.sessionId, start);
  const { id, windowId } = place.behind;
  // The last pane may be small while its window is large: tiled first, there is room to split it.
  const tile = () => selectLayout(tmux, windowId, "tiled");
  await tile();
  const pane = await splitWindow(tmux, id, start);
  await tile();
  return pane;
}

async function closePane({ tmux }: TeamWorld, pane: PaneId): Promise<void> {
  try {
    await killPane(tmux, pane);
  } catch (error) {
    if (!isTmuxError(error, "no-target")) throw error;
  }
}
