// S5: which session was seen where, and its parent. It outlives the transcripts; nothing is ever removed.
//
// [FK1] A query reads the file in chunks of a fixed size: one pass, never the whole file in memory.
// [FK2] A query returns exactly the rows that splitting every line would. If the log is too large to read in bounded
//       time (NP1), a query for all rows returns the newest and reports that; a query for one pane or session
//       returns all.
// [NP1] The whole log is read if that is quick, even a million rows if only a few thousand of them are distinct.
//       Otherwise only the newest part is read, from the beginning of a line.
// [FK3] Of rows that differ only in their time, the last can be read alone: a log of a million rows has a few
//       thousand distinct ones.

import { constants, fstatSync, readSync } from "node:fs";
import { withFile } from "../base/files/atomic-file.js";
import { parseUtc } from "../base/text/utc.js";
import { limits } from "../limits.js";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import { appendFile } from "./file/append-file.js";
import { guard, type Report } from "./file/error.js";
import { oneOf, optional, readPane, readRole, readSession } from "./file/fields.js";
import { chunksFromEnd } from "./file/lines-from-end.js";
import { excerpt, type RowFormat } from "./file/row-lines.js";
import { wholeLines } from "./file/whole-lines.js";
import { rowsAt } from "./text/fork-rows-at.js";

export const forkStates = ["live", "stable", "stale", "broken", "unknown"] as const;
export type ForkState = (typeof forkStates)[number];

export interface ForkRow {
  /** UTC, `…Z`. */
  at: string;
  /**
   * Null for a session that was not seen in a pane: made without an agent, from another host, or known only by a
   * row.
   */
  pane: PaneAddress | null;
  /** Null for an agent without a role. */
  role: Role | null;
  /** Null if it was unknown. */
  uuid: SessionId | null;
  state: ForkState;
  parent: SessionId | null;
}

export interface ForkFilter {
  pane?: PaneAddress;
  uuid?: SessionId;
  /** The beginning of it. */
  uuidStart?: string;
  parent?: SessionId;
  state?: ForkState;
  /** Only rows with a parent. */
  hasParent?: true;
}

export type Forks = ReturnType<typeof openForks>;

export function openForks(path: string, report?: Report) {
  const { append } = appendFile(path, forkFormat, { header: forkHeader, report });
  /** In file order, oldest first. Reading stops when the caller stops. */
  const scan = (filter: ForkFilter = {}) => scanForks(path, filter, report);
  /** Of rows that differ only in time, the last, in file order. With `parents`, only rows with a parent. */
  const lastOfEach = (which: "all" | "parents" = "all"): Iterable<ForkRow> =>
    lastRows(path, which === "all" ? allRows : parentRows, report) ??
    scan(which === "all" ? {} : { hasParent: true });
  /** The rows of these panes, for the history: see there. */
  const at = (panes: ReadonlySet<PaneAddress>) =>
    rowsAt(wholeLines(path, 0, limits.forkChunkBytes), panes, (line) => forkFormat.parse(line));
  return { path, append, scan, lastOfEach, at };
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
  const fields = text.split("|");
  if (fields.length !== 5) return null;
  const [paneText, roleText, uuidText, stateText, parentText] = fields as [
    string,
    string,
    string,
    string,
    string,
  ];
  const pane = knownPane(paneText);
  const role = knownRole(roleText);
  const uuid = readUuid(uuidText);
  const state = readState(stateText);
  const parent = readUuid(parentText);
  const isBad = pane === undefined || role === undefined || uuid === undefined || parent === undefined;
  return isBad || state === undefined ? null : { pane, role, uuid, state, parent };
}

const readUuid = optional(readSession);
const readState = oneOf(forkStates);

// A log of a million rows repeats the same fields over and over, so each distinct one is validated once.
const knownWhat = remembering(parseWhat, limits.rememberedFields);
// Times differ, except those of one look.
const knownTime = remembering(parseUtc, 1);
// For logs where every row names another session.
const knownPane = remembering(optional(readPane), limits.rememberedFields);
const knownRole = remembering(optional(readRole), limits.rememberedFields);

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
  const { hasParent, uuidStart = "", ...fields } = filter;
  const wanted = Object.entries(fields) as [keyof typeof fields, string][];
  const from = needle === "" ? newest(path, hasParent ? parentRows : allRows, report) : 0;
  let line = 0;
  // After a skipped part, line numbers are unknown.
  let reported = from === 0 ? 0 : limits.forkProblems;
  for (const piece of wholeLines(path, from, limits.forkChunkBytes)) {
    for (const text of hasParent ? parentLinesIn(piece) : linesIn(piece, needle)) {
      line++;
      if (text.startsWith("#") || text.trim() === "") continue;
      const row = forkFormat.parse(text.endsWith("\r") ? text.slice(0, -1) : text);
      if (typeof row === "object") {
        const isWanted = wanted.every(([name, value]) => row[name] === value);
        const isMeant = uuidStart === "" || row.uuid?.startsWith(uuidStart) === true;
        if (isWanted && isMeant && !(hasParent && row.parent === null)) yield row;
      } else if (needle === "" && !hasParent && reported++ < limits.forkProblems) {
        // Only the scan that reads every line knows the line numbers, so only that scan reports.
        report?.({ path, line, why: `${row}: "${excerpt(text)}"` });
      }
    }
  }
}

/**
 * From the end, in one pass that is also within the bounds of NP1. Null if an unreadable row stands for readable
 * ones: then every row has to be read.
 */
function lastRows(path: string, contentOf: ContentOf, report?: Report): ForkRow[] | null {
  const met = new Set<string>();
  const newestFirst: { at: string; what: string }[] = [];
  let work = 0;
  for (const { bytes } of chunksFromEnd(path, limits.forkChunkBytes)) {
    const before = newestFirst.length;
    for (let end = bytes.length - 1; end > 0; ) {
      const from = bytes.lastIndexOf(lineFeed, end - 1) + 1;
      const what = bytes[from] === numberSign ? null : contentOf(bytes, from, end);
      const isNew = what !== null && !met.has(what);
      work += isNew ? limits.forkNewWork : 1;
      if (isNew) {
        met.add(what);
        newestFirst.push({ at: bytes.toString("latin1", from, end - what.length - 1), what });
      }
      end = from - 1;
    }
    if (work <= limits.forkWork) continue;
    // The chunk that exceeds the budget is skipped as a whole.
    newestFirst.length = before;
    report?.({ path, line: 1, why: tooMuch });
    break;
  }
  const rows: ForkRow[] = [];
  for (const { at, what } of newestFirst.reverse()) {
    // All are different, so none is remembered.
    const found = parseWhat(what.endsWith("\r") ? what.slice(0, -1) : what);
    if (found === null) continue;
    const { pane, role, uuid, state, parent } = found;
    if (knownTime(at) !== null) rows.push({ at, pane, role, uuid, state, parent });
    else return null;
  }
  return rows;
}

/** The offset to read from. Reports it if a part is skipped. */
function newest(path: string, contentOf: ContentOf, report?: Report): number {
  const from = guard(path, () => newestPart(path, contentOf));
  if (from > 0) report?.({ path, line: 1, why: tooMuch });
  return from;
}

const tooMuch = "the file is too large, so only its newest rows are read: move older rows to another file";

/** The content of a line, except its time. A new content costs a validation, a known one little; null is skipped. */
type ContentOf = (piece: Buffer, from: number, end: number) => string | null;

/** The offset to read from; 0 for the whole log. */
function newestPart(path: string, contentOf: ContentOf): number {
  const look = (fd: number) => {
    const { size } = fstatSync(fd);
    if (size <= limits.forkQuickBytes) return 0;
    const buffer = Buffer.allocUnsafe(limits.forkChunkBytes);
    const met = new Set<string>();
    let work = 0;
    for (let end = size; end > 0; ) {
      const start = Math.max(0, end - buffer.length);
      const piece = buffer.subarray(0, readSync(fd, buffer, 0, end - start, start));
      const first = start === 0 ? 0 : piece.indexOf(lineFeed) + 1;
      for (let from = first; from < piece.length; ) {
        const found = piece.indexOf(lineFeed, from);
        const lineEnd = found < 0 ? piece.length : found;
        const text = contentOf(piece, from, lineEnd);
        work += text === null || met.has(text) ? 1 : limits.forkNewWork;
        if (text !== null) met.add(text);
        from = lineEnd + 1;
      }
      // The chunk that exceeds the budget is skipped as a whole.
      if (work > limits.forkWork) return end;
      // A line longer than a chunk is skipped.
      end = first > 0 && first < piece.length ? start + first : start;
    }
    return 0;
  };
  return withFile(path, constants.O_RDONLY, look) ?? 0;
}

/** The content of a row without its time; null for a line without fields. */
const allRows: ContentOf = (piece, from, end) => {
  let cut = from;
  while (cut < end && piece[cut] !== delimiter) cut++;
  return cut < end ? piece.toString("latin1", cut + 1, end) : null;
};

const parentRows: ContentOf = (piece, from, end) =>
  piece[end - 1] === delimiter ? null : allRows(piece, from, end);

/** The rarest of the wanted texts, with a delimiter, so that most lines are skipped without being split. */
function needleOf({ pane, uuid, uuidStart, parent, state }: ForkFilter): string {
  if (uuid !== undefined) return `|${uuid}|`;
  if (uuidStart !== undefined) return `|${uuidStart}`;
  if (parent !== undefined) return `|${parent}`;
  if (pane !== undefined) return `|${pane}|`;
  return state === undefined ? "" : `|${state}|`;
}

const [lineFeed, delimiter, numberSign] = [0x0a, 0x7c, 0x23];

/** Splits at every line end. With a needle, lines that do not contain it are skipped without being cut out. */
function* linesIn(piece: Buffer, needle: string): Generator<string> {
  if (needle === "") return yield* piece.toString("latin1").split("\n").slice(0, -1);
  const bytes = Buffer.from(needle);
  for (let at = 0; at < piece.length; ) {
    const hit = piece.indexOf(bytes, at);
    if (hit < 0) return;
    const end = piece.indexOf(lineFeed, hit);
    // Every field of a row is ASCII, so the fastest decoding is right for every valid row.
    yield piece.toString("latin1", hit === 0 ? 0 : piece.lastIndexOf(lineFeed, hit - 1) + 1, end);
    at = end + 1;
  }
}

/** Without lines that end in an empty field: their last byte shows that. */
function* parentLinesIn(piece: Buffer): Generator<string> {
  for (let at = 0; at < piece.length; ) {
    const end = piece.indexOf(lineFeed, at);
    if (end > at && piece[end - 1] !== delimiter) yield piece.toString("latin1", at, end);
    at = end + 1;
  }
}
