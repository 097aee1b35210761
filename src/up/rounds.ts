// Carries out the steps of a plan one after the other; agents that ended meanwhile get another round.
//
// - An agent that ended is started again, each time after a longer pause. After a few rounds it is given up and
//   reported with its last output. The others continue.
// - An agent that is refused, or does not report its session, is not tried again.
// - If an agent cannot log in, the run stops: the others could not either.
// - An interruption stops after the current step. The result counts the agents that were not reached.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { Fleet } from "../fleet/observe.js";
import type { Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { killAgent } from "../teams/kill.js";
import { cannotLogIn } from "../teams/start/in-turn.js";
import { theEnd } from "../teams/start/start.js";
import { StartFailure } from "../teams/start/start-failure.js";
import type { TeamWorld } from "../teams/world.js";
import { startOne } from "./start-one.js";
import type { Deed, Start, Step } from "./step.js";

export interface Done {
  do: Deed;
  agent: Role;
  address: PaneAddress | null;
  session: SessionId | null;
  parent: SessionId | null;
  why: string;
  remarks: readonly string[];
}

export interface RoundsResult {
  done: ReadonlyMap<Role, Done>;
  failures: ReadonlyMap<Role, HiveError>;
  notReached: number;
  /** The look after the last step; null if the run stopped early. */
  seen: Fleet | null;
}

/** The steps to do, and the look they come from. */
export interface Round {
  todo: readonly Step[];
  seen: Fleet;
}

export interface RoundOptions {
  rounds: number;
  /** Takes a new look. */
  next(): Promise<Round>;
  /** This agent's old conversation has been archived: that is not done a second time. */
  onAnew(agent: Role): void;
}

export async function takeRounds(
  world: TeamWorld,
  file: TeamFile,
  first: Round,
  { rounds, next, onAnew }: RoundOptions,
): Promise<RoundsResult> {
  const done = new Map<Role, Done>();
  const failures = new Map<Role, HiveError>();
  let { todo, seen } = first;
  for (let round = 0; round < rounds && todo.length > 0; round++) {
    if (round > 0) await backOff(world, round, todo);
    let isOver = false;
    const left = await takeRound(world, todo, async (step, at) => {
      try {
        const now = at === 0 ? seen : await world.panes();
        done.set(step.agent, await carryOut(world, file, step, now, () => onAnew(step.agent)));
        failures.delete(step.agent);
      } catch (error) {
        if (!(error instanceof HiveError)) throw error;
        done.delete(step.agent);
        failures.set(step.agent, error);
        isOver = cannotLogIn.test(error.message);
      }
      return !isOver;
    });
    // An agent that failed before counts as failed, not as not reached.
    const notReached = left.filter(({ agent }) => !failures.has(agent)).length;
    if (isOver || left.length > 0 || world.interrupted.aborted)
      return { done, failures, notReached, seen: null };
    // An agent that ended before may end again soon: wait a moment.
    if (round > 0) await restFor(limits.upSettleMs, world);
    ({ todo, seen } = await next());
    todo = todo.filter(({ agent }) => isWorthAgain(failures.get(agent)));
  }
  for (const step of todo) {
    done.delete(step.agent);
    failures.set(step.agent, await crashLoop(world, step, rounds, failures.get(step.agent)));
  }
  return { done, failures, notReached: 0, seen };
}

/** The steps that were not reached. `act` returns whether to continue. */
async function takeRound(
  world: TeamWorld,
  todo: readonly Step[],
  act: (step: Step, at: number) => Promise<boolean>,
): Promise<readonly Step[]> {
  for (const [at, step] of todo.entries()) {
    // Only programs that log in need the gap: a shell has no token to race for.
    if (at > 0 && step.start?.session) await restFor(limits.startGapMs, world);
    if (world.interrupted.aborted) return todo.slice(at);
    world.progress(`${at + 1} of ${todo.length}: ${step.agent}`);
    const goesOn = await act(step, at);
    world.progress(null);
    if (!goesOn) return todo.slice(at + 1);
  }
  return [];
}

async function carryOut(
  world: TeamWorld,
  file: TeamFile,
  step: Step,
  seen: Panes,
  onAnew: () => void,
): Promise<Done> {
  const { agent, why, remarks, session, address } = step;
  if (step.start === null) {
    const { waiting } = await killAgent(world, findPaneIn(seen, step.pane!), { isForgotten: false });
    const forget = `hivemind agent forget @${step.agentId}`;
    const queued = waiting > 0 ? [`messages queued for it: ${waiting} (forget it: ${forget})`] : [];
    return { do: step.do, agent, address, session, parent: null, why, remarks: [...remarks, ...queued] };
  }
  const place = await startOne(world, file, step as Step & { start: Start }, seen, onAnew);
  return { do: step.do, agent, why, remarks, ...place };
}

/** Only an agent that ended can do better the next time. */
function isWorthAgain(failure: HiveError | undefined): boolean {
  return failure === undefined || (failure instanceof StartFailure && failure.reason === "ended");
}

async function backOff(world: TeamWorld, round: number, todo: readonly Step[]): Promise<void> {
  const restMs = Math.min(limits.upBackoffMs * 2 ** (round - 1), limits.upBackoffCapMs);
  const who = todo.map(({ agent }) => agent).join(", ");
  world.say(`${who} ended; retrying in ${restMs / 1000} s`);
  await restFor(restMs, world);
}

async function restFor(ms: number, { interrupted }: TeamWorld): Promise<void> {
  await rest(ms, undefined, { signal: interrupted }).catch(() => {});
}

async function crashLoop(
  world: TeamWorld,
  { agent, pane }: Step,
  rounds: number,
  last: HiveError | undefined,
): Promise<HiveError> {
  const hint = `look at its pane, or start fresh: hivemind up ${agent} --fresh`;
  const often = `gave up after ${rounds} ${rounds === 1 ? "try" : "tries"}`;
  if (last !== undefined) return new HiveError(`${often}: ${last.message}`, { hint });
  const found = (await world.panes()).panes.find(({ id }) => id === pane);
  const { words } = found === undefined ? { words: [] } : await theEnd(world, found);
  const quoted = words.length > 0 ? `: ${words.join(" / ")}` : "";
  return new HiveError(`${often}: it ends soon after its start${quoted}`, { hint });
}
