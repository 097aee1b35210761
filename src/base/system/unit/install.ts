// Installs and removes a unit of one user.
//
// [UN1] A file at the unit's path that is not ours is never replaced or removed.
// [UN2] After a removal, and after an installation that failed, nothing of the unit is left: no file, no link, no
//       empty folder that we made.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { HiveError } from "../../errors.js";
import {
  makeFolder,
  readBytes,
  removeEmptyFolder,
  removeFile,
  replaceFile,
} from "../../files/atomic-file.js";
import { launchd } from "./launchd.js";
import { systemd } from "./systemd.js";
import { readMade, type UnitManager, type UnitWish } from "./unit.js";

/** Null on a system whose manager we do not know. */
export function unitManager(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): UnitManager | null {
  if (platform === "linux") return systemd(env);
  if (platform === "darwin") return launchd(env);
  return null;
}

/** The text that is installed; null if there is none. */
export function installedText(manager: UnitManager, name: string): string | null {
  const path = manager.pathOf(name);
  const text = readBytes(path, largestFile)?.toString("utf8") ?? null;
  if (text !== null && readMade(text) === null)
    throw new HiveError(`${path} is not from hivemind`, { hint: "look at it; nothing was changed" });
  return text;
}

export function isInstalled(manager: UnitManager, name: string): boolean {
  return existsSync(manager.pathOf(name));
}

/** The wish with the number of folders that an installation makes, or has made. */
export function withFolders(manager: UnitManager, wish: UnitWish): UnitWish {
  const before = installedText(manager, wish.name);
  const madeFolders = before === null ? missingFolders(manager.pathOf(wish.name)) : readMade(before)!;
  return { ...wish, madeFolders };
}

/** Writes the file and starts the unit. */
export async function installUnit(manager: UnitManager, wish: UnitWish): Promise<void> {
  const path = manager.pathOf(wish.name);
  const before = installedText(manager, wish.name);
  makeFolder(dirname(path));
  replaceFile(path, manager.textOf(wish));
  try {
    await manager.reread(wish.name);
    await manager.start(wish.name, before === null);
  } catch (error) {
    if (before !== null) {
      replaceFile(path, before);
      await manager.reread(wish.name).catch(() => {});
    } else await removeUnit(manager, wish.name).catch(() => {});
    throw error;
  }
}

/** False if there was none. A manager that cannot be asked does not stop the removal: `why` says so. */
export async function removeUnit(
  manager: UnitManager,
  name: string,
): Promise<{ isRemoved: boolean; why: string | null }> {
  const path = manager.pathOf(name);
  const text = installedText(manager, name);
  if (text === null) return { isRemoved: false, why: null };
  const why = await reason(() => manager.stop(name));
  removeFile(path);
  manager.removeTraces(name);
  removeFolders(path, readMade(text)!);
  await reason(() => manager.reread(name));
  return { isRemoved: true, why };
}

async function reason(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function missingFolders(path: string): number {
  let count = 0;
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) count++;
  return count;
}

function removeFolders(path: string, count: number): void {
  let folder = dirname(path);
  for (let left = count; left > 0 && removeEmptyFolder(folder); left--) folder = dirname(folder);
}

const largestFile = 1_000_000;
