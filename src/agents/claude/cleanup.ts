// When the client deletes a transcript that nobody writes to any more.
//
// [CU1] After `cleanupPeriodDays` of the settings in its config folder; where they do not say, after the client's own
//       default. Settings that cannot be read say nothing, and nobody waits for what is no plain file.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../base/atomic-file.js";
import { limits } from "../../limits.js";

/** 0: it keeps none. */
export function cleanupDays(folder: string): number {
  const days = settingsIn(folder)?.cleanupPeriodDays;
  return typeof days === "number" && days >= 0 ? days : limits.transcriptDays;
}

function settingsIn(folder: string): { cleanupPeriodDays?: unknown } | null {
  try {
    // People keep this file elsewhere and link to it: a link is followed.
    const path = realpathSync(join(folder, "settings.json"));
    return JSON.parse(readBytes(path, limits.settingsBytes)?.toString("utf8") ?? "null");
  } catch {
    return null;
  }
}
