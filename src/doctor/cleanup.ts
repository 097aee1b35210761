// Transcripts that the client is about to delete. It deletes them at its start, by the time of their last message.

import { join } from "node:path";
import { rootFor } from "../agents/all.js";
import { cleanupDays } from "../agents/claude/cleanup.js";
import { counted } from "../base/text/counted.js";
import { foldersOfClaude } from "../fleet/folders.js";
import { limits } from "../limits.js";
import type { FoundFile } from "../transcripts/find.js";
import { findTranscripts } from "../transcripts/find.js";
import { type Check, type Found, warning } from "./check.js";

const dayMs = 24 * 60 * 60 * 1000;

export const cleanup: Check = {
  id: "cleanup",
  title: "the client will delete no transcript in the next days",
  async look(world) {
    return foldersOfClaude(await world.folders()).flatMap((folder) => {
      const { files } = findTranscripts(rootFor("claude", folder));
      return cleanupFindings(folder, cleanupDays(folder), files, world.nowMs);
    });
  },
};

export function cleanupFindings(
  folder: string,
  days: number,
  files: readonly Pick<FoundFile, "id" | "stamp">[],
  nowMs: number,
): Found[] {
  const settings = join(folder, "settings.json");
  if (days === 0) {
    const fix = `set "cleanupPeriodDays": 365 in ${settings}`;
    return [warning(`cleanupPeriodDays is 0 in ${settings}: the client keeps no transcripts`, fix)];
  }
  const noticeMs = (days - limits.cleanupNoticeDays) * dayMs;
  const leaving = files
    .filter(({ stamp }) => nowMs - stamp.modifiedAtMs >= noticeMs)
    .sort((a, b) => a.stamp.modifiedAtMs - b.stamp.modifiedAtMs);
  if (leaving.length === 0) return [];
  const [first] = leaving;
  const left = Math.max(0, Math.ceil(days - (nowMs - first!.stamp.modifiedAtMs) / dayMs));
  const message =
    `${folder}: the client deletes ${counted(leaving.length, "transcript")} within ` +
    `${limits.cleanupNoticeDays} days (cleanupPeriodDays is ${days}), the first (${first!.id}) in ${left}`;
  return [warning(message, `set "cleanupPeriodDays": 365 in ${settings}`)];
}
