// A saved layout as text: assignments that a POSIX shell may source. We only parse them.
//
// - Sourced by sh, each variable has exactly the value that was saved.
// - A line that is not one plain assignment is a problem. Nothing in the file is ever executed.
// - Rewriting keeps every foreign line in place, including comments and invalid lines.

import { isUtf8 } from "node:buffer";
import { HiveError } from "../../base/errors.js";
import type { TeamName } from "../../names/gates.js";
import type { Problem } from "../file/error.js";
import { readTeam } from "../file/fields.js";
import { excerpt } from "../file/row-lines.js";
import { type ShPiece, shAssignment, shPieces } from "../file/sh-assignments.js";

export interface LayoutPane {
  pane: number;
  title: string;
  cwd: string;
  command: string;
}

export interface LayoutWindow {
  window: number;
  name: string;
  /** tmux's own layout string. */
  layout: string;
  panes: readonly LayoutPane[];
}

export interface Layout {
  team: TeamName;
  windows: readonly LayoutWindow[];
}

export function formatLayout(layout: Layout): string {
  return rewriteLayout(Buffer.alloc(0), layout).toString("utf8");
}

/** The file with its layout variables replaced by those of this layout. */
export function rewriteLayout(before: Buffer, layout: Layout): Buffer {
  const wanted = variablesOf(layout);
  const written = new Set<string>();
  const parts: string[] = [];
  // From the end: of several assignments of one variable the last counts.
  for (const piece of shPieces(before.toString("latin1")).reverse()) {
    const { assigned, text, tail } = piece;
    if (assigned === null || !isOurs(assigned.name)) {
      parts.push(text);
      continue;
    }
    const { name } = assigned;
    const value = wanted.get(name);
    if (value === undefined || written.has(name)) continue;
    written.add(name);
    const isSame = asText(assigned.value) === value;
    parts.push(isSame ? text : `${asBytes(shAssignment(name, value))}${tail}`);
  }
  parts.reverse();
  for (const [name, value] of wanted) {
    if (written.has(name)) continue;
    if (parts.length > 0 && !parts.at(-1)!.endsWith("\n")) parts.push("\n");
    parts.push(`${asBytes(shAssignment(name, value))}\n`);
  }
  return Buffer.from(parts.join(""), "latin1");
}

/** The layout is null if the file does not name its team. */
export function parseLayout(path: string, bytes: Buffer): { layout: Layout | null; problems: Problem[] } {
  const pieces = shPieces(bytes.toString("latin1"));
  const problems = pieces.flatMap((piece) => problemOf(path, piece) ?? []);
  const windows = new Map<number, ReadWindow>();
  let team: TeamName | null = null;
  for (const { assigned } of pieces) {
    if (assigned === null) continue;
    const value = asText(assigned.value);
    if (assigned.name === teamVariable) team = readTeam(value) ?? null;
    const match = variableForm.exec(assigned.name);
    if (match === null) continue;
    const [, windowText, windowPart, paneText, panePart] = match;
    const [at, paneAt] = [Number(windowText), Number(paneText)];
    const window = madeAt(windows, at, { window: at, name: "", layout: "", panes: new Map() });
    if (windowPart !== undefined) {
      window[windowPart === "NAME" ? "name" : "layout"] = value;
      continue;
    }
    const pane = madeAt(window.panes, paneAt, { pane: paneAt, title: "", cwd: "", command: "" });
    pane[paneFields[panePart as keyof typeof paneFields]] = value;
  }
  if (team === null) problems.push({ path, line: 1, why: "it does not name its team" });
  const ordered = [...windows.values()].sort((a, b) => a.window - b.window);
  const read = ordered.map((window) => ({
    ...window,
    panes: [...window.panes.values()].sort((a, b) => a.pane - b.pane),
  }));
  return { layout: team === null ? null : { team, windows: read }, problems };
}

const teamVariable = "OTMUX_LAYOUT_SESSION";
const variableForm = /^OTMUX_WINDOW_(\d{1,5})_(?:(NAME|LAYOUT)|PANE_(\d{1,5})_(TITLE|CWD|CMD))$/;
const paneFields = { TITLE: "title", CWD: "cwd", CMD: "command" } as const;

function isOurs(name: string): boolean {
  return name === teamVariable || variableForm.test(name);
}

/** In the order of a new file. */
function variablesOf({ team, windows }: Layout): Map<string, string> {
  const variables = new Map<string, string>([[teamVariable, team]]);
  for (const { window, name, layout, panes } of windows) {
    const prefix = `OTMUX_WINDOW_${index(window)}`;
    variables.set(`${prefix}_NAME`, name).set(`${prefix}_LAYOUT`, layout);
    for (const { pane, title, cwd, command } of panes) {
      const its = `${prefix}_PANE_${index(pane)}`;
      variables.set(`${its}_TITLE`, title).set(`${its}_CWD`, cwd).set(`${its}_CMD`, command);
    }
  }
  for (const [name, value] of variables) refuseUnholdable(name, value);
  return variables;
}

function refuseUnholdable(name: string, value: string): void {
  if (!value.includes("\0") && Buffer.from(value).toString() === value) return;
  throw new HiveError(`refused ${name}="${excerpt(value)}": a shell variable cannot hold it`);
}

function index(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 99_999) return value;
  throw new HiveError(`refused ${value}: not the index of a window or pane`);
}

function problemOf(path: string, { line, why, text }: ShPiece): Problem | null {
  return why === null ? null : { path, line, why: `${why}: "${excerpt(asText(text).trimEnd())}"` };
}

/** Files are parsed byte by byte so that invalid UTF-8 survives; a value is text. */
function asText(latin1: string): string {
  const bytes = Buffer.from(latin1, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : latin1;
}

function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

type ReadWindow = Omit<LayoutWindow, "panes"> & { panes: Map<number, LayoutPane> };

function madeAt<T>(all: Map<number, T>, at: number, empty: T): T {
  const found = all.get(at) ?? empty;
  all.set(at, found);
  return found;
}
