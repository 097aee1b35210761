// A saved fleet as text: a header, then one row per pane.
//
// - A snapshot of a newer version is refused before any row is read. One without a version header is version 1.
// - An invalid row is reported as a problem; the other rows count.
// - Of two rows with one address the last counts, and the other is reported.
// - Rows of a snapshot without a version header may have 5, 6 or 7 fields: cwd, model and kind are unknown then.
// - A comment before a row names the agent of the pane. Other programs skip it, and snapshots without it are valid.

import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { parseAsUtc, utcSeconds } from "../../base/text/utc.js";
import { limits } from "../../limits.js";
import { type AgentId, isAgentId } from "../../names/agent-id.js";
import { isField, type Role, type SessionId, type TeamName } from "../../names/gates.js";
import { type Kind, kinds } from "../../names/kind.js";
import { type Problem, StoreError } from "../file/error.js";
import { oneOf, optional, readCount, readRole, readSession, readTeam } from "../file/fields.js";
import { formatRow, type Line, parseLines, type RowFormat } from "../file/row-lines.js";

export interface SnapshotRow {
  /** The agent in the pane; null if none was known. */
  agent: AgentId | null;
  team: TeamName;
  window: number;
  pane: number;
  /** Null for a pane without a role. */
  role: Role | null;
  /** Null for a pane without a session, or with an unknown one. */
  uuid: SessionId | null;
  title: string;
  cwd: string;
  model: string;
  kind: Kind;
}

/** A row in a file: older snapshots do not have the kind. */
export type StoredRow = Omit<SnapshotRow, "kind"> & { kind: Kind | null };

/** The default kind: an agent for a pane with a session, a shell for one without. */
export function withLikelyKind(row: StoredRow): SnapshotRow {
  return { ...row, kind: row.kind ?? (row.uuid === null ? "shell" : "claude") };
}

export interface SnapshotRead {
  path: string;
  /** From the header, as `…Z`; empty if it has no time. */
  savedAt: string;
  isAutosave: boolean;
  /** Sessions without any message when they were saved: their missing transcript is no loss. */
  silent: ReadonlySet<SessionId>;
  rows: readonly StoredRow[];
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
    ...rows.flatMap((row) => [...agentLine(row), formatRow(row, format)]),
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
      `a snapshot of version ${version.slice(0, 20)}; this hivemind reads version 1`,
    );
  }
  const { lines, rows, problems } = parseLines(path, bytes, version === null ? olderFormat : format);
  const isAutosave = header.some((line) => /^# autosave\s*$/.test(line));
  const silent = header.flatMap(
    (line) => readSession(/^# no word yet (\S+)\s*$/.exec(line)?.[1] ?? "") ?? [],
  );
  return {
    path,
    savedAt: timeIn(header),
    isAutosave,
    silent: new Set(silent),
    rows: withAgents(rows, lines),
    problems: [...problems, ...replacedRows(path, lines)].sort((a, b) => a.line - b.line),
  };
}

/** From the first bytes of a snapshot; empty if its header has no time. */
export function headerTime(beginning: Buffer): string {
  return timeIn(headerOf(beginning));
}

/** The role in a form that a row can hold: "unknown" stands for none. */
export function savedRole(role: Role | null): Role | null {
  return role === noRole ? null : role;
}

/** A title or folder in a form that a row can hold: other characters become spaces. */
export function savedText(text: string): string {
  const clean = text.replaceAll(/[|\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
  return isField(clean) ? clean : clean.slice(0, limits.fieldLength);
}

type Fields = Omit<StoredRow, "agent">;

const format: RowFormat<Fields> = {
  rule: "a row is team|window.pane|role|uuid|title|cwd|model|kind",
  parse: (line) => parseRow(line, 8),
  format: ({ team, window, pane, role, uuid, title, cwd, model, kind }) =>
    [team, `${window}.${pane}`, role ?? "", uuid ?? "", title, cwd, model, kind ?? ""].join("|"),
  key: ({ team, window, pane }) => `${team}:${window}.${pane}`,
};

const olderFormat: RowFormat<Fields> = { ...format, parse: (line) => parseRow(line, 5) };

/** The row, or the problem with it. */
function parseRow(line: string, atLeast: number): Fields | string {
  const fields = line.split("|");
  if (fields.length < atLeast || fields.length > 8) return format.rule;
  const [
    teamText = "",
    address = "",
    roleText = "",
    uuidText = "",
    title = "",
    cwd = "",
    model = "",
    last = "",
  ] = fields;
  const team = readTeam(teamText);
  const [windowText = "", paneText = "", ...more] = address.split(".");
  const window = readCount(windowText);
  const pane = readCount(paneText);
  const role = roleText === noRole ? null : optional(readRole)(roleText);
  const uuid = optional(readSession)(uuidText);
  const kind = optional(oneOf(kinds))(last.trimEnd());
  if (team === undefined) return "not a team name";
  if (window === undefined || pane === undefined || more.length > 0 || Math.max(window, pane) > 99_999)
    return "not an address window.pane";
  if (role === undefined) return "not a role";
  if (uuid === undefined) return "not a session id";
  if (kind === undefined) return "not a kind of agent";
  if (![title, cwd, model].every(isField)) return "not a valid field";
  return { team, window, pane, role, uuid, title, cwd, model, kind };
}

function agentLine(row: StoredRow): string[] {
  return row.agent === null ? [] : [`# agent ${row.agent} ${format.key(row)}`];
}

/**
 * By the address in the comment, because a user may have moved rows. If two comments have one id, the first counts.
 */
function withAgents(rows: readonly Fields[], lines: readonly Line<Fields>[]): StoredRow[] {
  const agents = new Map<AgentId, string>();
  for (const { bytes, row } of lines) {
    if (row !== null || bytes[0] !== numberSign) continue;
    const [, id = "", address = ""] = /^# agent (\S+) (\S+)\s*$/.exec(bytes.toString("utf8")) ?? [];
    if (isAgentId(id) && !agents.has(id)) agents.set(id, address);
  }
  const byAddress = new Map([...agents].map(([id, address]) => [address, id]));
  return rows.map((row) => ({ agent: byAddress.get(format.key(row)) ?? null, ...row }));
}

const numberSign = 0x23;

/** hiveMind writes this for a pane without a role. */
const noRole = "unknown";

const byteOrderMark = Buffer.from("\ufeff");

/** Rows that a different row with the same address replaces further down. */
function replacedRows(path: string, lines: readonly Line<Fields>[]): Problem[] {
  const last = new Map(lines.flatMap(({ row }) => (row === null ? [] : [[format.key(row), row] as const])));
  return lines.flatMap(({ row }, at) => {
    const other = row === null ? undefined : last.get(format.key(row));
    if (row === null || isDeepStrictEqual(other, row)) return [];
    return [{ path, line: at + 1, why: `replaced by another row of ${format.key(row)} further down` }];
  });
}

/** Only the comments before the first row: a later one is a remark. */
function headerOf(bytes: Buffer): string[] {
  const lines = bytes.subarray(0, limits.rowBytes).toString("utf8").split("\n");
  const end = lines.findIndex((line) => !/^\s*(#|$)/.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** The first match in the header. */
function inHeader(header: readonly string[], form: RegExp): string | null {
  return header.map((line) => form.exec(line)?.[1]).find((found) => found !== undefined) ?? null;
}

function timeIn(header: readonly string[]): string {
  const ms = parseAsUtc(inHeader(header, /^\s*#\s*hiveMind snapshot\s+([^\r]*)/i) ?? "");
  return ms === null ? "" : utcSeconds(ms);
}
