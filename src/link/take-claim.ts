// Takes and gives back the claim of a conversation, by revision.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { Host, SessionId } from "../names/gates.js";
import type { Bucket } from "../nats/bus.js";
import { type ClaimRow, type Found, readClaim, refusal, type Verdict, verdictOn } from "./claim-verdict.js";
import { type Claimant, readHostRow, textOf } from "./rows.js";
import { word } from "./subjects.js";

export interface ClaimBuckets {
  claims: Bucket;
  hosts: Bucket;
}

export interface Owner {
  host: Host;
  instance: string;
  epoch: number | null;
}

export interface TakenClaim {
  revision: number;
  /** Ours before: its program may run. */
  wasOurs: boolean;
}

/** Throws a `HiveError` that names the holder. */
export async function takeClaim(
  buckets: ClaimBuckets,
  owner: Owner,
  session: SessionId,
  who: Claimant,
): Promise<TakenClaim> {
  const key = word(session);
  const { role, team } = who;
  const value = textOf({ ...owner, host: word(owner.host), role, team });
  for (let tries = 0; tries < limits.claimTries; tries++) {
    const verdict = await judge(buckets, owner, session);
    if (verdict.kind !== "free" && verdict.kind !== "ours") throw refusal(session, verdict);
    // Our own is written again: the new revision tells the worker that something starts.
    const revision =
      verdict.kind === "free"
        ? await buckets.claims.create(key, value)
        : await buckets.claims.update(key, value, verdict.revision);
    if (revision !== null) return { revision, wasOurs: verdict.kind === "ours" };
  }
  throw new HiveError(`the claim on session ${session} changes all the time`, {
    hint: "hivemind fleet status",
  });
}

/** Throws a `HiveError` that names the holder if another host has it open. */
export async function needUnclaimed(buckets: ClaimBuckets, owner: Owner, session: SessionId): Promise<void> {
  const verdict = await judge(buckets, owner, session);
  if (verdict.kind !== "free" && verdict.kind !== "ours") throw refusal(session, verdict);
}

export async function judge(
  { claims, hosts }: ClaimBuckets,
  owner: Owner,
  session: SessionId,
): Promise<Verdict> {
  const found = await findClaim(claims, session);
  const holder = found?.claim?.host;
  const isFar = holder !== undefined && holder !== owner.host;
  const lease = isFar ? await hosts.get(word(holder)) : null;
  return verdictOn(found, owner, lease && readHostRow(lease.value));
}

export async function findClaim(claims: Bucket, session: SessionId): Promise<Found | null> {
  const entry = await claims.get(word(session));
  if (entry === null) return null;
  const { value, revision, writtenAtMs } = entry;
  return { claim: readClaim(value), revision, writtenAtMs };
}

/** Gives it back if it is ours; with a revision only if nobody has written it since. */
export async function releaseClaim(
  claims: Bucket,
  { host, instance }: Pick<Owner, "host" | "instance">,
  session: SessionId,
  revision?: number,
): Promise<void> {
  const found = await findClaim(claims, session);
  if (found === null || !isOf(found.claim, { host, instance })) return;
  if (revision === undefined || found.revision === revision)
    await claims.remove(word(session), found.revision);
}

export function isOf(claim: ClaimRow | null, { host, instance }: Pick<Owner, "host" | "instance">): boolean {
  return claim?.host === host && claim.instance === instance;
}
