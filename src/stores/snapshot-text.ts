// A saved fleet as text: a header, then one row per pane.
//
// [SN1] A snapshot of a newer version is refused before a row of it is looked at; one without a header is version 1.
// [SN2] A row that is not valid is a problem that is named; the rows around it count. Of two rows of one address the last
//       counts, and the other is named.
// [SN3] A snapshot without a version header may have rows of 5, 6 or 7 fields: cwd, model and kind are unknown there.

import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { parseAsUtc, utcSeconds } from "../base/utc.js";
import { limits } from "../limits.js";
import { isField, type Role, type SessionId, type TeamName } from "../names/gates.js";
import { type Problem, StoreError } from "./error.js";
import { readCount, readRole, readSession, readTeam, readText, splitFields } from "./fields.js";
import { formatRow, type Line, parseLines, type RowFormat } from "./row-lines.js";

export const agentKinds = ["claude", "claw", "demo", "shell", "monitor"] as const;
export type SavedKind = (typeof agentKinds)[number];

export interface SnapshotRow {
  team: TeamName;
  window: number;
  pane: number;
  /** Null for a pane without a name. */
  role: Role | null;
  /** Null for a pane without a session, or one that was not known. */
  uuid: SessionId | null;
  title: string;
  cwd: string;
  model: string;
  kind: SavedKind;
}

/** As it stands in a file: older snapshots do not tell the kind. */
export type StoredRow = Omit<SnapshotRow, "kind"> & { kind: SavedKind | null };

/** Where nothing tells the kind, a session was an agent's and a pane without one had a shell. */
export function withLikelyKind(row: StoredRow): SnapshotRow {
  return { ...row, kind: row.kind ?? (row.uuid === null ? "shell" : "claude") };
}

export interface Snapshot {
  /** From the header, as `…Z`; empty when it has no time. */
  savedAt: string;
  isAutosave: boolean;
  /** Sessions that had not said a word when they were saved: they have no transcript to miss. */
  silent: ReadonlySet<SessionId>;
  rows: readonly StoredRow[];
}

export interface SnapshotRead extends Snapshot {
  path: string;
  problems: readonly Problem[];
}

export function formatSnapshot(
  rows: readonly StoredRow[],
  atMs: number,
  { isAutosave, silent = new Set() }: { isAutosave: boolean; silent?: ReadonlySet<SessionId> },
): string {
  return [
    "# version: 1",
    `# hiveMind snapshot ${utcSeconds(atMs)}`,
    "# session|address|role|uuid|title|cwd|model|kind",
    ...(isAutosave ? ["# autosave"] : []),
    ...[...silent].map((uuid) => `# no word yet ${uuid}`),
    ...rows.map((row) => formatRow(row, format)),
    "",
  ].join("\n");
}

export function parseSnapshot(path: string, file: Buffer): SnapshotRead {
  const bytes = file.indexOf(byteOrderMark) === 0 ? file.subarray(byteOrderMark.length) : file;
  if (bytes.includes(0) && !isUtf8(bytes)) throw new StoreError("corrupt", path, "not a text file");
  const header = headerOf(bytes);
  const version = inHeader(header, /^\s*#\s*version\s*:\s*(\S+)/i);
  if (version !== null && version !== "1") {
    throw new StoreError(
      "newer",
      path,
      `a snapshot of version ${version.slice(0, 20)}; this hivemind knows version 1`,
    );
  }
  const { lines, rows, problems } = parseLines(path, bytes, version === null ? olderFormat : format);
  const isAutosave = header.some((line) => /^# autosave\s*$/.test(line));
  const silent = header.flatMap((line) => readSession(/^# no word yet (\S+)\s*$/.exec(line)?.[1]) ?? []);
  return {
    path,
    savedAt: timeIn(header),
    isAutosave,
    silent: new Set(silent),
    rows,
    problems: [...problems, ...replacedRows(path, lines)].sort((a, b) => a.line - b.line),
  };
}

/** From the first bytes of a snapshot; empty when its header has no time. */
export function headerTime(beginning: Buffer): string {
  return timeIn(headerOf(beginning));
}

/** The role as a row can hold it: one word of it means that there is none. */
export function savedRole(role: Role | null): Role | null {
  return role === noRole ? null : role;
}

/** A title or folder as a row can hold it: what a row cannot hold becomes a space. */
export function savedText(text: string): string {
  const clean = text.replaceAll(/[|\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
  return isField(clean) ? clean : clean.slice(0, limits.fieldLength);
}

const format: RowFormat<StoredRow> = {
  rule: "a row is team|window.pane|role|uuid|title|cwd|model|kind",
  parse: (line) => parseRow(splitFields(line, 8)) ?? format.rule,
  format: ({ team, window, pane, role, uuid, title, cwd, model, kind }) =>
    [team, `${window}.${pane}`, role ?? "", uuid ?? "", title, cwd, model, kind ?? ""].join("|"),
  key: ({ team, window, pane }) => `${team}:${window}.${pane}`,
};

const olderFormat: RowFormat<StoredRow> = {
  ...format,
  parse: (line) => parseRow(splitFields(line, 5, 8)) ?? format.rule,
};

/** Null without fields; a string says what is wrong with them. */
function parseRow(fields: string[] | null): StoredRow | string | null {
  if (fields === null) return null;
  const [teamText, address = "", roleText, uuidText, title, cwd = "", model = "", last = ""] = fields;
  const team = readTeam(teamText);
  const [windowText, paneText, ...more] = address.split(".");
  const window = readCount(windowText);
  const pane = readCount(paneText);
  const role = roleText === noRole ? null : readRole(roleText);
  const uuid = readSession(uuidText);
  const kindText = last.trimEnd();
  const kind = agentKinds.find((known) => known === kindText) ?? null;
  if (team === null) return "not a team name";
  if (window === null || pane === null || more.length > 0 || window > 99_999 || pane > 99_999) {
    return "not an address window.pane";
  }
  if (role === null && roleText !== "" && roleText !== noRole) return "not a role";
  if (uuid === null && uuidText !== "") return "not a session id";
  if (kind === null && kindText !== "") return "not a kind of agent";
  if (readText(title) === null || readText(cwd) === null || readText(model) === null)
    return "not a valid field";
  return { team, window, pane, role, uuid, title: title!, cwd, model, kind };
}

/** hiveMind writes this for a pane without a role. */
const noRole = "unknown";

const byteOrderMark = Buffer.from("\ufeff");

/** Rows of an address that another row names differently further down. */
function replacedRows(path: string, lines: readonly Line<StoredRow>[]): Problem[] {
  const last = new Map(lines.flatMap(({ row }) => (row === null ? [] : [[format.key(row), row] as const])));
  return lines.flatMap(({ row }, at) => {
    const other = row === null ? undefined : last.get(format.key(row));
    if (row === null || isDeepStrictEqual(other, row)) return [];
    return [{ path, line: at + 1, why: `another row of ${format.key(row)} further down counts instead` }];
  });
}

/** Only the comments before the first row: one further down is somebody's remark. */
function headerOf(bytes: Buffer): string[] {
  const lines = bytes.subarray(0, limits.rowBytes).toString("utf8").split("\n");
  const end = lines.findIndex((line) => !/^\s*(#|$)/.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** What the first line of that form says. */
function inHeader(header: readonly string[], form: RegExp): string | null {
  return header.map((line) => form.exec(line)?.[1]).find((found) => found !== undefined) ?? null;
}

function timeIn(header: readonly string[]): string {
  const ms = parseAsUtc(inHeader(header, /^\s*#\s*hiveMind snapshot\s+([^\r]*)/i) ?? "");
  return ms === null ? "" : utcSeconds(ms);
}
