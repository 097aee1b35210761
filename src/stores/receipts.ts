// The history of each message: `time|message id|pane|step|detail`.
//
// [RC1] `queued` is always the first step, even if another process recorded the next one earlier.
// [RC2] The history of a message that is queued, or typed and not confirmed, survives every rotation.

import { parseUtc, utcSeconds } from "../base/text/utc.js";
import { limits } from "../limits.js";
import type { PaneAddress } from "../names/gates.js";
import { appendFile } from "./file/append-file.js";
import type { Report } from "./file/error.js";
import { oneOf, optional, readPane, readText, readTime, rowFormat } from "./file/fields.js";
import { isMessageId, type MessageId } from "./queue/queue-rows.js";

export const receiptSteps = [
  "queued",
  "typing",
  /** Handed to the client's inbox; no record shows it yet. */
  "posting",
  /** The client has it, and its agent takes it later. */
  "enqueued",
  /** The client certainly has not got it: queued again. */
  "returned",
  "accepted",
  "answered",
  "uncertain",
  "expired",
  "cleared",
  "refused",
  /** Only from earlier versions: the message got the id at the start of the detail. */
  "moved",
] as const;
export type ReceiptStep = (typeof receiptSteps)[number];
const openSteps: readonly ReceiptStep[] = [
  "queued",
  "typing",
  "posting",
  "enqueued",
  "returned",
  "uncertain",
];

export interface Receipt {
  /** UTC, `…Z`. */
  at: string;
  id: MessageId;
  /** The agent's address at that time; null if no row can store it. */
  pane: PaneAddress | null;
  step: ReceiptStep;
  detail: string;
}

/** `waiting` are the messages still in a queue. */
export function openReceipts(path: string, report?: Report, waiting: () => readonly MessageId[] = () => []) {
  return appendFile(path, format, {
    rotateBytes: limits.logRotateBytes,
    carried: (older, current) => openHistories(older, current, { waiting: waiting(), nowMs: Date.now() }),
    report,
  });
}

/** The full histories of unfinished messages, if the older file has a part of them. */
export function openHistories(
  older: readonly Receipt[],
  current: readonly Receipt[],
  { waiting, nowMs }: { waiting: readonly MessageId[]; nowMs: number },
): Receipt[] {
  const all = [...older, ...current];
  const isYoung = ({ at }: Receipt) => nowMs - parseUtc(at)! <= limits.uncertainShownMs;
  const isOpen = (last: Receipt) => openSteps.includes(last.step) && isYoung(last);
  const open = [...lastSteps(all)].flatMap(([id, last]) => (isOpen(last) ? [id] : []));
  const ids = new Set([...waiting, ...open]);
  const known = new Set(older.filter(({ id }) => ids.has(id)).map(({ id }) => id));
  return all.filter(({ id }) => known.has(id));
}

/** One step of a message, now, with its agent at `pane`. */
export function receipt(id: MessageId, pane: PaneAddress | null, step: ReceiptStep, detail = ""): Receipt {
  return { at: utcSeconds(Date.now()), id, pane, step, detail: asDetail(detail) };
}

/** The messages that were at least typed, under every id that earlier versions gave them. */
export function begunIds(receipts: readonly Receipt[]): ReadonlySet<MessageId> {
  const begun = new Set<MessageId>();
  for (const { id, step, detail } of receipts) {
    const [to = ""] = detail.split(" ");
    if (step !== "moved" && step !== "queued") begun.add(id);
    else if (step === "moved" && begun.has(id) && isMessageId(to)) begun.add(to);
  }
  return begun;
}

/** All steps of a message, oldest first. */
export function historyOf(receipts: readonly Receipt[], id: MessageId): Receipt[] {
  const own = receipts.filter((each) => each.id === id);
  return [...own.filter(isFirst), ...own.filter((each) => !isFirst(each))];
}

/** The last step of each message. */
export function lastSteps(receipts: readonly Receipt[]): Map<MessageId, Receipt> {
  const last = new Map<MessageId, Receipt>();
  for (const each of receipts) if (!isFirst(each) || !last.has(each.id)) last.set(each.id, each);
  return last;
}

function isFirst({ step }: Receipt): boolean {
  return step === "queued";
}

/** The text in a form that a row can hold. */
function asDetail(text: string): string {
  const words = text.replace(/[|\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return words.length > limits.fieldLength ? `${words.slice(0, limits.fieldLength - 1)}…` : words;
}

const format = rowFormat<Receipt>(
  "a row is time|message id|pane|step|detail",
  {
    at: readTime,
    id: (text) => (isMessageId(text) ? text : undefined),
    pane: optional(readPane),
    step: oneOf(receiptSteps),
    detail: readText,
  },
  ({ id }) => id,
);
