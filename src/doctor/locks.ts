// Locks that stand for longer than anybody works.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { readLock } from "../base/lock.js";
import { fateOf, type ProcessIdentity } from "../base/process-identity.js";
import { limits } from "../limits.js";
import { watchLockPath } from "../stores/folder.js";
import { type Check, counted, type Found, info, quoted, warning } from "./check.js";
import { storeFolders } from "./store-files.js";

export const locks: Check = {
  id: "locks",
  title: "no lock is left over",
  look(world) {
    const standing = storeFolders(world.paths()).flatMap(locksIn);
    return lockFindings(standing, world.nowMs, watchLockPath(world.paths()));
  },
};

interface StandingLock {
  path: string;
  holder: ProcessIdentity | null;
  madeAtMs: number;
}

/** Who watches holds `watchLock` for as long as that takes. */
function lockFindings(found: readonly StandingLock[], nowMs: number, watchLock: string): Found[] {
  const withFate = found.map((lock) => ({ ...lock, ...holderOf(lock) }));
  const dead = withFate.filter(({ fate }) => fate === "dead");
  const stuck = withFate.filter(
    ({ path, fate, madeAtMs }) =>
      fate !== "dead" && nowMs - madeAtMs > limits.lockAgeMs && !(path === watchLock && fate === "alive"),
  );
  const paths = dead.map(({ path }) => path).join(", ");
  return [
    ...(dead.length === 0
      ? []
      : [
          info(
            `${counted(dead.length, "lock")} of dead processes: ${paths}`,
            "nothing: the next writer takes it over",
          ),
        ]),
    ...stuck.map(({ path, who, fate }) =>
      warning(
        `${path} is held by ${who} for more than ${limits.lockAgeMs / 60_000} minutes`,
        fate === "alive" ? "wait for it, or end it" : `if you know that it is gone: rm ${quoted(path)}`,
      ),
    ),
  ];
}

function holderOf({ holder }: StandingLock) {
  if (holder === null) return { fate: "unknown", who: "something that is no process" };
  return { fate: fateOf(holder), who: `process ${holder.pid} on ${holder.host}` };
}

function locksIn(folder: string): StandingLock[] {
  const names = namesIn(folder).filter((name) => name.endsWith(".lock") || name.startsWith("hivemind.lock."));
  return names.flatMap((name) => {
    const path = join(folder, name);
    try {
      const stat = lstatSync(path);
      const standing = stat.isSymbolicLink() ? readLock(path) : null;
      return standing === null ? [] : [{ path, holder: standing.holder, madeAtMs: stat.mtimeMs }];
    } catch (error) {
      // Released meanwhile, or somebody's file that only has such a name.
      if (["ENOENT", "EINVAL"].includes(errorCode(error) ?? "")) return [];
      throw error;
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}
