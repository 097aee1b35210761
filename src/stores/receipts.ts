// What became of each message, step by step: `time|message id|pane|step|detail`.

import { parseUtc } from "../base/utc.js";
import { limits } from "../limits.js";
import type { PaneAddress } from "../names/gates.js";
import { type AppendFile, appendFile } from "./append-file.js";
import type { Report } from "./error.js";
import { readPane, readText, splitFields } from "./fields.js";
import { isMessageId, type MessageId } from "./queue-rows.js";
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
] as const;
export type ReceiptStep = (typeof receiptSteps)[number];

export interface Receipt {
  /** UTC, `…Z`. */
  at: string;
  id: MessageId;
  /** Where the message was then; its id is from where it was first. */
  pane: PaneAddress;
  step: ReceiptStep;
  detail: string;
}

export function openReceipts(path: string, report?: Report): AppendFile<Receipt> {
  return appendFile(path, format, { rotateBytes: limits.logRotateBytes, report });
}

/** The last word about each message. */
export function lastSteps(receipts: readonly Receipt[]): Map<MessageId, Receipt> {
  return new Map(receipts.map((receipt) => [receipt.id, receipt]));
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
