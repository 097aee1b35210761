// A new team: a tmux session with one pane a role, and an agent in each.
//
// [SU1] A name that runs or is registered is refused, and so is a role named twice, before anything is made.
// [SU2] Agents are started one after the other. One that does not come up is told with its reason, and the others go on.
// [SU3] Where none came up nothing is left: no tmux session, no row.
// [SU4] An interruption stops behind the agent that is being started. Of those that were not reached nothing is left, and
//       the command that brings each of them in is told.

import type { Kind } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { PaneId, Role, TeamName } from "../names/gates.js";
import { listServer } from "../tmux/listing.js";
import { killPane, splitWindow } from "../tmux/pane.js";
import { placeholder } from "../tmux/program.js";
import { killSession, newSession } from "../tmux/session.js";
import { newWindow, selectLayout } from "../tmux/window.js";
import { placeFor } from "./place.js";
import { newSession as newSessionId } from "./spawn.js";
import { type Started, startAgent } from "./start.js";
import { StartFailure } from "./start-failure.js";
import type { TeamWorld } from "./world.js";

export interface TeamSetup {
  team: TeamName;
  roles: readonly Role[];
  kind: Kind;
  cwd: string;
  model?: string;
}

export interface Seat {
  role: Role;
  started: Started | null;
  /** Why it did not start. */
  why: string | null;
  /** False of one that was not tried: nothing of it is left. */
  isReached: boolean;
}

/** Called while nobody else changes the team. */
export async function setUpTeam(world: TeamWorld, setup: TeamSetup): Promise<Seat[]> {
  const { team, roles } = setup;
  const agent = agentOfKind(setup.kind);
  if (agent === null) throw new HiveError(`hivemind does not know how to start a ${setup.kind}`);
  // One that is not installed is told once, not for each role.
  agent.program(world.env);
  const double = roles.find((role, at) => roles.indexOf(role) !== at);
  if (double !== undefined) throw new HiveError(`the role ${double} is named twice`);
  await refuseTakenName(world, team);

  const panes = await openPanes(world, setup);
  await world.emit({ name: "team.created", team, description: "" });
  const seats: Seat[] = [];
  let isLeftRunning = false;
  for (const [at, role] of roles.entries()) {
    if (world.interrupted.aborted) {
      await killPane(world.tmux, panes[at]!);
      seats.push({ role, started: null, why: "not started: interrupted", isReached: false });
      continue;
    }
    world.progress(`starting ${role} (${at + 1} of ${roles.length})`);
    try {
      const started = await start(world, setup, role, panes[at]!);
      seats.push({ role, started, why: null, isReached: true });
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      isLeftRunning ||= error instanceof StartFailure && error.isRunning;
      seats.push({ role, started: null, why: error.message, isReached: true });
    }
  }
  world.progress(null);
  if (isLeftRunning || seats.some(({ started }) => started !== null)) await world.refresh(team);
  else await undo(world, team);
  return seats;
}

function start(world: TeamWorld, setup: TeamSetup, role: Role, pane: PaneId): Promise<Started> {
  const { team, kind, cwd, model = null } = setup;
  const session = { how: "create", id: newSessionId() } as const;
  return startAgent(world, { pane, kind, session, role, team, cwd, model });
}

async function refuseTakenName({ tmux, stores }: TeamWorld, team: TeamName): Promise<void> {
  const isRunning = (await listServer(tmux)).sessions.some(({ name }) => name === team);
  const isTeam = stores.teams.read().rows.some((row) => row.team === team);
  if (isRunning) {
    const instead = isTeam
      ? `bring one more agent into it: hivemind agent spawn ROLE --team ${team}`
      : `name the agents that run there: hivemind agent adopt ${team}`;
    throw new HiveError(`there is a tmux session "${team}" already`, {
      hint: `choose another name, or ${instead}`,
    });
  }
  if (isTeam) {
    throw new HiveError(`there is a team "${team}" already, which does not run`, {
      hint: `hivemind team restart ${team} – or forget it: hivemind team remove ${team}`,
    });
  }
}

/** One pane for each role, in their order, tiled; where a window is full the next one begins. */
async function openPanes(world: TeamWorld, { team, roles, cwd }: TeamSetup): Promise<PaneId[]> {
  const { tmux, stores } = world;
  const lock = stores.sizeLocks.read().rows.find((row) => row.team === team);
  const { width, height } = lock ?? { width: limits.birthWidth, height: limits.birthHeight };
  const inside = { cwd, argv: placeholder };
  const first = await newSession(tmux, { name: team, width, height, ...inside });
  const panes = [first.pane];
  try {
    while (panes.length < roles.length) {
      const own = (await world.panes()).panes.filter(({ sessionName }) => sessionName === team);
      const place = placeFor(own);
      if (place.how === "window") panes.push(await newWindow(tmux, first.sessionId, inside));
      else {
        panes.push(await splitWindow(tmux, place.behind.id, inside));
        await selectLayout(tmux, place.behind.windowId, "tiled");
      }
    }
  } catch (error) {
    await killSession(tmux, first.sessionId);
    throw error;
  }
  return panes;
}

async function undo(world: TeamWorld, team: TeamName): Promise<void> {
  // It went with its last pane where nothing was reached.
  const isThere = (await listServer(world.tmux)).sessions.some(({ name }) => name === team);
  if (isThere) await killSession(world.tmux, team);
  await world.emit({ name: "team.destroyed", team });
}
