// Whether the client cleans up sessions when it starts: `general.sessionRetention.enabled` of its settings. The
// settings of the work folder come before those of the user. The client cleans up unless one of them says no.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../limits.js";
import { objectOrNull, readRecordFile } from "../record.js";

export function isCleanedUp(home: string, cwd: string): boolean {
  const told = [join(cwd, ".gemini"), home].map(retentionIn).find((each) => each !== null);
  return told ?? true;
}

/** Null if the settings do not say, or are unreadable. */
function retentionIn(folder: string): boolean | null {
  try {
    // People keep this file elsewhere and link to it, so links are followed.
    const settings = readRecordFile(realpathSync(join(folder, "settings.json")), limits.settingsBytes);
    const retention = objectOrNull(objectOrNull(settings?.general)?.sessionRetention);
    return typeof retention?.enabled === "boolean" ? retention.enabled : null;
  } catch {
    return null;
  }
}
