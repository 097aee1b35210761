// S5: which session was seen where, and whose child it is. It outlives the transcripts; nothing is ever removed.
//
// [FK1] A query reads the file in pieces of a fixed size: it costs one pass, never the file's size in memory.
// [FK2] A query gives exactly the rows that a split of every line would give. Of a log that cannot be read in bounded time
//       (NP1) a query for all rows gives the newest, and that is reported; one for a pane or session gives all.
// [FK3] Of rows that say the same but for their time the last one can be had alone: a log of a million rows says a few
//       thousand things.

import { closeSync, constants, readSync } from "node:fs";
import { openRegular } from "../base/atomic-file.js";
import { parseUtc } from "../base/utc.js";
import { limits } from "../limits.js";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import { appendFile } from "./append-file.js";
import { guard, type Report } from "./error.js";
import { readPane, readRole, readSession, splitFields } from "./fields.js";
import { newestPart, type Says } from "./newest-part.js";
import { excerpt, type RowFormat } from "./row-lines.js";

export const forkStates = ["live", "stable", "stale", "broken", "unknown"] as const;
export type ForkState = (typeof forkStates)[number];

export interface ForkRow {
  /** UTC, `…Z`. */
  at: string;
  /** Null for a session that was not seen in any: made without an agent, or from another host, or only a row was left. */
  pane: PaneAddress | null;
  /** Null for an agent without a name. */
  role: Role | null;
  /** Null when it was not known. */
  uuid: SessionId | null;
  state: ForkState;
  parent: SessionId | null;
}

export interface ForkFilter {
  pane?: PaneAddress;
  uuid?: SessionId;
  parent?: SessionId;
  state?: ForkState;
  /** Only rows that name a parent. */
  hasParent?: true;
}

export interface Forks {
  readonly path: string;
  append(rows: readonly ForkRow[]): Promise<void>;
  /** In the order of the file, oldest first. Stop looking, and it stops reading. */
  scan(filter?: ForkFilter): Generator<ForkRow>;
  /** Of those that differ in time alone the last, in the order of the file. */
  lastOfEach(): Iterable<ForkRow>;
}

export function openForks(path: string, report?: Report): Forks {
  const file = appendFile(path, forkFormat, { header: forkHeader, report });
  const scan = (filter: ForkFilter = {}) => scanForks(path, filter, report);
  return { path, append: file.append, scan, lastOfEach: () => lastRows(path, report) ?? scan() };
}

export const forkHeader = [
  "# hiveMind fork lineage — append-only audit log",
  "# timestamp|pane|role|uuid|state|parentUuid",
];

export const forkFormat: RowFormat<ForkRow> = {
  rule: "a row is time|pane|role|uuid|state|parentUuid",
  parse(line) {
    const cut = line.indexOf("|");
    const at = line.slice(0, Math.max(cut, 0));
    const what = knownWhat(line.slice(cut + 1));
    if (what === null || knownTime(at) === null) return this.rule;
    return { at, pane: what.pane, role: what.role, uuid: what.uuid, state: what.state, parent: what.parent };
  },
  format: ({ at, pane, role, uuid, state, parent }) =>
    [at, pane ?? "", role ?? "", uuid ?? "", state, parent ?? ""].join("|"),
  key: ({ at }) => at,
};

function parseWhat(text: string): Omit<ForkRow, "at"> | null {
  const fields = splitFields(text, 5);
  if (fields === null) return null;
  const [paneText = "", roleText = "", uuidText = "", stateText = "", parentText = ""] = fields;
  const pane = knownPane(paneText);
  const role = knownRole(roleText);
  const uuid = readSession(uuidText);
  const state = states.get(stateText);
  const parent = parentText === "" ? null : readSession(parentText);
  if (state === undefined || (pane === null && paneText !== "")) return null;
  if (role === null && roleText !== "") return null;
  if ((uuid === null && uuidText !== "") || (parent === null && parentText !== "")) return null;
  return { pane, role, uuid, state, parent };
}

const states: ReadonlyMap<string, ForkState> = new Map(forkStates.map((state) => [state, state]));

// A log of a million rows says the same of the same panes over and over: each of it passes its gates once.
const knownWhat = remembering(parseWhat, limits.rememberedFields);
// Times are all different, but for those of one look.
const knownTime = remembering(parseUtc, 1);
// Also where every row names another session.
const knownPane = remembering(readPane, limits.rememberedFields);
const knownRole = remembering(readRole, limits.rememberedFields);

function remembering<Value>(read: (text: string) => Value, most: number): (text: string) => Value {
  const seen = new Map<string, Value>();
  return (text) => {
    const found = seen.get(text);
    if (found !== undefined) return found;
    if (seen.size >= most) seen.clear();
    const value = read(text);
    seen.set(text, value);
    return value;
  };
}

function* scanForks(path: string, filter: ForkFilter, report?: Report): Generator<ForkRow> {
  const needle = needleOf(filter);
  const from = needle === "" ? newest(path, filter.hasParent ? parentRows : allRows, report) : 0;
  let line = 0;
  // Behind a part that is not read nobody knows the number of a line.
  let told = from === 0 ? 0 : limits.forkProblems;
  for (const piece of piecesOf(path, from)) {
    for (const text of filter.hasParent ? parentLinesIn(piece) : linesIn(piece, needle)) {
      line++;
      if (text.startsWith("#") || text.trim() === "") continue;
      const row = forkFormat.parse(text.endsWith("\r") ? text.slice(0, -1) : text);
      if (typeof row === "object") {
        if (matches(row, filter)) yield row;
      } else if (needle === "" && !filter.hasParent && told++ < limits.forkProblems) {
        // Only the scan that looks at every line knows their numbers, so only that one tells.
        report?.({ path, line, why: `${row}: "${excerpt(text)}"` });
      }
    }
  }
}

/** Null where a row that cannot be read stands for others that can: then all have to be looked at. */
function lastRows(path: string, report?: Report): ForkRow[] | null {
  const last = new Map<string, { at: string; place: number }>();
  let place = 0;
  for (const piece of piecesOf(path, newest(path, allRows, report))) {
    let cut = -1;
    for (let from = 0; from < piece.length; place++) {
      const end = piece.indexOf(lineFeed, from);
      // Asked again only where it lies behind: lines without any would each look through the whole piece.
      if (cut < from) cut = piece.indexOf(delimiter, from);
      if (cut < 0) cut = piece.length;
      if (piece[from] !== numberSign && cut < end) {
        const at = piece.toString("latin1", from, cut);
        const what = piece.toString("latin1", cut + 1, end);
        const known = last.get(what);
        if (known === undefined) last.set(what, { at, place });
        else {
          known.at = at;
          known.place = place;
        }
      }
      from = end + 1;
    }
  }
  const rows: ForkRow[] = [];
  for (const [what, { at }] of [...last].sort(([, a], [, b]) => a.place - b.place)) {
    const row = forkFormat.parse(`${at}|${what.replace(/\r$/, "")}`);
    if (typeof row === "object") rows.push(row);
    else if (parseUtc(at) === null && parseWhat(what) !== null) return null;
  }
  return rows;
}

/** Where reading begins; that the rest is left out is said. */
function newest(path: string, says: Says, report?: Report): number {
  const from = guard(path, () => newestPart(path, says));
  if (from > 0) report?.({ path, line: 1, why: tooMuch });
  return from;
}

const tooMuch =
  "it is too large to be read whole, so only its newest rows count: move older ones to another file";

/** By what a row says but for its time. */
const allRows: Says = (piece, from, end) => {
  const cut = piece.subarray(from, end).indexOf(delimiter);
  return piece.toString("latin1", from + cut + 1, end);
};

const parentRows: Says = (piece, from, end) =>
  piece[end - 1] === delimiter ? null : allRows(piece, from, end);

/** The rarest of the wanted texts, with a delimiter, so that most lines are passed over without being split. */
function needleOf({ pane, uuid, parent, state }: ForkFilter): string {
  if (uuid !== undefined) return `|${uuid}|`;
  if (parent !== undefined) return `|${parent}`;
  if (pane !== undefined) return `|${pane}|`;
  return state === undefined ? "" : `|${state}|`;
}

function matches(row: ForkRow, { pane, uuid, parent, state, hasParent }: ForkFilter): boolean {
  return (
    (hasParent === undefined || row.parent !== null) &&
    (pane === undefined || row.pane === pane) &&
    (uuid === undefined || row.uuid === uuid) &&
    (parent === undefined || row.parent === parent) &&
    (state === undefined || row.state === state)
  );
}

const [lineFeed, delimiter, numberSign] = [0x0a, 0x7c, 0x23];

/** Cut at every line end; a needle passes over the lines that do not hold it without cutting them out. */
function* linesIn(piece: Buffer, needle: string): Generator<string> {
  if (needle === "") return yield* piece.toString("latin1").split("\n").slice(0, -1);
  const bytes = Buffer.from(needle);
  for (let at = 0; at < piece.length; ) {
    const hit = piece.indexOf(bytes, at);
    if (hit < 0) return;
    const end = piece.indexOf(lineFeed, hit);
    // Every field of a row is ASCII, so the fastest decoding is right for all that can pass a gate.
    yield piece.toString("latin1", hit === 0 ? 0 : piece.lastIndexOf(lineFeed, hit - 1) + 1, end);
    at = end + 1;
  }
}

/** Without those that end in an empty field, which are passed over by their last byte. */
function* parentLinesIn(piece: Buffer): Generator<string> {
  for (let at = 0; at < piece.length; ) {
    const end = piece.indexOf(lineFeed, at);
    if (end > at && piece[end - 1] !== delimiter) yield piece.toString("latin1", at, end);
    at = end + 1;
  }
}

/** Ended lines, as many as fit. Of a line that does not fit the beginning is given, marked as no row. */
function* piecesOf(path: string, from: number): Generator<Buffer> {
  const fd = guard(path, () => openRegular(path, constants.O_RDONLY));
  if (fd === null) return;
  try {
    const buffer = Buffer.allocUnsafe(limits.forkChunkBytes);
    let kept = 0;
    let isInsideGiant = false;
    let place = from;
    for (let got = -1; got !== 0; ) {
      got = readSync(fd, buffer, kept, buffer.length - kept, place);
      place += got;
      const filled = kept + got;
      const start = isInsideGiant ? buffer.subarray(0, filled).indexOf(0x0a) + 1 : 0;
      const end = buffer.subarray(0, filled).lastIndexOf(0x0a) + 1;
      if (end > start) yield buffer.subarray(start, end);
      if (end > 0) isInsideGiant = false;
      kept = filled - end;
      buffer.copyWithin(0, end, filled);
      if (kept < buffer.length && !isInsideGiant) continue;
      if (!isInsideGiant) yield Buffer.concat([buffer.subarray(0, 64), Buffer.from("\u0018\n")]);
      isInsideGiant = true;
      kept = 0;
    }
  } finally {
    closeSync(fd);
  }
}
