// The steps of a plan are carried out one after the other; what ended meanwhile gets another round.
//
// [UU2] What ended meanwhile is started again, each time after a longer rest; after a few rounds it is left with its last
//       words, and told. The others go on.
// [UU3] What is refused, or does not tell which session it is in, is not tried again.
// [UU5] The first that cannot log in ends it: the others could not either.
// [UU6] An interruption stops behind the step that is being done; those that were not reached are counted.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { findPaneIn } from "../fleet/find-pane.js";
import { limits } from "../limits.js";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { cannotLogIn } from "../teams/in-turn.js";
import { killAgent } from "../teams/kill.js";
import { theEnd } from "../teams/start.js";
import { StartFailure } from "../teams/start-failure.js";
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

export interface Taken {
  done: ReadonlyMap<Role, Done>;
  failures: ReadonlyMap<Role, HiveError>;
  notReached: number;
}

export interface RoundOptions {
  rounds: number;
  /** What is still to be done, by a new look. */
  next(): Promise<Step[]>;
  /** What this agent said has been put aside: that is not done a second time. */
  onAnew(agent: Role): void;
}

export async function takeRounds(
  world: TeamWorld,
  file: TeamFile,
  first: readonly Step[],
  { rounds, next, onAnew }: RoundOptions,
): Promise<Taken> {
  const done = new Map<Role, Done>();
  const failures = new Map<Role, HiveError>();
  let todo = first;
  for (let round = 0; round < rounds && todo.length > 0; round++) {
    if (round > 0) await backOff(world, round, todo);
    let isOver = false;
    const left = await takeRound(world, todo, async (step) => {
      try {
        done.set(step.agent, await carryOut(world, file, step, () => onAnew(step.agent)));
        failures.delete(step.agent);
      } catch (error) {
        if (!(error instanceof HiveError)) throw error;
        done.delete(step.agent);
        failures.set(step.agent, error);
        isOver = cannotLogIn.test(error.message);
      }
      return !isOver;
    });
    // Who failed before is told with that.
    const notReached = left.filter(({ agent }) => !failures.has(agent)).length;
    if (isOver || left.length > 0 || world.interrupted.aborted) return { done, failures, notReached };
    // Who ended before may end again: a moment tells.
    if (round > 0) await restFor(limits.upSettleMs, world);
    todo = (await next()).filter(({ agent }) => isWorthAgain(failures.get(agent)));
  }
  for (const step of todo) {
    done.delete(step.agent);
    failures.set(step.agent, await crashLoop(world, step, rounds, failures.get(step.agent)));
  }
  return { done, failures, notReached: 0 };
}

/** Those that were not reached. `act` tells whether to go on. */
async function takeRound(
  world: TeamWorld,
  todo: readonly Step[],
  act: (step: Step) => Promise<boolean>,
): Promise<readonly Step[]> {
  for (const [at, step] of todo.entries()) {
    // Programs that log in: a shell has no token to race for.
    if (at > 0 && step.start?.session) await restFor(limits.startGapMs, world);
    if (world.interrupted.aborted) return todo.slice(at);
    world.progress(`${at + 1} of ${todo.length}: ${step.agent}`);
    const goesOn = await act(step);
    world.progress(null);
    if (!goesOn) return todo.slice(at + 1);
  }
  return [];
}

async function carryOut(world: TeamWorld, file: TeamFile, step: Step, onAnew: () => void): Promise<Done> {
  const { agent, why, remarks, session, address } = step;
  if (step.start === null) {
    const { buried } = await killAgent(world, findPaneIn(await world.panes(), step.pane!));
    const waited = `messages that waited for it: ${buried}, kept among the dead letters`;
    const said = buried > 0 ? [...remarks, waited] : remarks;
    return { do: step.do, agent, address, session, parent: null, why, remarks: said };
  }
  const place = await startOne(world, file, step as Step & { start: Start }, onAnew);
  return { do: step.do, agent, why, remarks, ...place };
}

/** Only what ended can do better the next time. */
function isWorthAgain(failure: HiveError | undefined): boolean {
  return failure === undefined || (failure instanceof StartFailure && failure.reason === "ended");
}

async function backOff(world: TeamWorld, round: number, todo: readonly Step[]): Promise<void> {
  const restMs = Math.min(limits.upBackoffMs * 2 ** (round - 1), limits.upBackoffCapMs);
  const who = todo.map(({ agent }) => agent).join(", ");
  world.say(`${who} ended; again in ${restMs / 1000} s`);
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
  const hint = `look at its pane, or begin anew: hivemind up ${agent} --fresh`;
  const often = `given up after ${rounds} ${rounds === 1 ? "try" : "tries"}`;
  if (last !== undefined) return new HiveError(`${often}: ${last.message}`, { hint });
  const found = (await world.panes()).panes.find(({ id }) => id === pane);
  const { words } = found === undefined ? { words: [] } : await theEnd(world, found);
  const quoted = words.length > 0 ? `: ${words.join(" / ")}` : "";
  return new HiveError(`${often}: it ends soon after its start${quoted}`, { hint });
}
