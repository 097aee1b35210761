// What is known of the mail between this host and others: `time|mail id|with|step|detail`. The host at the beginning of
// an id is the sender. For mail of this host the rows are what other hosts told about it; for theirs, what they were told.

import { parseUtc, utcSeconds } from "../../base/text/utc.js";
import { limits } from "../../limits.js";
import { isMailId, type MailId } from "../../names/mail-id.js";
import { appendFile } from "../file/append-file.js";
import type { Report } from "../file/error.js";
import { oneOf, readText, readTime, rowFormat } from "../file/fields.js";

export const mailSteps = [
  /** On its way; nothing was heard of it yet. */
  "sent",
  "queued",
  "held",
  /** The agent's client has it, and the agent takes it later. */
  "enqueued",
  "accepted",
  "answered",
  "uncertain",
  "expired",
  "cleared",
  "refused",
] as const;
export type MailStep = (typeof mailSteps)[number];

export interface MailRow {
  /** UTC, `…Z`. */
  at: string;
  id: MailId;
  /** The other side: `tester@server`. */
  with: string;
  step: MailStep;
  detail: string;
}

/** Mail in one of these may still become something else. */
const openMail: readonly MailStep[] = ["sent", "queued", "held", "enqueued"];

export function openMailLog(path: string, report?: Report) {
  const file = appendFile(path, format, {
    rotateBytes: limits.logRotateBytes,
    carried: (older, current) => openRows(older, current, Date.now()),
    report,
  });
  return {
    ...file,
    /** The last row of this mail. */
    last: (id: MailId): MailRow | null => file.read().rows.findLast((row) => row.id === id) ?? null,
    add: (row: Omit<MailRow, "at">) => file.append([{ at: utcSeconds(Date.now()), ...row }]),
  };
}

/** The last row of each mail, in the order of their first rows. */
export function lastMailRows(rows: readonly MailRow[]): Map<MailId, MailRow> {
  const last = new Map<MailId, MailRow>();
  for (const row of rows) last.set(row.id, row);
  return last;
}

/** Mail that is under way survives a rotation. */
function openRows(older: readonly MailRow[], current: readonly MailRow[], nowMs: number): MailRow[] {
  const here = new Set(current.map(({ id }) => id));
  const isYoung = ({ at }: MailRow) => nowMs - parseUtc(at)! <= limits.uncertainShownMs;
  const last = [...lastMailRows(older).values()];
  return last.filter((row) => !here.has(row.id) && openMail.includes(row.step) && isYoung(row));
}

const format = rowFormat<MailRow>(
  "a row is time|mail id|with|step|detail",
  {
    at: readTime,
    id: (text) => (isMailId(text) ? text : undefined),
    with: readText,
    step: oneOf(mailSteps),
    detail: readText,
  },
  ({ id }) => id,
);
