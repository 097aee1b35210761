// What became of each message, step by step: `time|message id|pane|step|detail`.
//
// [RC1] A message that moved with its pane has one history, under all ids it ever had.
// [RC2] That it was queued is its first step, also where somebody else was quicker to write down the next.

import { parseUtc, utcSeconds } from "../base/utc.js";
import { limits } from "../limits.js";
import type { PaneAddress } from "../names/gates.js";
import { type AppendFile, appendFile } from "./append-file.js";
import type { Report } from "./error.js";
import { readPane, readText, splitFields } from "./fields.js";
import { isMessageId, type MessageId, messageParts } from "./queue-rows.js";
import type { MovedIds } from "./queues.js";
import type { RowFormat } from "./row-lines.js";

export const receiptSteps = [
  "queued",
  "typing",
  "accepted",
  "answered",
  "uncertain",
  "expired",
  "cleared",
  "refused",
  "moved",
] as const;
export type ReceiptStep = (typeof receiptSteps)[number];

export interface Receipt {
  /** UTC, `…Z`. */
  at: string;
  id: MessageId;
  /** Where the message was then, as its id of then says too. */
  pane: PaneAddress;
  step: ReceiptStep;
  detail: string;
}

export function openReceipts(path: string, report?: Report): AppendFile<Receipt> {
  return appendFile(path, format, { rotateBytes: limits.logRotateBytes, report });
}

/** One step of a message, now, where it waits. */
export function receipt(id: MessageId, step: ReceiptStep, detail = ""): Receipt {
  return { at: utcSeconds(Date.now()), id, pane: messageParts(id).pane, step, detail: asDetail(detail) };
}

export function movedReceipts(ids: MovedIds): Receipt[] {
  return [...ids].map(([old, renewed]) => receipt(old, "moved", renewed));
}

/** The id it has by now. */
export function idNow(receipts: readonly Receipt[], id: MessageId): MessageId {
  let now = id;
  for (const each of receipts) if (each.step === "moved" && each.id === now) now = each.detail as MessageId;
  return now;
}

/** All that was noted of a message, oldest first. */
export function historyOf(receipts: readonly Receipt[], id: MessageId): Receipt[] {
  const ids = new Set([id]);
  for (const { id: old, step, detail } of receipts.toReversed()) {
    if (step === "moved" && isMessageId(detail) && ids.has(detail)) ids.add(old);
  }
  const own = receipts.filter((each) => ids.has(each.id) && each.step !== "moved");
  return [...own.filter(isFirst), ...own.filter((each) => !isFirst(each))];
}

/** The last word about each message, by the id it has now. */
export function lastSteps(receipts: readonly Receipt[]): Map<MessageId, Receipt> {
  const last = new Map<MessageId, Receipt>();
  for (const each of receipts) {
    const { id, step, detail } = each;
    if (isFirst(each) && last.has(id)) continue;
    if (step !== "moved") last.set(id, each);
    else if (isMessageId(detail)) {
      const before = last.get(id);
      last.delete(id);
      if (before !== undefined) last.set(detail, { ...before, id: detail });
    }
  }
  return last;
}

function isFirst({ step }: Receipt): boolean {
  return step === "queued";
}

/** Words as a row may hold them. */
function asDetail(text: string): string {
  const words = text.replace(/[|\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return words.length > limits.fieldLength ? `${words.slice(0, limits.fieldLength - 1)}…` : words;
}

const format: RowFormat<Receipt> = {
  rule: "a row is time|message id|pane|step|detail",
  parse(line) {
    const [at = "", id = "", paneText, stepText, detailText] = splitFields(line, 5) ?? [];
    const pane = readPane(paneText);
    const step = receiptSteps.find((known) => known === stepText);
    const detail = readText(detailText);
    if (parseUtc(at) === null || !isMessageId(id) || pane === null || step === undefined || detail === null) {
      return this.rule;
    }
    return { at, id, pane, step, detail };
  },
  format: ({ at, id, pane, step, detail }) => `${at}|${id}|${pane}|${step}|${detail}`,
  key: ({ id }) => id,
};
