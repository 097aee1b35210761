// Starts agents in order, as many together as their kind allows (batches.ts).
//
// - If an agent fails, the next ones still start. If an agent cannot log in, the run stops after its batch: the others
//   could not either.
// - An interruption stops after the batch that is being started. The result counts the agents that were not reached.
// - The result is in the order of the turns, whichever agent is up first.

import { setTimeout as rest } from "node:timers/promises";
import { type ExitCode, HiveError } from "../../base/errors.js";
import type { PaneAddress, PaneId, Role, SessionId } from "../../names/gates.js";
import type { TeamWorld } from "../world.js";
import { batchesOf, batchSays, type Startable } from "./batches.js";

type TurnWorld = Pick<TeamWorld, "progress" | "interrupted">;

export interface StartStep<World extends TurnWorld = TeamWorld> extends Startable {
  pane: PaneAddress;
  role: Role | null;
  start(world: World): Promise<StartedAgent>;
}

export interface TurnsTaken {
  started: StartedAgent[];
  failed: FailedAgent[];
  /** Not tried, because of an interruption or a failure that all would share. */
  notReached: number;
}

export interface StartedAgent {
  /** Its address now. */
  pane: PaneAddress;
  paneId: PaneId;
  role: Role | null;
  uuid: SessionId;
  /** The parent of a fork. */
  parent: SessionId | null;
  /** What differs from before, for people. */
  remark: string | null;
  /** What it asks before it takes messages, with the command that answers. */
  waitsFor: string | null;
}

export interface FailedAgent {
  pane: PaneAddress;
  role: Role | null;
  why: string;
  hint: string | null;
  /** 3 if something was unreadable. */
  exitCode: ExitCode;
}

export async function startInTurn<World extends TurnWorld>(
  world: World,
  turns: readonly StartStep<World>[],
): Promise<TurnsTaken> {
  const taken: TurnsTaken = { started: [], failed: [], notReached: 0 };
  for (const batch of batchesOf(turns, (turn) => turn)) {
    await gap(batch.gapMs, world.interrupted);
    if (world.interrupted.aborted) return { ...taken, notReached: turns.length - batch.at };
    const [{ role, pane }] = batch.members as [StartStep<World>];
    world.progress(batchSays(batch, turns.length, role ?? pane));
    const quiet = batch.members.length === 1 ? world : { ...world, progress: () => {} };
    const ends = await outcomes(batch.members, (turn) => turn.start(quiet));
    world.progress(null);
    let isOver = false;
    for (const { turn, result, error } of ends) {
      if (error === null) taken.started.push(result);
      else {
        const { message: why, hint = null, exitCode } = error;
        taken.failed.push({ pane: turn.pane, role: turn.role, why, hint, exitCode });
        isOver ||= cannotLogIn.test(why);
      }
    }
    if (isOver) return { ...taken, notReached: turns.length - batch.at - batch.members.length };
  }
  return taken;
}

type Outcome<Turn, Result> =
  | { turn: Turn; result: Result; error: null }
  | { turn: Turn; result: null; error: HiveError };

/** In the order of the turns, once all have ended. Any other error than an agent's own failure is thrown. */
export async function outcomes<Turn, Result>(
  turns: readonly Turn[],
  start: (turn: Turn) => Promise<Result>,
): Promise<Outcome<Turn, Result>[]> {
  const ends = await Promise.allSettled(turns.map(start));
  return ends.map((end, at): Outcome<Turn, Result> => {
    const turn = turns[at]!;
    if (end.status === "fulfilled") return { turn, result: end.value, error: null };
    if (!(end.reason instanceof HiveError)) throw end.reason;
    return { turn, result: null, error: end.reason };
  });
}

/** What the client prints if its account is not logged in. */
export const cannotLogIn =
  /select login method|please run \/login|not logged in|invalid api key|oauth token/i;

async function gap(ms: number, interrupted: AbortSignal): Promise<void> {
  if (ms > 0) await rest(ms, undefined, { signal: interrupted }).catch(() => {});
}
