// Makes a new team: a tmux session with one pane per role and one agent in each.
//
// - A team name that runs or is registered is refused before anything is made, except when a setup continues. A role
//   given twice is refused too.
// - Agents start one after the other. If one fails, the result has its reason, and the others still start.
// - If none came up, nothing is left: no tmux session, no team, no agent. Agents of an earlier team stay.
// - An interruption stops after the agent that is being started. Agents that were not reached leave nothing, and the
//   output names the command that starts each of them.
// - After a kill at any moment, the same command continues. Agents that already run are left alone.

import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import type { FleetPane } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import type { PaneId, Role, TeamName } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import { listServer } from "../tmux/listing.js";
import { killPane } from "../tmux/pane.js";
import { killSession } from "../tmux/session.js";
import { type SetupLeft, setupLeft } from "./setup-left.js";
import { isFreePane } from "./snapshot/place-rows.js";
import { placeholderFor } from "./spare-panes.js";
import { newSession as newSessionId, openPaneIn, tile } from "./spawn.js";
import { type Started, startAgent } from "./start/start.js";
import { StartFailure } from "./start/start-failure.js";
import { questionsIn } from "./start/start-question.js";
import type { TeamWorld } from "./world.js";

export interface TeamSetup {
  team: TeamName;
  roles: readonly Role[];
  kind: Kind;
  cwd: string;
  model?: string;
}

export interface SetupResult {
  role: Role;
  /** Null if it did not come up. */
  started: Pick<Started, "address" | "waitsFor"> | null;
  /** It ran before. */
  isOld: boolean;
  /** Why it did not start. */
  why: string | null;
  /** False if it was not tried: it left nothing. */
  isReached: boolean;
}

export interface SetUp {
  seats: SetupResult[];
  /** The team left nothing. */
  isGone: boolean;
}

/** The caller holds the team. */
export async function setUpTeam(world: TeamWorld, setup: TeamSetup): Promise<SetUp> {
  const { team, roles } = setup;
  const agent = agentOfKind(setup.kind);
  if (agent === null) throw new HiveError(`hivemind does not know how to start a ${setup.kind}`);
  // A missing program is reported once, not per role.
  agent.program(world.env);
  const double = roles.find((role, at) => roles.indexOf(role) !== at);
  if (double !== undefined) throw new HiveError(`the role ${double} is given twice`);
  const isTeam = world.stores.teams.read().rows.some((row) => row.team === team);
  const left = await leftIn(world, setup, isTeam);

  const panes = await openPanes(world, setup, left);
  if (!isTeam) await world.emit({ name: "team.created", team, description: "" });
  const seats: SetupResult[] = [];
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

function oldSeat(role: Role, { dead, address }: FleetPane): SetupResult {
  if (dead) return failed(role, `it ended in ${address}; restart it: hivemind agent restart ${address}`);
  return { role, started: { address, waitsFor: null }, isOld: true, why: null, isReached: true };
}

/** An agent that ran before may still be waiting at a question. */
async function noteQuestions(world: TeamWorld, team: TeamName, seats: readonly SetupResult[]): Promise<void> {
  for (const { role, says } of await questionsIn(world, team)) {
    const seat = seats.find((each) => each.isOld && each.role === role);
    if (seat?.started) seat.started = { ...seat.started, waitsFor: says };
  }
}

function failed(role: Role, why: string): SetupResult {
  return { role, started: null, isOld: false, why, isReached: true };
}

function start(world: TeamWorld, setup: TeamSetup, role: Role, pane: PaneId): Promise<Started> {
  const { team, kind, cwd, model = null } = setup;
  const session = { how: "create", id: newSessionId() } as const;
  return startAgent(world, { pane, kind, session, role, team, cwd, model });
}

/** What an earlier run of the same command left; null if nothing runs. A name in use is refused. */
async function leftIn(
  world: TeamWorld,
  { team, roles }: TeamSetup,
  isTeam: boolean,
): Promise<SetupLeft | null> {
  const isRunning = (await listServer(world.tmux)).sessions.some(({ name }) => name === team);
  if (!isRunning && isTeam) {
    throw new HiveError(`the team "${team}" exists already; it is not running`, {
      hint: `hivemind team restart ${team} – or forget it: hivemind team remove ${team}`,
    });
  }
  if (!isRunning) return null;
  const seen = await world.panes();
  const own = seen.panes.filter(({ sessionName }) => sessionName === team);
  const left = setupLeft(seen, team, roles);
  if (left !== null && own.length > 0) return left;
  const isUnnamed = own.some((pane) => pane.process !== null && roleOf(pane) === null);
  const instead = isUnnamed
    ? `name the agents that run there: hivemind agent adopt ${team}`
    : `add an agent to it: hivemind agent spawn ROLE --team ${team}`;
  throw new HiveError(`a tmux session "${team}" exists already`, {
    hint: `choose another name, or ${instead}`,
  });
}

/** One pane per role, in order, tiled. When a window is full, the next one begins. */
async function openPanes(world: TeamWorld, setup: TeamSetup, left: SetupLeft | null): Promise<PaneId[]> {
  const { team, roles, cwd } = setup;
  for (const { id } of left?.surplus ?? []) await killPane(world.tmux, id);
  // The earlier run may have been killed between a split and the tiling.
  for (const pane of left?.nameless.values() ?? []) await tile(world, pane);
  const panes: PaneId[] = [];
  try {
    for (const role of roles) {
      const its = left?.named.get(role) ?? left?.nameless.get(role);
      panes.push(
        its?.id ??
          (await openPaneIn(world, team, await panesNow(world, team), { cwd, argv: placeholderFor(role) })),
      );
    }
  } catch (error) {
    if (left === null && panes.length > 0) await killSession(world.tmux, team);
    throw error;
  }
  return panes;
}

async function panesNow(world: TeamWorld, team: TeamName): Promise<FleetPane[]> {
  return (await world.panes()).panes.filter(({ sessionName }) => sessionName === team);
}

async function undo(world: TeamWorld, { team, roles }: TeamSetup): Promise<void> {
  // If no role was reached, the tmux session ended with its last pane.
  const isThere = (await listServer(world.tmux)).sessions.some(({ name }) => name === team);
  if (isThere) await killSession(world.tmux, team);
  const { roster } = await world.change();
  const own = roster.agents.filter((agent) => agent.team === team);
  if (own.every(({ role }) => role !== null && roles.includes(role)))
    await world.emit({ name: "team.destroyed", team });
}
