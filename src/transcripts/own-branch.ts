// Whether a session that begins with copied records was made by copying: a fork of such a one copies its marks too.

import { limits } from "../limits.js";
import type { Facts, Transcript } from "./transcript.js";

interface Copied extends Pick<Transcript, "bornAtMs"> {
  facts: Pick<Facts, "forkedFrom" | "behindCopiesAtMs" | "lastAtMs">;
}

/** A copy is made first, and what comes behind the copies is written into it later. */
export function isOwnBranch(session: Copied): boolean {
  return session.facts.forkedFrom !== null && !inheritsBranch(session);
}

/** What stands behind the copies is older than the file: it was copied too. A restored file tells nothing. */
export function inheritsBranch({ bornAtMs, facts }: Copied): boolean {
  const { forkedFrom, behindCopiesAtMs, lastAtMs } = facts;
  if (forkedFrom === null || bornAtMs === null || behindCopiesAtMs === null) return false;
  const isRestored = bornAtMs > (lastAtMs ?? behindCopiesAtMs) + limits.transcriptBirthSlackMs;
  return !isRestored && behindCopiesAtMs < bornAtMs;
}
