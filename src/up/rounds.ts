// Carries out the steps of a plan in order; agents that ended meanwhile get another round.
//
// - Agents of a kind that allows it start together (teams/start/batches.ts). Their panes are opened in the order of the
//   file, one by one, so the layout does not depend on which of them is up first.
// - An agent that ended is started again, each time after a longer pause. After a few rounds it is given up and
//   reported with its last output. The others continue.
// - An agent that is refused, or does not report its session, is not tried again.
// - If an agent cannot log in, the run stops: the others could not either.
// - An interruption stops after the current batch. The result counts the agents that were not reached.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { Fleet } from "../fleet/observe.js";
import type { Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId, Role, SessionId } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { killAgent } from "../teams/kill.js";
import { batchesOf, batchSays, type Startable } from "../teams/start/batches.js";
import { cannotLogIn, outcomes } from "../teams/start/in-turn.js";
import { sharedWorld } from "../teams/start/shared-world.js";
import { StartFailure } from "../teams/start/start-failure.js";
import { theEnd } from "../teams/start/when-started.js";
import type { TeamWorld } from "../teams/world.js";
import { paneFor, startIn } from "./start-one.js";
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
  own: TeamWorld,
  file: TeamFile,
  first: Round,
  { rounds, next, onAnew }: RoundOptions,
): Promise<RoundsResult> {
  const world = sharedWorld(own);
  const done = new Map<Role, Done>();
  const failures = new Map<Role, HiveError>();
  let { todo, seen } = first;
  for (let round = 0; round < rounds && todo.length > 0; round++) {
    if (round > 0) await backOff(world, round, todo);
    const look = beginningWith(seen, world.panes);
    const left = await takeRound(world, todo, async (steps, quiet) => {
      const ends = await carryOut(quiet, file, steps, look, onAnew);
      for (const { turn, result, error } of ends) {
        if (error === null) {
          done.set(turn.agent, result);
          failures.delete(turn.agent);
        } else {
          done.delete(turn.agent);
          failures.set(turn.agent, error);
        }
      }
      return !ends.some(({ error }) => error !== null && cannotLogIn.test(error.message));
    });
    // An agent that failed before counts as failed, not as not reached.
    const notReached = left.steps.filter(({ agent }) => !failures.has(agent)).length;
    if (left.isOver || left.steps.length > 0 || world.interrupted.aborted)
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
  act: (steps: readonly Step[], quiet: TeamWorld) => Promise<boolean>,
): Promise<{ steps: readonly Step[]; isOver: boolean }> {
  for (const batch of batchesOf(todo, asStart)) {
    const { members, at, gapMs } = batch;
    if (gapMs > 0) await restFor(gapMs, world);
    if (world.interrupted.aborted) return { steps: todo.slice(at), isOver: false };
    world.progress(batchSays(batch, todo.length, members[0]!.agent));
    const goesOn = await act(members, members.length === 1 ? world : { ...world, progress: () => {} });
    world.progress(null);
    if (!goesOn) return { steps: todo.slice(at + members.length), isOver: true };
  }
  return { steps: [], isOver: false };
}

/** Only a plain start may go together with others: everything else first ends, archives or waits for something. */
function asStart({ do: deed, start, session }: Step): Startable {
  const isPlain = start !== null && deed !== "change" && !start.isAnew && start.awaits === null;
  return { kind: start?.wanted.agent.kind ?? "shell", session, isAlone: !isPlain };
}

/** In the order of the steps, once all have ended. */
async function carryOut(
  world: TeamWorld,
  file: TeamFile,
  steps: readonly Step[],
  look: () => Promise<Panes>,
  onAnew: (agent: Role) => void,
) {
  const opened = new Set<PaneId>();
  const ready: { step: Step; go(): Promise<Done> }[] = [];
  for (const step of steps) {
    const seen = await look();
    try {
      ready.push({ step, go: await readied(world, file, step, { seen, opened }, onAnew) });
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      ready.push({ step, go: () => Promise.reject(error) });
    }
  }
  const ends = await outcomes(ready, ({ go }) => go());
  return ends.map(({ turn: { step: turn }, ...end }) => ({ turn, ...end }));
}

/** The first answer is the look that the plan comes from. */
function beginningWith(first: Panes, look: () => Promise<Panes>): () => Promise<Panes> {
  let recent: Panes | null = first;
  return async () => {
    const seen = recent ?? (await look());
    recent = null;
    return seen;
  };
}

/** Makes everything ready for one step, and returns what is left to do. */
async function readied(
  world: TeamWorld,
  file: TeamFile,
  step: Step,
  { seen, opened }: { seen: Panes; opened: Set<PaneId> },
  onAnew: (agent: Role) => void,
): Promise<() => Promise<Done>> {
  const { agent, why, remarks, session, address } = step;
  if (step.start === null)
    return async () => {
      const { waiting } = await killAgent(world, findPaneIn(seen, step.pane!), { isForgotten: false });
      const forget = `hivemind agent forget @${step.agentId}`;
      const queued = waiting > 0 ? [`messages queued for it: ${waiting} (forget it: ${forget})`] : [];
      return { do: step.do, agent, address, session, parent: null, why, remarks: [...remarks, ...queued] };
    };
  const starting = step as Step & { start: Start };
  const place = await paneFor(world, file, starting, { seen, opened }, () => onAnew(agent));
  return async () => {
    const begun = await startIn(world, file, place, starting);
    return { do: step.do, agent, why, remarks, ...begun };
  };
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
