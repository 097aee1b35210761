// A session that nobody knows right after a change is often known a moment later: its client was still starting, or has
// its first word to say. It is looked for again, and never typed for.
//
// [LA1] Where every session is known nothing is waited for.
// [LA2] The looks are at fixed times; the first that knows all of them is the last.
// [LA3] Ctrl-C ends the waiting at once. Looking writes nothing, so there is nothing to leave half done.
// [LA4] What has ended or gone meanwhile is waited for no longer, and is not called unknown.

import { setTimeout as rest } from "node:timers/promises";
import type { FleetPane } from "../fleet/panes.js";
import { isAgent } from "../fleet/role-of.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import type { TeamWorld } from "./world.js";

export type Wait = (ms: number, interrupted: AbortSignal) => Promise<void>;

/** Of these panes the agents whose session is still not known, as they stand at the last look. */
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
