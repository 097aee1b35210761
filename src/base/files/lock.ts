// A lock between processes: a symbolic link whose target is not a path but the holder's identity.
// Creating a link is atomic and exclusive and includes its content, so there is never a half-written lock.
//
// [LK1] At most one process or task holds a lock at any moment.
// [LK2] A lock is never taken from a living holder, or from one whose state is unknown from here.
// [LK3] The lock of a dead holder is taken over at once, by exactly one contender, even if other contenders die.
// [LK4] Release removes the lock only while it is the holder's own.
// [LK5] If a holder keeps the lock for too long, the error names its pid and the lock.

import { mkdirSync, readdirSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { limits } from "../../limits.js";
import { errorCode, HiveError } from "../errors.js";
import { randomHex } from "../random.js";
import {
  fateOf,
  identityText,
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
} from "../system/process-identity.js";
import { shellWord } from "../text/shell-word.js";

export interface Lock {
  readonly path: string;
  release(): void;
}

export interface LockOptions {
  /** How long to wait for the same holder. */
  waitMs?: number | undefined;
  /** Cleans up after a dead holder. Runs while that lock still exists, so no other writer is active. */
  afterDeath?: () => void;
}

export class LockedError extends HiveError {
  override name = "LockedError";

  constructor(
    readonly path: string,
    readonly holder: ProcessIdentity | null,
  ) {
    super(`${path} is held by ${holderName(holder)}`, {
      hint: `wait for it or end it; if you know that it is gone: rm ${shellWord(path)}`,
    });
  }
}

/** For messages. */
export function holderName(holder: ProcessIdentity | null): string {
  return holder === null ? "an unknown holder" : `process ${holder.pid} on ${holder.host}`;
}

/** `path` is the lock's own path. Its folder is created if needed. */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<Lock> {
  const nonce = randomHex(10);
  const target = `${identityText(ownIdentity())},${nonce}`;
  const waitMs = options.waitMs ?? limits.lockWaitMs;
  let pollMs: number = limits.lockPollMs;
  let waitedFor = "";
  let deadline = 0;
  while (!tryLink(target, path)) {
    const standing = readLock(path);
    if (standing === null) continue;
    if (standing.holder !== null && fateOf(standing.holder) === "dead") {
      await removeDead(path, standing, options);
      continue;
    }
    if (standing.target !== waitedFor) {
      waitedFor = standing.target;
      // Not by the system clock: if that is set back, we would wait as long as it jumped.
      deadline = performance.now() + waitMs;
    }
    if (performance.now() >= deadline) throw new LockedError(path, standing.holder);
    await delay(pollMs * (0.5 + Math.random()));
    pollMs = Math.min(pollMs * 1.5, limits.lockPollCapMs);
  }
  return { path, release: () => releaseLock(path, target) };
}

export async function withLock<T>(
  path: string,
  change: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const lock = await acquireLock(path, options);
  try {
    return await change();
  } finally {
    lock.release();
  }
}

/** The content of a lock; null if there is none. */
export interface LockContent {
  target: string;
  nonce: string;
  /** Null if we did not create the link: then we wait, as for a holder in an unknown state. */
  holder: ProcessIdentity | null;
}

function tryLink(target: string, path: string): boolean {
  try {
    symlinkSync(target, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (errorCode(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return false;
  }
}

export function readLock(path: string): LockContent | null {
  let target: string;
  try {
    target = readlinkSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    if (errorCode(error) === "EINVAL") return { target: "", nonce: "", holder: null };
    throw error;
  }
  const cut = target.lastIndexOf(",");
  return { target, nonce: target.slice(cut + 1), holder: parseIdentity(target.slice(0, Math.max(cut, 0))) };
}

/** Whether a process holds the lock. A holder that cannot be seen from here counts. */
export function isHeld(path: string): boolean {
  const standing = readLock(path);
  return standing !== null && (standing.holder === null || fateOf(standing.holder) !== "dead");
}

/**
 * Only the holder of the claim on this nonce may remove the lock with that nonce. So no other process can replace
 * the lock between the check and the removal. The claim is a normal lock, so a claimer may die too.
 */
async function removeDead(path: string, dead: LockContent, options: LockOptions): Promise<void> {
  const claimPath = `${path}.~${dead.nonce}`;
  const claim = await acquireLock(claimPath, { waitMs: options.waitMs });
  try {
    if (readLock(path)?.target !== dead.target) return;
    // A claim is for the nonce of the existing lock. Other claims are for gone locks: nonces never repeat.
    sweep(path, basename(claimPath));
    options.afterDeath?.();
    removeLink(path);
  } finally {
    claim.release();
  }
}

function sweep(path: string, keep: string): void {
  const prefix = `${basename(path)}.~`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(prefix) && name !== keep) removeLink(join(dirname(path), name));
  }
}

function releaseLock(path: string, target: string): void {
  if (readLock(path)?.target === target) removeLink(path);
}

function removeLink(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
