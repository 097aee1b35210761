// What became of each message, step by step: `time|message id|pane|step|detail`.
//
// [RC1] A message that moved with its pane has one history, under all ids it ever had.
// [RC2] That it was queued is its first step, also where somebody else was quicker to write down the next.
// [RC3] A message is for the pane that was written down last, by its id and its tmux server: when it was queued, when it
//       moved with a pane of which nothing was known before, or when its team was brought back.
// [RC4] What is known of a message that still waits, or was typed and not confirmed, outlives every rotation.

import { parseUtc, utcSeconds } from "../base/utc.js";
import { limits } from "../limits.js";
import { isPaneId, type PaneAddress, type PaneId } from "../names/gates.js";
import { type AppendFile, appendFile } from "./append-file.js";
import type { Report } from "./error.js";
import { readPane, readText, splitFields } from "./fields.js";
import { isMessageId, type MessageId, messageParts } from "./queue-rows.js";
import type { Moved } from "./queues.js";
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

/** `waiting` are the messages that a queue still has. */
export function openReceipts(
  path: string,
  report?: Report,
  waiting: () => readonly MessageId[] = () => [],
): AppendFile<Receipt> {
  return appendFile(path, format, {
    rotateBytes: limits.logRotateBytes,
    carried: (older, current) => openHistories(older, current, { waiting: waiting(), nowMs: Date.now() }),
    report,
  });
}

/** The whole histories of the messages that are not over, where the older file has a part of them. */
export function openHistories(
  older: readonly Receipt[],
  current: readonly Receipt[],
  { waiting, nowMs }: { waiting: readonly MessageId[]; nowMs: number },
): Receipt[] {
  const all = [...older, ...current];
  const isYoung = ({ at }: Receipt) => nowMs - parseUtc(at)! <= limits.uncertainShownMs;
  const isOpen = (last: Receipt) => ["queued", "typing", "uncertain"].includes(last.step) && isYoung(last);
  const open = [...lastSteps(all)].flatMap(([id, last]) => (isOpen(last) ? [id] : []));
  const ids = new Set([...waiting, ...open]);
  for (const each of all.toReversed()) if (ids.has(movedTo(each)!)) ids.add(each.id);
  const known = new Set(older.filter(({ id }) => ids.has(id)).map(({ id }) => id));
  for (const each of all) if (known.has(each.id)) known.add(movedTo(each) ?? each.id);
  return all.filter(({ id }) => known.has(id));
}

/** One step of a message, now, where it waits. */
export function receipt(id: MessageId, step: ReceiptStep, detail = ""): Receipt {
  return { at: utcSeconds(Date.now()), id, pane: messageParts(id).pane, step, detail: asDetail(detail) };
}

export function movedReceipts(moved: readonly Moved[]): Receipt[] {
  return moved.map(({ from, to, owner }) =>
    receipt(from, "moved", owner === null ? to : `${to} ${formatOwner(owner)}`),
  );
}

/** A pane of one tmux server: ids begin again on the next, which may have the number of the one before. */
export interface Owner {
  id: PaneId;
  server: ServerKey;
}

/** Its pid and when it started, in seconds. */
export type ServerKey = `${number}@${number}`;

/** Of a pane that went while its server lived on: none has this key, so no pane is taken for that one. */
export const noServer: ServerKey = "1@0";

export function serverKey({ pid, startedAtMs }: { pid: number; startedAtMs: number }): ServerKey {
  return `${pid}@${Math.floor(startedAtMs / 1000)}`;
}

export function formatOwner({ id, server }: Owner): string {
  return `${id} ${server}`;
}

/** For which pane each message is, under every id it had; those of which nobody knows are left out. */
export function ownersOf(receipts: readonly Receipt[]): ReadonlyMap<MessageId, Owner> {
  const owners = new Map<MessageId, Owner>();
  const know = (id: MessageId, owner: Owner | null | undefined) => owner && owners.set(id, owner);
  // First all that was queued: who moved a message may have been quicker to write than who queued it.
  for (const each of receipts) if (isFirst(each)) know(each.id, parseOwner(each.detail));
  for (const each of receipts) {
    const to = movedTo(each);
    if (to === null) continue;
    const owner = parseOwner(each.detail.slice(to.length + 1)) ?? owners.get(each.id);
    // Killed before the message moved, it still has its old id.
    for (const id of [each.id, to]) know(id, owner);
  }
  return owners;
}

/** Every id that a message has, had, or was about to get. */
export function givenIds(receipts: readonly Receipt[]): ReadonlySet<MessageId> {
  return new Set(receipts.flatMap((each) => [each.id, movedTo(each) ?? []].flat()));
}

/** The id it has by now. */
export function idNow(receipts: readonly Receipt[], id: MessageId): MessageId {
  let now = id;
  for (const each of receipts) if (each.id === now) now = movedTo(each) ?? now;
  return now;
}

/** All that was noted of a message, oldest first. */
export function historyOf(receipts: readonly Receipt[], id: MessageId): Receipt[] {
  const ids = new Set([id]);
  for (const each of receipts.toReversed()) {
    const to = movedTo(each);
    if (to !== null && ids.has(to)) ids.add(each.id);
  }
  const own = receipts.filter((each) => ids.has(each.id) && each.step !== "moved");
  return [...own.filter(isFirst), ...own.filter((each) => !isFirst(each))];
}

/** The last word about each message, by the id it has now. */
export function lastSteps(receipts: readonly Receipt[]): Map<MessageId, Receipt> {
  const last = new Map<MessageId, Receipt>();
  for (const each of receipts) {
    const { id, step } = each;
    if (isFirst(each) && last.has(id)) continue;
    if (step !== "moved") last.set(id, each);
    const to = movedTo(each);
    const before = last.get(id);
    if (to === null || before === undefined) continue;
    last.delete(id);
    last.set(to, { ...before, id: to });
  }
  return last;
}

function isFirst({ step }: Receipt): boolean {
  return step === "queued";
}

function movedTo({ step, detail }: Receipt): MessageId | null {
  const [to = ""] = step === "moved" ? detail.split(" ") : [];
  return isMessageId(to) ? to : null;
}

function parseOwner(text: string): Owner | null {
  const [id = "", server = "", ...more] = text.split(" ");
  const isOwner = isPaneId(id) && /^[1-9]\d{0,9}@\d{1,12}$/.test(server) && more.length === 0;
  return isOwner ? { id, server: server as ServerKey } : null;
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
