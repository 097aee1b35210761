// The messages that wait for one pane, as text. Pure.
//
// [QR1] A pane and the name of its queue's file give each other back, whatever the team is called.
// [QR2] A message's text comes back as it went in, line breaks and backslashes included.
// [QR3] No message gets an id that another had, nor a stamp before one that any queue gave.
// [QR4] What somebody else wrote into the file stays in it, byte for byte.
// [QR5] An empty text, a control character (but newline and tab) and an over-long text are refused.
// [QR6] A second that holds as many messages as it can gives way to the next. A time too late to be followed by another
//       is none: its row is a bad row, and nothing fails for it.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { addressOf, isPaneAddress, type PaneAddress, paneAddress } from "../names/gates.js";
import type { Problem } from "./error.js";
import { excerpt, formatRow, type Line, parseLines, type RowFormat } from "./row-lines.js";

/** Seconds, with `.<n>` behind them from the second message of one second on. */
export type Stamp = string & { readonly brand: "Stamp" };
export type MessageId = `${PaneAddress}@${string}`;
export type Intent = "inform" | `remote-control:${string}`;

export interface QueueRow {
  stamp: Stamp;
  intent: Intent;
  text: string;
}

export interface Queue {
  lines: readonly Line<QueueRow>[];
  rows: readonly QueueRow[];
  problems: readonly Problem[];
  /** The last stamp that was given here. */
  mark: Stamp | null;
}

/** `web4team:0.1` ↔ `web4team_0_1.queue`, read back from the right because a team may have `_` in its name. */
export function queueFileName(pane: PaneAddress): string {
  return `${pane.replace(/[:.]/g, "_")}.queue`;
}

export function paneOfQueueFile(name: string): PaneAddress | null {
  const match = /^(.+)_(\d+)_(\d+)\.queue$/.exec(name);
  if (match === null) return null;
  const pane = addressOf(match[1]!, Number(match[2]), Number(match[3]));
  return isPaneAddress(pane) && queueFileName(pane) === name ? pane : null;
}

export function messageId(pane: PaneAddress, stamp: Stamp): MessageId {
  return `${pane}@${stamp}`;
}

export function isMessageId(text: string): text is MessageId {
  const cut = text.lastIndexOf("@");
  return isPaneAddress(text.slice(0, Math.max(cut, 0))) && isStamp(text.slice(cut + 1));
}

export function messageParts(id: MessageId): { pane: PaneAddress; stamp: Stamp } {
  const cut = id.lastIndexOf("@");
  return { pane: paneAddress(id.slice(0, cut)), stamp: id.slice(cut + 1) as Stamp };
}

export function isIntent(text: string): text is Intent {
  return text === "inform" || /^remote-control:[!-{}~]{1,40}$/.test(text);
}

export function secondsOf(stamp: Stamp): number {
  return Number(stamp.split(".")[0]);
}

/** Waited for longer than a message may. */
export function isExpired(stamp: Stamp, nowSeconds: number): boolean {
  return nowSeconds - secondsOf(stamp) > limits.queueAgeSeconds;
}

export function parseQueue(path: string, bytes: Buffer): Queue {
  const parsed = parseLines(path, bytes, format);
  let mark: Stamp | null = null;
  const lines: Line<QueueRow>[] = [];
  const problems = [...parsed.problems];
  for (const [at, line] of parsed.lines.entries()) {
    const noted = markForm.exec(
      line.row === null && line.bytes.length < 64 ? line.bytes.toString("latin1") : "",
    );
    if (noted !== null) mark = later(mark, noted[1] as Stamp);
    else if (line.row === null) lines.push(line);
    else {
      // A foreign writer may give one second to two messages; both must be found by an id of their own.
      const stamp = place(line.row.stamp, mark);
      if (!isStamp(stamp)) {
        problems.push({ path, line: at + 1, why: `no id is left behind ${mark}` });
        lines.push({ ...line, row: null });
        continue;
      }
      mark = stamp;
      lines.push(stamp === line.row.stamp ? line : newLine({ ...line.row, stamp }));
    }
  }
  return { lines, rows: rowsOf(lines), problems, mark };
}

export function formatQueue({ lines, rows, mark }: Queue): Buffer {
  // The rows say themselves what was given last, unless that message left already.
  const note = mark !== null && rows.at(-1)?.stamp !== mark ? [Buffer.from(`# last ${mark}\n`)] : [];
  return Buffer.concat([...lines.map(({ bytes }) => ended(bytes)), ...note]);
}

export function formatRows(rows: readonly QueueRow[]): Buffer {
  return Buffer.concat(rows.map((row) => newLine(row).bytes));
}

/** `last` is the last stamp that any queue gave. A clock that was set back gives none before it. */
export function addMessage(
  queue: Queue,
  intent: Intent,
  text: string,
  nowSeconds: number,
  last: Stamp | null = null,
): Queue {
  if (queue.rows.length >= limits.queueRows) {
    throw new HiveError(`the queue is full: ${limits.queueRows} messages wait`, {
      hint: "hivemind queue list, then drain or clear it",
    });
  }
  checkText(text);
  const stamp = place(place(String(nowSeconds) as Stamp, last), queue.mark);
  const lines = [...queue.lines, newLine({ stamp, intent, text })];
  return { ...queue, lines, rows: rowsOf(lines), mark: stamp };
}

export function removeMessages(queue: Queue, gone: ReadonlySet<Stamp>): Queue {
  const lines = queue.lines.filter(({ row }) => row === null || !gone.has(row.stamp));
  return { ...queue, lines, rows: rowsOf(lines) };
}

/** What stays when every message has gone: the mark. */
export function emptied(queue: Queue): Queue {
  return { ...queue, lines: [], rows: [] };
}

/**
 * Messages of other queues take their place in this one by time, and whatever would have a stamp that was given here
 * before, or stand behind a later one, gets a new one. Tells the stamp of every row, by the row it was. `wasGiven` knows
 * what this queue forgot when it was empty.
 */
export function takeIn(
  queue: Queue,
  arrivals: readonly QueueRow[],
  wasGiven: (stamp: Stamp) => boolean = () => false,
): { queue: Queue; stamps: ReadonlyMap<QueueRow, Stamp> } {
  const waiting = [...arrivals].sort((a, b) => compareStamps(a.stamp, b.stamp));
  const inOrder: Line<QueueRow>[] = [];
  for (const line of queue.lines) {
    const isEarlier = (row: QueueRow) => line.row !== null && compareStamps(row.stamp, line.row.stamp) < 0;
    while (waiting[0] !== undefined && isEarlier(waiting[0])) inOrder.push(newLine(waiting.shift()!));
    inOrder.push(line);
  }
  inOrder.push(...waiting.map(newLine));

  const own = new Set(queue.rows);
  const stamps = new Map<QueueRow, Stamp>();
  let last: Stamp | null = null;
  const lines = inOrder.map((line) => {
    const { row } = line;
    if (row === null) return line;
    const isOwn = own.has(row);
    last = place(row.stamp, isOwn || queue.mark === null ? last : later(last, queue.mark));
    while (!isOwn && wasGiven(last)) last = place(last, last);
    stamps.set(row, last);
    return last === row.stamp ? line : newLine({ ...row, stamp: last });
  });
  const mark = queue.mark === null ? last : later(last, queue.mark);
  return { queue: { ...queue, lines, rows: rowsOf(lines), mark }, stamps };
}

export function checkText(text: string): void {
  const shown = `refused "${excerpt(text)}"`;
  if (text.trim() === "") throw new HiveError("refused an empty message");
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) {
    throw new HiveError(`${shown}: a message has no control characters but newline and tab`);
  }
  if (Buffer.from(text).toString() !== text)
    throw new HiveError(`${shown}: half a character (a lone surrogate)`);
  if (Buffer.byteLength(escapeText(text)) > limits.messageBytes) {
    throw new HiveError(`${shown}: a message has at most ${limits.messageBytes} bytes`, {
      hint: "hivemind delegate puts a long text into a task file",
    });
  }
}

export function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

/** Any other backslash was meant as one: other writers escape nothing. */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\([\\nr])/g, (_, char: string) =>
    char === "n" ? "\n" : char === "r" ? "\r" : "\\",
  );
}

/** Three thousand years of seconds: whoever writes more nines than that means no time. */
const stampForm = /\d{1,11}(?:\.[1-9]\d{0,8})?/;
const markForm = new RegExp(`^# last (${stampForm.source})\\r?\\n?$`);
const wholeStamp = new RegExp(`^${stampForm.source}$`);

const format: RowFormat<QueueRow> = {
  rule: "a row is epoch|intent|text",
  parse(line) {
    const [stamp = "", intent = "", ...rest] = line.split("|");
    const text = unescapeText(rest.join("|"));
    const isGood = isStamp(stamp) && isIntent(intent) && rest.length > 0;
    return isGood && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text)
      ? { stamp, intent, text }
      : this.rule;
  },
  format: ({ stamp, intent, text }) => `${stamp}|${intent}|${escapeText(text)}`,
  key: ({ stamp }) => stamp,
  // The stamp and the intent stand before the text.
  rowBytes: limits.messageBytes + 256,
};

export function isStamp(text: string): text is Stamp {
  return wholeStamp.test(text);
}

/** The stamp itself if it is after the mark, else the next one after the mark. */
function place(stamp: Stamp, mark: Stamp | null): Stamp {
  if (mark === null || compareStamps(stamp, mark) > 0) return stamp;
  const [seconds, count = "1"] = mark.split(".");
  const isFull = Number(count) === 999_999_999;
  return (isFull ? String(Number(seconds) + 1) : `${seconds}.${Number(count) + 1}`) as Stamp;
}

export function later(a: Stamp | null, b: Stamp): Stamp {
  return a === null || compareStamps(b, a) > 0 ? b : a;
}

export function compareStamps(a: Stamp, b: Stamp): number {
  const [aSeconds, aCount = "1"] = a.split(".");
  const [bSeconds, bCount = "1"] = b.split(".");
  return Number(aSeconds) - Number(bSeconds) || Number(aCount) - Number(bCount);
}

function rowsOf(lines: readonly Line<QueueRow>[]): QueueRow[] {
  return lines.flatMap(({ row }) => (row === null ? [] : [row]));
}

function newLine(row: QueueRow): Line<QueueRow> {
  return { row, bytes: Buffer.from(`${formatRow(row, format)}\n`) };
}

function ended(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0a ? bytes : Buffer.concat([bytes, Buffer.from("\n")]);
}
