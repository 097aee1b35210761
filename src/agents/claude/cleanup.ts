// After how many days the client deletes an unused transcript: `cleanupPeriodDays` of the settings in its config
// folder, or the client's default if they are silent or unreadable. A settings file that is not a regular file is
// not opened.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";

/** 0: the client keeps no transcripts. */
export function cleanupDays(folder: string): number {
  const days = settingsIn(folder)?.cleanupPeriodDays;
  return typeof days === "number" && days >= 0 ? days : limits.transcriptDays;
}

function settingsIn(folder: string): { cleanupPeriodDays?: unknown } | null {
  try {
    // People keep this file elsewhere and link to it, so links are followed.
    const path = realpathSync(join(folder, "settings.json"));
    return JSON.parse(readBytes(path, limits.settingsBytes)?.toString("utf8") ?? "null");
  } catch {
    return null;
  }
}
