// What a client's registry file proves if another client may have written into it (`LiveSession.shared`). Pure.
//
// [WIT1] The newest hook report of the process names its session, whatever the file says.
// [WIT2] Without a report, the session counts if the process was started with it. Its records may still show that the
//        process left it: discover.ts asks them.
// [WIT3] A session that nothing else names is a claim. It is shown as evidence, and never chosen. A file that is missing
//        claims none: the client that has the same pid removes it when it ends.
// [WIT4] The file's activity counts only if the newest hook report of the process says the same.

import type { LiveSession } from "../../agents/agent.js";
import type { SessionId } from "../../names/gates.js";
import type { HookClaim } from "./hook-claims.js";

/** `claimed`: the session in a shared file. `isShared`: the client's file would be one, and it is missing. */
export function witnessed(
  live: LiveSession | null,
  hook: Pick<HookClaim, "sessionId" | "activity"> | null,
  began: SessionId | null,
  isShared = false,
): { live: LiveSession | null; claimed?: SessionId | null } {
  if (live === null) return isShared ? { live, claimed: null } : { live };
  if (live.shared === undefined) return { live };
  const { sessionId: claimed, shared } = live;
  if (hook !== null) {
    const activity = hook.activity === shared.activity ? shared.activity : null;
    return { live: { ...live, sessionId: hook.sessionId, activity }, claimed };
  }
  return began === claimed ? { live, claimed } : { live: null, claimed };
}
