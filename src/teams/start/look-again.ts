// Looks again for sessions that are unknown right after a change. Often they are known a moment later: the client
// was still starting, or has not written its first message. Nothing is typed to find them.
//
// - If every session is known, it does not wait. The looks are at fixed times, and the first that knows all is the
//   last.
// - Ctrl-C ends the wait at once. Looking writes nothing, so nothing is left half done.
// - An agent that ended or went away meanwhile is dropped and not reported as unknown.

import { setTimeout as rest } from "node:timers/promises";
import type { FleetPane } from "../../fleet/panes.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { limits } from "../../limits.js";
import type { PaneId } from "../../names/gates.js";
import type { TeamWorld } from "../world.js";

export type Wait = (ms: number, interrupted: AbortSignal) => Promise<void>;

/** The agents of these panes whose session is still unknown at the last look. */
export async function lookAgain(
  world: Pick<TeamWorld, "observe" | "progress" | "interrupted">,
  panes: readonly PaneId[],
  wait: Wait = waitFor,
): Promise<FleetPane[]> {
  const look = async () => {
    const { panes: all, sessions } = await world.observe();
    return all.filter((pane) => panes.includes(pane.id) && isAgent(pane) && !sessions.get(pane.id)?.uuid);
  };
  const last = Math.max(...limits.lookAgainSeconds);
  let unknown = await look();
  for (let second = 1; second <= last && unknown.length > 0; second++) {
    const [first, ...others] = unknown.map(({ address }) => address);
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    world.progress(`waiting for the session of ${first}${more}: ${second} of ${last} s`);
    await wait(1_000, world.interrupted);
    if (world.interrupted.aborted) break;
    if (limits.lookAgainSeconds.includes(second)) unknown = await look();
  }
  world.progress(null);
  return unknown;
}

async function waitFor(ms: number, interrupted: AbortSignal): Promise<void> {
  await rest(ms, undefined, { signal: interrupted }).catch(() => {});
}
