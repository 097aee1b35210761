// A lock between processes. It is a symbolic link whose target is no path but the holder's identity:
// making one is atomic, exclusive, and carries its content, so there is never a half-written lock.
//
// [LK1] At most one contender holds a lock at any moment, within a process and between processes.
// [LK2] The lock of a holder that lives, or whose life cannot be seen from here, is never taken from it.
// [LK3] The lock of a dead holder is taken over at once, by one contender, whoever else tries or dies trying.
// [LK4] Release removes the lock only while it is still the holder's own.
// [LK5] A holder that keeps the lock for too long is an error that names its pid and the lock.

import { mkdirSync, readdirSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { limits } from "../limits.js";
import { errorCode, HiveError } from "./errors.js";
import {
  fateOf,
  identityText,
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
} from "./process-identity.js";
import { randomHex } from "./random.js";
import { shellWord } from "./shell-word.js";

export interface Lock {
  readonly path: string;
  release(): void;
}

export interface LockOptions {
  /** How long one and the same holder is waited for. */
  waitMs?: number;
  /** Tidies up after a dead holder. It runs while that holder's lock still stands, so nobody else is at work. */
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

/** In words for a person. */
export function holderName(holder: ProcessIdentity | null): string {
  return holder === null ? "something that is no process" : `process ${holder.pid} on ${holder.host}`;
}

/** `path` is the lock's own. Its folder is made if need be. */
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
      // Not by the clock of the day: one that is set back would make us wait for as long as it jumped.
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

/** What a lock says, whoever holds it; null when none stands there. */
export interface Standing {
  target: string;
  nonce: string;
  /** Null when the link was not made by us: then it is waited for, as for a holder out of sight. */
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

export function readLock(path: string): Standing | null {
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

/**
 * Only who holds the claim on this very nonce may remove the lock that carries it: between the look and the
 * removal nobody else can have replaced it. The claim is a lock like any other, so a claimer may die too.
 */
async function removeDead(path: string, dead: Standing, options: LockOptions): Promise<void> {
  const claimPath = `${path}.~${dead.nonce}`;
  const claim = await acquireLock(claimPath, options.waitMs === undefined ? {} : { waitMs: options.waitMs });
  try {
    if (readLock(path)?.target !== dead.target) return;
    // Claims are made for the nonce that stands. All others here are about locks that are gone: nonces never return.
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
