// Agents are started one after the other: several at once race on one refresh token.
//
// [IT1] One that fails is an error on that one; the next is started all the same.
// [IT2] The first that cannot log in ends it: the others could not either.
// [IT3] An interruption stops behind the agent that is being started; the last ones, which were not reached, are counted.

import { setTimeout as rest } from "node:timers/promises";
import { type ExitCode, HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import type { TeamWorld } from "./world.js";

export interface Turn {
  pane: PaneAddress;
  role: Role | null;
  start(): Promise<StartedAgent>;
}

export interface TurnsTaken {
  started: StartedAgent[];
  failed: FailedAgent[];
  /** Not tried, because of an interruption or a failure that all would share. */
  notReached: number;
}

export interface StartedAgent {
  /** Where it stands now. */
  pane: PaneAddress;
  role: Role | null;
  uuid: SessionId;
  /** Of a fork. */
  parent: SessionId | null;
  /** What is not as it was, in words. */
  remark: string | null;
  /** What it asks before it can be talked to, with the command that answers. */
  waitsFor: string | null;
}

export interface FailedAgent {
  pane: PaneAddress;
  role: Role | null;
  why: string;
  hint: string | null;
  /** 3 where something could not be looked at. */
  exitCode: ExitCode;
}

export async function startInTurn(
  world: Pick<TeamWorld, "progress" | "interrupted">,
  turns: readonly Turn[],
): Promise<TurnsTaken> {
  const taken: TurnsTaken = { started: [], failed: [], notReached: 0 };
  for (const [at, { pane, role, start }] of turns.entries()) {
    if (at > 0) await gap(world.interrupted);
    if (world.interrupted.aborted) return { ...taken, notReached: turns.length - at };
    world.progress(`${at + 1} of ${turns.length}: ${role ?? pane}`);
    try {
      taken.started.push(await start());
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      const { message: why, hint = null, exitCode } = error;
      taken.failed.push({ pane, role, why, hint, exitCode });
      if (cannotLogIn.test(error.message)) return { ...taken, notReached: turns.length - at - 1 };
    } finally {
      world.progress(null);
    }
  }
  return taken;
}

/** What the client says in a pane whose account is not there. */
export const cannotLogIn =
  /select login method|please run \/login|not logged in|invalid api key|oauth token/i;

async function gap(interrupted: AbortSignal): Promise<void> {
  await rest(limits.startGapMs, undefined, { signal: interrupted }).catch(() => {});
}
