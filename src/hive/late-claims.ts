// The claims of a fleet, loaded when an agent starts on a host that is in one.

import { HiveError } from "../base/errors.js";
import { once } from "../base/once.js";
import { mayBeJoined } from "../stores/link/lease-file.js";
import type { Stores } from "../stores/stores.js";
import type { ClaimGate } from "../teams/world.js";

export function lateClaims(
  env: NodeJS.ProcessEnv,
  stores: Stores,
  load: ((stores: Stores) => Promise<ClaimGate | null>) | undefined,
): ClaimGate {
  const loaded = once(async () => {
    if (load !== undefined) return load(stores);
    throw new HiveError(
      "this host is in a fleet, and the program that starts the agent knows nothing of it",
      {
        hint: "hivemind agent spawn",
      },
    );
  });
  const gate = async () => (mayBeJoined(env, stores.paths) ? loaded() : null);
  return {
    check: async (session) => (await gate())?.check(session),
    take: async (session, who) => (await gate())?.take(session, who),
    release: async (session) => (await gate())?.release(session),
    giveBack: async (session) => (await gate())?.giveBack(session),
  };
}
