// Starts agents one after the other: several at once race for one refresh token.
//
// - If an agent fails, the next one still starts. If an agent cannot log in, the run stops: the others could not
//   either.
// - An interruption stops after the agent that is being started. The result counts the agents that were not reached.

import { setTimeout as rest } from "node:timers/promises";
import { type ExitCode, HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { PaneAddress, PaneId, Role, SessionId } from "../../names/gates.js";
import type { TeamWorld } from "../world.js";

export interface StartStep {
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

export async function startInTurn(
  world: Pick<TeamWorld, "progress" | "interrupted">,
  turns: readonly StartStep[],
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

/** What the client prints if its account is not logged in. */
export const cannotLogIn =
  /select login method|please run \/login|not logged in|invalid api key|oauth token/i;

async function gap(interrupted: AbortSignal): Promise<void> {
  await rest(limits.startGapMs, undefined, { signal: interrupted }).catch(() => {});
}
