// When the client deletes a transcript that nobody writes to any more.
//
// [CU1] After `cleanupPeriodDays` of the settings in its config folder; where they do not say, after the client's own
//       default. Settings that cannot be read say nothing.

import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../limits.js";

/** `path` lies in `<config folder>/projects/<slug>/`. */
export function cleanupDays(path: string): number {
  const days = settingsIn(dirname(dirname(dirname(path))))?.cleanupPeriodDays;
  return typeof days === "number" && days >= 0 ? days : limits.transcriptDays;
}

/** People keep this file elsewhere and link to it: a link is followed. */
function settingsIn(folder: string): { cleanupPeriodDays?: unknown } | null {
  const path = join(folder, "settings.json");
  try {
    if (statSync(path).size > limits.clientSettingsBytes) return null;
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
