// The conversations that commands of this host began to claim: `time|session`. A command that is killed, or that gets no
// answer, cannot know whether it has the claim; the worker looks at these.

import { parseUtc, utcSeconds } from "../../base/text/utc.js";
import { limits } from "../../limits.js";
import { readSessionId, type SessionId } from "../../names/gates.js";
import type { Report } from "../file/error.js";
import { readTime, rowFormat } from "../file/fields.js";
import { rowFile } from "../file/row-file.js";

export interface ClaimedRow {
  /** UTC, `…Z`. */
  at: string;
  session: SessionId;
}

export function openClaimed(path: string, report?: Report) {
  const file = rowFile(path, format, report);
  return {
    ...file,
    /** Written before the claim. Forgets what is old. */
    begin: (session: SessionId) =>
      file.update((rows) => [
        ...rows.filter((row) => row.session !== session && isYoung(row)),
        { at: utcSeconds(Date.now()), session },
      ]),
    /** Those of the last minutes. */
    recent: (): SessionId[] =>
      file
        .read()
        .rows.filter(isYoung)
        .map((row) => row.session),
  };
}

/** Twice as long as a claim without a program is kept. */
function isYoung({ at }: ClaimedRow): boolean {
  return Math.abs(Date.now() - parseUtc(at)!) < 2 * limits.claimSettleMs;
}

const format = rowFormat<ClaimedRow>(
  "a row is time|session",
  { at: readTime, session: (text) => readSessionId(text) ?? undefined },
  ({ session }) => session,
);
