// Whether this host may type and post: a host of a fleet needs a fresh lease.

import { isReader } from "../stores/link/fleet-join.js";
import { leaseNow, mayBeJoined } from "../stores/link/lease-file.js";
import type { MessageWorld } from "./world.js";

/** Null if it may. On a host without a fleet this is one look for a file. */
export function whyCutOff({ env, stores }: Pick<MessageWorld, "env" | "stores">): string | null {
  if (!mayBeJoined(env, stores.paths)) return null;
  const { isFresh, ageMs } = leaseNow(stores);
  if (isFresh || !isMember(env, stores)) return null;
  if (ageMs === null)
    return "this host is in a fleet, and no watcher keeps its lease: hivemind watch --background";
  const seconds = Math.round(ageMs / 1000);
  return `this host has not reached its fleet for ${seconds} s, so it types nothing until its watcher does: hivemind fleet doctor`;
}

/** The file may have only what other hosts would be allowed. A host that only reads has no lease and needs none. */
function isMember(env: NodeJS.ProcessEnv, { fleetJoin }: MessageWorld["stores"]): boolean {
  if (env.HIVEMIND_FLEET) return true;
  const { rows } = fleetJoin.read();
  return rows.some(({ what }) => what === "server") && !isReader(rows);
}
