// A new team: a tmux session with one pane a role, and an agent in each.
//
// [SU1] A name that runs or is registered is refused, but for SU5, and so is a role named twice, before anything is made.
// [SU2] Agents are started one after the other. One that does not come up is told with its reason, and the others go on.
// [SU3] Where none came up nothing is left: no tmux session, no row. What waits for others of an earlier team stays.
// [SU4] An interruption stops behind the agent that is being started. Of those that were not reached nothing is left, and
//       the command that brings each of them in is told.
// [SU5] Killed at any moment, the same command goes on from there; who is there already is left alone.

import type { Kind } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { storedRows } from "../fleet/moves.js";
import type { FleetPane } from "../fleet/panes.js";
import { rolesIn } from "../fleet/resolve.js";
import { limits } from "../limits.js";
import { addressParts, type PaneId, type Role, type TeamName } from "../names/gates.js";
import { listServer } from "../tmux/listing.js";
import { killPane } from "../tmux/pane.js";
import type { PaneStart } from "../tmux/program.js";
import { killSession, newSession } from "../tmux/session.js";
import { isFreePane } from "./place-rows.js";
import { type SetupLeft, setupLeft } from "./setup-left.js";
import { placeholderFor } from "./spare-panes.js";
import { newSession as newSessionId, openPane, tile } from "./spawn.js";
import { type Started, startAgent } from "./start.js";
import { StartFailure } from "./start-failure.js";
import { questionsIn } from "./start-question.js";
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
  /** Null where it did not come up. */
  started: Pick<Started, "address" | "waitsFor"> | null;
  /** It was there before. */
  isOld: boolean;
  /** Why it did not start. */
  why: string | null;
  /** False of one that was not tried: nothing of it is left. */
  isReached: boolean;
}

export interface SetUp {
  seats: Seat[];
  /** Nothing of the team is left. */
  isGone: boolean;
}

/** Called while nobody else changes the team. */
export async function setUpTeam(world: TeamWorld, setup: TeamSetup): Promise<SetUp> {
  const { team, roles } = setup;
  const agent = agentOfKind(setup.kind);
  if (agent === null) throw new HiveError(`hivemind does not know how to start a ${setup.kind}`);
  // One that is not installed is told once, not for each role.
  agent.program(world.env);
  const double = roles.find((role, at) => roles.indexOf(role) !== at);
  if (double !== undefined) throw new HiveError(`the role ${double} is named twice`);
  const isTeam = world.stores.teams.read().rows.some((row) => row.team === team);
  const left = await leftIn(world, setup, isTeam);

  const panes = await openPanes(world, setup, left);
  if (!isTeam) await world.emit({ name: "team.created", team, description: "" });
  const seats: Seat[] = [];
  let isKept = false;
  for (const [at, role] of roles.entries()) {
    const there = left?.named.get(role);
    if (there !== undefined && (there.dead || !isFreePane(there))) {
      isKept = true;
      seats.push(oldSeat(role, there));
      continue;
    }
    if (world.interrupted.aborted) {
      await killPane(world.tmux, panes[at]!);
      seats.push({ ...failed(role, "not started: interrupted"), isReached: false });
      continue;
    }
    world.progress(`starting ${role} (${at + 1} of ${roles.length})`);
    try {
      const started = await start(world, setup, role, panes[at]!);
      isKept = true;
      seats.push({ role, started, isOld: false, why: null, isReached: true });
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      isKept ||= error instanceof StartFailure && error.isRunning;
      seats.push(failed(role, error.message));
    }
  }
  world.progress(null);
  if (seats.some(({ isOld }) => isOld)) await noteQuestions(world, team, seats);
  if (isKept) await world.refresh(team);
  else await undo(world, setup);
  return { seats, isGone: !isKept };
}

function oldSeat(role: Role, { dead, address }: FleetPane): Seat {
  if (dead)
    return failed(role, `it has ended in ${address}; bring it back: hivemind agent restart ${address}`);
  return { role, started: { address, waitsFor: null }, isOld: true, why: null, isReached: true };
}

/** Who was there before may stand at a question all the same. */
async function noteQuestions(world: TeamWorld, team: TeamName, seats: readonly Seat[]): Promise<void> {
  for (const { role, says } of await questionsIn(world, team)) {
    const seat = seats.find((each) => each.isOld && each.role === role);
    if (seat?.started) seat.started = { ...seat.started, waitsFor: says };
  }
}

function failed(role: Role, why: string): Seat {
  return { role, started: null, isOld: false, why, isReached: true };
}

function start(world: TeamWorld, setup: TeamSetup, role: Role, pane: PaneId): Promise<Started> {
  const { team, kind, cwd, model = null } = setup;
  const session = { how: "create", id: newSessionId() } as const;
  return startAgent(world, { pane, kind, session, role, team, cwd, model });
}

/** What an earlier run of the same command left; null where nothing runs. A name that is taken is refused. */
async function leftIn(
  world: TeamWorld,
  { team, roles }: TeamSetup,
  isTeam: boolean,
): Promise<SetupLeft | null> {
  const isRunning = (await listServer(world.tmux)).sessions.some(({ name }) => name === team);
  if (!isRunning && isTeam) {
    throw new HiveError(`there is a team "${team}" already, which does not run`, {
      hint: `hivemind team restart ${team} – or forget it: hivemind team remove ${team}`,
    });
  }
  if (!isRunning) return null;
  const seen = await world.panes();
  const own = seen.panes.filter(({ sessionName }) => sessionName === team);
  const left = setupLeft(seen, storedRows(world.stores), team, roles);
  if (left !== null && own.length > 0) return left;
  const roleOf = rolesIn(seen, world.stores);
  const isUnnamed = own.some((pane) => pane.process !== null && roleOf(pane) === null);
  const instead = isUnnamed
    ? `name the agents that run there: hivemind agent adopt ${team}`
    : `bring one more agent into it: hivemind agent spawn ROLE --team ${team}`;
  throw new HiveError(`there is a tmux session "${team}" already`, {
    hint: `choose another name, or ${instead}`,
  });
}

/** One pane for each role, in their order, tiled; where a window is full the next one begins. */
async function openPanes(world: TeamWorld, setup: TeamSetup, left: SetupLeft | null): Promise<PaneId[]> {
  const { team, roles, cwd } = setup;
  for (const { id } of left?.surplus ?? []) await killPane(world.tmux, id);
  // It may have been killed between a split and its tiles.
  for (const pane of left?.nameless.values() ?? []) await tile(world, pane);
  const panes: PaneId[] = [];
  try {
    for (const role of roles) {
      const its = left?.named.get(role) ?? left?.nameless.get(role);
      panes.push(its?.id ?? (await newPane(world, team, { cwd, argv: placeholderFor(role) })));
    }
  } catch (error) {
    if (left === null && panes.length > 0) await killSession(world.tmux, team);
    throw error;
  }
  return panes;
}

async function newPane(world: TeamWorld, team: TeamName, inside: PaneStart): Promise<PaneId> {
  const own = (await world.panes()).panes.filter(({ sessionName }) => sessionName === team);
  if (own.length > 0) return openPane(world, own, inside);
  const lock = world.stores.sizeLocks.read().rows.find((row) => row.team === team);
  const { width, height } = lock ?? { width: limits.birthWidth, height: limits.birthHeight };
  return (await newSession(world.tmux, { name: team, width, height, ...inside })).pane;
}

async function undo(world: TeamWorld, { team, roles }: TeamSetup): Promise<void> {
  // It went with its last pane where nothing was reached.
  const isThere = (await listServer(world.tmux)).sessions.some(({ name }) => name === team);
  if (isThere) await killSession(world.tmux, team);
  const rows = storedRows(world.stores).roles.filter(({ pane }) => addressParts(pane).team === team);
  if (rows.every(({ role }) => roles.includes(role))) await world.emit({ name: "team.destroyed", team });
}
