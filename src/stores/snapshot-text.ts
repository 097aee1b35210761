// A saved fleet as text: a header, then one row per pane.
//
// [SN1] A snapshot of a newer version is refused before a row of it is looked at; one without a header is version 1.
// [SN2] A row that is not valid is a problem that is named; the rows around it count.

import { isUtf8 } from "node:buffer";
import { utcSeconds } from "../base/utc.js";
import { limits } from "../limits.js";
import { isField, type Role, type SessionId, type TeamName } from "../names/gates.js";
import { type Problem, StoreError } from "./error.js";
import { readCount, readRole, readSession, readTeam, readText, splitFields } from "./fields.js";
import { formatRow, parseLines, type RowFormat } from "./row-lines.js";

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

export interface Snapshot {
  /** As the header says it; empty when it does not. */
  savedAt: string;
  isAutosave: boolean;
  /** Sessions that had not said a word when they were saved: they have no transcript to miss. */
  silent: ReadonlySet<SessionId>;
  rows: readonly SnapshotRow[];
}

export interface SnapshotRead extends Snapshot {
  path: string;
  problems: readonly Problem[];
}

export function formatSnapshot(
  rows: readonly SnapshotRow[],
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

export function parseSnapshot(path: string, bytes: Buffer): SnapshotRead {
  if (bytes.includes(0) && !isUtf8(bytes)) throw new StoreError("corrupt", path, "not a text file");
  const header = headerOf(bytes);
  const version = header
    .map((line) => /^# version:\s*(\S+)\s*$/.exec(line)?.[1])
    .find((found) => found !== undefined);
  if (version !== undefined && version !== "1") {
    throw new StoreError(
      "newer",
      path,
      `a snapshot of version ${version.slice(0, 20)}; this hivemind knows version 1`,
    );
  }
  const { rows, problems } = parseLines(path, bytes, format);
  const savedAt = header.map((line) => /^# hiveMind snapshot (\S+)/.exec(line)?.[1]).find(Boolean) ?? "";
  const isAutosave = header.some((line) => /^# autosave\s*$/.test(line));
  const silent = header.flatMap((line) => readSession(/^# no word yet (\S+)\s*$/.exec(line)?.[1]) ?? []);
  return { path, savedAt, isAutosave, silent: new Set(silent), rows, problems };
}

/** A title or folder as a row can hold it: what a row cannot hold becomes a space. */
export function savedText(text: string): string {
  const clean = text.replaceAll(/[|\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
  return isField(clean) ? clean : clean.slice(0, limits.fieldLength);
}

const format: RowFormat<SnapshotRow> = {
  rule: "a row is team|window.pane|role|uuid|title|cwd|model|kind",
  parse(line) {
    const fields = splitFields(line, 8);
    if (fields === null) return this.rule;
    const [teamText, address = "", roleText, uuidText, title, cwd, model, kindText] = fields;
    const team = readTeam(teamText);
    const [windowText, paneText, ...more] = address.split(".");
    const window = readCount(windowText);
    const pane = readCount(paneText);
    const role = readRole(roleText);
    const uuid = readSession(uuidText);
    const kind = agentKinds.find((known) => known === kindText);
    if (team === null) return "not a team name";
    if (window === null || pane === null || more.length > 0 || window > 99_999 || pane > 99_999) {
      return "not an address window.pane";
    }
    if (role === null && roleText !== "") return "not a role";
    if (uuid === null && uuidText !== "") return "not a session id";
    if (kind === undefined) return "not a kind of agent";
    if (readText(title) === null || readText(cwd) === null || readText(model) === null)
      return "not a valid field";
    return { team, window, pane, role, uuid, title: title!, cwd: cwd!, model: model!, kind };
  },
  format: ({ team, window, pane, role, uuid, title, cwd, model, kind }) =>
    [team, `${window}.${pane}`, role ?? "", uuid ?? "", title, cwd, model, kind].join("|"),
  key: ({ team, window, pane }) => `${team}:${window}.${pane}`,
};

/** Only the comments before the first row: one further down is somebody's remark. */
function headerOf(bytes: Buffer): string[] {
  const lines = bytes.subarray(0, limits.rowBytes).toString("utf8").split("\n");
  const end = lines.findIndex((line) => !/^\s*(#|$)/.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}
