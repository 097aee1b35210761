// Locks that are held for longer than any command works.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { holderName, readLock } from "../base/files/lock.js";
import { namesIn } from "../base/files/names-in.js";
import { fateOf, type ProcessIdentity } from "../base/system/process-identity.js";
import { counted } from "../base/text/counted.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";
import { watchLockPath } from "../stores/file/folder.js";
import { type Check, type Found, info, warning } from "./check.js";
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

/** `watch` holds `watchLock` for as long as it runs. */
function lockFindings(found: readonly StandingLock[], nowMs: number, watchLock: string): Found[] {
  const withFate = found.map((lock) => ({
    ...lock,
    fate: lock.holder === null ? "unknown" : fateOf(lock.holder),
  }));
  const dead = withFate.filter(({ fate }) => fate === "dead");
  const stuck = withFate.filter(
    ({ path, fate, madeAtMs }) =>
      fate !== "dead" && nowMs - madeAtMs > limits.lockAgeMs && !(path === watchLock && fate === "alive"),
  );
  const paths = dead.map(({ path }) => path).join(", ");
  const leftOver = `${counted(dead.length, "lock")} of dead processes: ${paths}`;
  return [
    ...(dead.length > 0 ? [info(leftOver, "nothing to do: the next writer takes it over")] : []),
    ...stuck.map(({ path, holder, fate }) =>
      warning(
        `${path} has been held by ${holderName(holder)} for more than ${limits.lockAgeMs / 60_000} minutes`,
        fate === "alive" ? "wait for it, or end it" : `if that process is gone: rm ${shellWord(path)}`,
      ),
    ),
  ];
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
      // Released meanwhile, or an unrelated file with such a name.
      if (["ENOENT", "EINVAL"].includes(errorCode(error) ?? "")) return [];
      throw error;
    }
  });
}
