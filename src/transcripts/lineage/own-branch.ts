// Whether a session that begins with copied records is a branch itself: a fork of a branch copies its marks too.

import { limits } from "../../limits.js";
import type { Facts, Transcript } from "../transcript.js";

interface Copied extends Pick<Transcript, "bornAtMs"> {
  facts: Pick<Facts, "forkedFrom" | "behindCopiesAtMs" | "lastAtMs">;
}

/** The copy is made first; the records after the copies are written later. */
export function isOwnBranch(session: Copied): boolean {
  return session.facts.forkedFrom !== null && !inheritsBranch(session);
}

/** If the records after the copies are older than the file, they were copied too. A restored file proves nothing. */
export function inheritsBranch({ bornAtMs, facts }: Copied): boolean {
  const { forkedFrom, behindCopiesAtMs, lastAtMs } = facts;
  if (forkedFrom === null || bornAtMs === null || behindCopiesAtMs === null) return false;
  const isRestored = bornAtMs > (lastAtMs ?? behindCopiesAtMs) + limits.transcriptBirthSlackMs;
  // Records have whole milliseconds; a file is born at a fraction of one.
  return !isRestored && behindCopiesAtMs < Math.floor(bornAtMs);
}
