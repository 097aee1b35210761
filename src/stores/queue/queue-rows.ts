// The queued messages of one agent, as text. Pure.
//
// [QR1] An agent and its queue's file name convert into each other. So do a pane and hiveMind's name for its queue,
//       for any team name.
// [QR2] A message's text is read back as it was written, including line breaks and backslashes.
// [QR3] No message gets the stamp of another in its queue, or one before the last stamp of any queue.
// [QR4] Foreign lines stay in the file, byte for byte.
// [QR5] An empty text, a control character (except newline and tab) and a too long text are refused.
// [QR6] A second without free stamps is followed by the next second. A time too late to be followed by another is
//       invalid: its row is a bad row, not a failure.
// [QR7] Merging a file twice adds its messages once. Messages of the queue keep their stamps, and no message is
//       queued or delivered twice.

import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { type AgentId, isAgentId } from "../../names/agent-id.js";
import { addressOf, isPaneAddress, type PaneAddress } from "../../names/gates.js";
import type { Problem } from "../file/error.js";
import { excerpt, formatRow, type Line, parseLines, type RowFormat } from "../file/row-lines.js";

/** Seconds, with `.<n>` from the second message of one second on. */
export type Stamp = string & { readonly brand: "Stamp" };
/** `<agent>@<stamp>`. It never changes, even in `dead/`. Earlier versions wrote the pane before the stamp. */
export type MessageId = `${string}@${string}`;
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
}

export function queueFileName(agent: AgentId): string {
  if (!isAgentId(agent)) throw new HiveError(`refused "${excerpt(agent)}": it is not an agent's id`);
  return `${agent}.queue`;
}

export function agentOfQueueFile(name: string): AgentId | null {
  const id = name.endsWith(".queue") ? name.slice(0, -".queue".length) : "";
  return isAgentId(id) ? id : null;
}

/** `web4team:0.1` ↔ `web4team_0_1.queue`. Parsed from the right, because a team's name may contain `_`. */
export function paneQueueName(pane: PaneAddress): string {
  return `${pane.replace(/[:.]/g, "_")}.queue`;
}

export function paneOfQueueFile(name: string): PaneAddress | null {
  const match = /^(.+)_(\d+)_(\d+)\.queue$/.exec(name);
  if (match === null) return null;
  const pane = addressOf(match[1]!, Number(match[2]), Number(match[3]));
  return isPaneAddress(pane) && paneQueueName(pane) === name ? pane : null;
}

export function messageId(agent: AgentId, stamp: Stamp): MessageId {
  return `${agent}@${stamp}`;
}

export function isMessageId(text: string): text is MessageId {
  const cut = text.lastIndexOf("@");
  const owner = text.slice(0, Math.max(cut, 0));
  return (isAgentId(owner) || isPaneAddress(owner)) && isStamp(text.slice(cut + 1));
}

/** The agent is null in an id of an earlier version. */
export function messageParts(id: MessageId): { agent: AgentId | null; stamp: Stamp } {
  const cut = id.lastIndexOf("@");
  const owner = id.slice(0, cut);
  return { agent: isAgentId(owner) ? owner : null, stamp: id.slice(cut + 1) as Stamp };
}

export function isIntent(text: string): text is Intent {
  return text === "inform" || /^remote-control:[!-{}~]{1,40}$/.test(text);
}

export function secondsOf(stamp: Stamp): number {
  return Number(stamp.split(".")[0]);
}

/** Whether it was queued for too long. Time before `since` does not count: its agent was away. */
export function isExpired(stamp: Stamp, nowSeconds: number, since = 0): boolean {
  return nowSeconds - Math.max(secondsOf(stamp), since) > limits.queueAgeSeconds;
}

export function parseQueue(path: string, bytes: Buffer): Queue {
  const parsed = parseLines(path, bytes, format);
  const problems = [...parsed.problems];
  const lines: Line<QueueRow>[] = [];
  let last: Stamp | null = null;
  for (const [at, line] of parsed.lines.entries()) {
    if (line.row === null) {
      lines.push(line);
      continue;
    }
    // Another program may use one second for two messages. Each needs an id of its own.
    const stamp = place(line.row.stamp, last);
    if (!isStamp(stamp)) {
      problems.push({ path, line: at + 1, why: `no id is left after ${last}` });
      lines.push({ ...line, row: null });
      continue;
    }
    last = stamp;
    lines.push(stamp === line.row.stamp ? line : newLine({ ...line.row, stamp }));
  }
  return { lines, rows: rowsOf(lines), problems };
}

export function formatQueue({ lines }: Pick<Queue, "lines">): Buffer {
  return Buffer.concat(lines.map(({ bytes }) => ended(bytes)));
}

export function formatRows(rows: readonly QueueRow[]): Buffer {
  return Buffer.concat(rows.map((row) => newLine(row).bytes));
}

/** `last` is the last stamp of any queue. After the clock was set back, new stamps still come after it. */
export function addMessage(
  queue: Queue,
  intent: Intent,
  text: string,
  nowSeconds: number,
  last: Stamp | null = null,
): Queue {
  if (queue.rows.length >= limits.queueRows) {
    throw new HiveError(`the queue is full: it has ${limits.queueRows} messages`, {
      hint: "hivemind queue list, then drain or clear it",
    });
  }
  checkText(text);
  const stamp = place(place(String(nowSeconds) as Stamp, last), queue.rows.at(-1)?.stamp ?? null);
  return withLines(queue, [...queue.lines, newLine({ stamp, intent, text })]);
}

export function removeMessages(queue: Queue, gone: ReadonlySet<Stamp>): Queue {
  return withLines(
    queue,
    queue.lines.filter(({ row }) => row === null || !gone.has(row.stamp)),
  );
}

/**
 * Merges another file into this queue: its rows are inserted by time, and lines that are not rows go to the end.
 * Messages that the queue has or had are left out. A row whose stamp another message has gets the next free one.
 * `isTaken`: the agent had a message with this stamp that is no longer queued. `isOver`: not to be delivered again.
 */
export function mergeQueue(
  queue: Queue,
  found: Queue,
  { isTaken, isOver }: { isTaken(stamp: Stamp): boolean; isOver(row: QueueRow): boolean },
): Queue {
  const held = new Set(queue.rows.map(saying));
  const stamps = new Set(queue.rows.map(({ stamp }) => stamp));
  const notes = new Set(queue.lines.map(({ bytes }) => ended(bytes).toString("latin1")));
  const isNew = (row: QueueRow) =>
    !isOver(row) && !held.has(saying(row)) && (stamps.has(row.stamp) || !isTaken(row.stamp));
  const isNote = ({ bytes, row }: Line<QueueRow>) =>
    row === null &&
    !/^(# last .*|\s*)$/.test(bytes.toString("latin1").trimEnd()) &&
    !notes.has(ended(bytes).toString("latin1"));
  const merged = withRows(queue, found.rows.filter(isNew), isTaken);
  return withLines(queue, [...merged, ...found.lines.filter(isNote)]);
}

/** The content and second of a row. Its stamp may have got a number when the row was taken in. */
function saying({ stamp, intent, text }: QueueRow): string {
  return `${secondsOf(stamp)}|${intent}|${text}`;
}

/** The rows of the queue keep their stamps. */
function withRows(
  queue: Queue,
  arrivals: readonly QueueRow[],
  isTaken: (stamp: Stamp) => boolean,
): Line<QueueRow>[] {
  const used = new Set(queue.rows.map(({ stamp }) => stamp));
  const waiting = arrivals.map((row) => {
    let { stamp } = row;
    while (used.has(stamp) || isTaken(stamp)) stamp = place(stamp, stamp);
    used.add(stamp);
    return stamp === row.stamp ? row : { ...row, stamp };
  });
  waiting.sort((a, b) => compareStamps(b.stamp, a.stamp));
  const inOrder: Line<QueueRow>[] = [];
  for (const line of queue.lines) {
    const isEarlier = (row: QueueRow) => line.row !== null && compareStamps(row.stamp, line.row.stamp) < 0;
    while (waiting.length > 0 && isEarlier(waiting.at(-1)!)) inOrder.push(newLine(waiting.pop()!));
    inOrder.push(line);
  }
  return [...inOrder, ...waiting.toReversed().map(newLine)];
}

function withLines(queue: Queue, lines: readonly Line<QueueRow>[]): Queue {
  return { ...queue, lines, rows: rowsOf(lines) };
}

export function checkText(text: string): void {
  const shown = `refused "${excerpt(text)}"`;
  if (text.trim() === "") throw new HiveError("refused an empty message");
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) {
    throw new HiveError(`${shown}: control characters are not allowed, except newline and tab`);
  }
  if (Buffer.from(text).toString() !== text)
    throw new HiveError(`${shown}: half a character (a lone surrogate)`);
  if (Buffer.byteLength(escapeText(text)) > limits.messageBytes) {
    throw new HiveError(`${shown}: a message has at most ${limits.messageBytes} bytes`, {
      hint: "put a long text into a task file: hivemind delegate",
    });
  }
}

export function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

/** Any other backslash is literal: other writers do not escape. */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\([\\nr])/g, (_, char: string) =>
    char === "n" ? "\n" : char === "r" ? "\r" : "\\",
  );
}

/** Three thousand years of seconds. A larger number is not a time. */
const stampForm = /\d{1,11}(?:\.[1-9]\d{0,8})?/;
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
  // The stamp and the intent come before the text.
  rowBytes: limits.messageBytes + 256,
};

export function isStamp(text: string): text is Stamp {
  return wholeStamp.test(text);
}

/** The stamp itself if it is after the last one, else the next one after that. */
function place(stamp: Stamp, last: Stamp | null): Stamp {
  if (last === null || compareStamps(stamp, last) > 0) return stamp;
  const [seconds, count = "1"] = last.split(".");
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
