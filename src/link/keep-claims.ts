// Keeps the claims of a host equal to what runs there: what runs is claimed, what ended is given back.

import { HiveError } from "../base/errors.js";
import { readSessionId, type SessionId } from "../names/gates.js";
import { type Bucket, NatsError } from "../nats/bus.js";
import { claimSteps, type OwnClaim, readClaim } from "./claim-verdict.js";
import type { Claimant } from "./rows.js";
import { unword, word } from "./subjects.js";
import { type ClaimBuckets, findClaim, isOf, type Owner, takeClaim } from "./take-claim.js";

export interface ClaimKeeper {
  follow(
    open: ReadonlyMap<SessionId, Claimant>,
    others: OtherSessions,
    owner: Owner,
    serverNowMs: number,
  ): Promise<void>;
  /** Everything is read again at the next call. */
  forget(): void;
}

/** Conversations that may have a claim of ours although they do not run. */
export interface OtherSessions {
  /** Those of all agents of the roster. */
  known: ReadonlySet<SessionId>;
  /** Those that commands began to claim: they are looked at until their claim is there. */
  begun: readonly SessionId[];
}

/** `say` hears once of each conversation that another host has open too. */
export function openClaimKeeper(buckets: ClaimBuckets, say: (line: string) => void): ClaimKeeper {
  const { claims } = buckets;
  let own: Map<SessionId, OwnClaim> | null = null;
  let ran: ReadonlySet<SessionId> = new Set();
  /** Conversations without a claim of ours that were looked at. */
  let asked = new Set<SessionId>();
  let told = new Set<SessionId>();

  /** A command may have claimed it and been killed. */
  async function ask(session: SessionId, owner: Owner, mine: Map<SessionId, OwnClaim>): Promise<void> {
    asked.add(session);
    const found = await findClaim(claims, session);
    if (found !== null && isOf(found.claim, owner))
      mine.set(session, { revision: found.revision, writtenAtMs: found.writtenAtMs, wasOpen: false });
  }

  async function take(session: SessionId, who: Claimant, owner: Owner): Promise<OwnClaim | null> {
    try {
      const { revision } = await takeClaim(buckets, owner, session, who);
      told.delete(session);
      return { revision, writtenAtMs: 0, wasOpen: true };
    } catch (error) {
      if (error instanceof NatsError || !(error instanceof HiveError)) throw error;
      if (!told.has(session)) say(`it runs here too: ${error.message}`);
      told.add(session);
      return null;
    }
  }

  async function release(session: SessionId, owner: Owner, mine: Map<SessionId, OwnClaim>): Promise<void> {
    const { revision } = mine.get(session)!;
    mine.delete(session);
    // Another revision: a command starts it again. It is ours, and nobody has seen it open yet.
    if (!(await claims.remove(word(session), revision))) await ask(session, owner, mine);
  }

  return {
    async follow(open, { known, begun }, owner, serverNowMs) {
      const mine = own ?? (await readOwn(claims, owner));
      // Unknown until all of it is done.
      own = null;
      for (const session of open.keys()) if (mine.has(session)) mine.get(session)!.wasOpen = true;
      for (const session of known)
        if (!mine.has(session) && !open.has(session) && !asked.has(session)) await ask(session, owner, mine);
      for (const session of begun)
        if (!mine.has(session) && !open.has(session)) await ask(session, owner, mine);
      const steps = claimSteps(new Set(open.keys()), ran, mine, serverNowMs);
      for (const session of steps.take) {
        const taken =
          told.has(session) && ran.has(session) ? null : await take(session, open.get(session)!, owner);
        if (taken !== null) mine.set(session, taken);
      }
      for (const session of steps.release) await release(session, owner, mine);
      ran = new Set(open.keys());
      own = mine;
    },
    forget() {
      own = null;
      asked = new Set();
      told = new Set();
    },
  };
}

async function readOwn(claims: Bucket, owner: Owner): Promise<Map<SessionId, OwnClaim>> {
  const found = new Map<SessionId, OwnClaim>();
  for (const { key, value, revision, writtenAtMs } of await claims.all()) {
    const session = readSessionId(unword(key));
    if (session !== null && isOf(readClaim(value), owner))
      found.set(session, { revision, writtenAtMs, wasOpen: false });
  }
  return found;
}
