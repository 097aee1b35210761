// A saved layout as text: assignments that a POSIX shell may source. We only ever parse them.
//
// [LY1] Sourced by sh, each variable has the very value that was saved.
// [LY2] A line that is not one plain assignment is a problem: nothing in the file is ever run.

import { isUtf8 } from "node:buffer";
import { HiveError } from "../base/errors.js";
import type { TeamName } from "../names/gates.js";
import type { Problem } from "./error.js";
import { readTeam } from "./fields.js";
import { excerpt } from "./row-lines.js";

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

export interface LayoutRead {
  /** Null when the file does not say which team it is of. */
  layout: Layout | null;
  problems: readonly Problem[];
}

export function formatLayout({ team, windows }: Layout): string {
  const lines = [assignment("OTMUX_LAYOUT_SESSION", team)];
  for (const { window, name, layout, panes } of windows) {
    const prefix = `OTMUX_WINDOW_${index(window)}`;
    lines.push(assignment(`${prefix}_NAME`, name), assignment(`${prefix}_LAYOUT`, layout));
    for (const { pane, title, cwd, command } of panes) {
      const its = `${prefix}_PANE_${index(pane)}`;
      lines.push(
        assignment(`${its}_TITLE`, title),
        assignment(`${its}_CWD`, cwd),
        assignment(`${its}_CMD`, command),
      );
    }
  }
  return lines.join("");
}

export function parseLayout(path: string, bytes: Buffer): LayoutRead {
  const { values, problems } = readAssignments(
    path,
    isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1"),
  );
  const team = readTeam(values.get("OTMUX_LAYOUT_SESSION"));
  if (team === null) problems.push({ path, line: 1, why: "it does not say which team it is of" });
  const windows = new Map<number, LayoutWindow & { panes: LayoutPane[] }>();
  for (const [name, value] of values) {
    const match = variableForm.exec(name);
    if (match === null) continue;
    const [, windowText, windowPart, paneText, panePart] = match;
    const window = windowAt(windows, Number(windowText));
    if (windowPart !== undefined) window[windowPart === "NAME" ? "name" : "layout"] = value;
    else paneAt(window.panes, Number(paneText))[paneFields[panePart as keyof typeof paneFields]] = value;
  }
  const ordered = [...windows.values()].sort((a, b) => a.window - b.window);
  for (const { panes } of ordered) panes.sort((a, b) => a.pane - b.pane);
  return { layout: team === null ? null : { team, windows: ordered }, problems };
}

const variableForm = /^OTMUX_WINDOW_(\d{1,5})_(?:(NAME|LAYOUT)|PANE_(\d{1,5})_(TITLE|CWD|CMD))$/;
const paneFields = { TITLE: "title", CWD: "cwd", CMD: "command" } as const;

function assignment(name: string, value: string): string {
  if (value.includes("\0") || Buffer.from(value).toString() !== value) {
    throw new HiveError(`refused ${name}="${excerpt(value)}": a shell cannot hold that`);
  }
  return `${name}='${value.replaceAll("'", "'\\''")}'\n`;
}

function index(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 99_999) return value;
  throw new HiveError(`refused ${value}: not the index of a window or pane`);
}

/** Values may hold line breaks, so the text is walked from assignment to assignment, not line by line. */
function readAssignments(path: string, text: string): { values: Map<string, string>; problems: Problem[] } {
  const values = new Map<string, string>();
  const problems: Problem[] = [];
  const form =
    /([A-Za-z_][A-Za-z0-9_]*)=((?:'[^']*'|\\'|[A-Za-z0-9_@%+=:,./-])*)[ \t]*(?:\r?\n|$)|([^\n]*)(?:\n|$)/y;
  let line = 1;
  while (form.lastIndex < text.length) {
    const match = form.exec(text)!;
    const [whole, name, quoted, other = ""] = match;
    if (name !== undefined) values.set(name, unquote(quoted!));
    else if (!/^\s*(#|$)/.test(other))
      problems.push({ path, line, why: `not an assignment: "${excerpt(other)}"` });
    line += whole.split("\n").length - 1;
  }
  return { values, problems };
}

/** Pieces in single quotes, `\\'` between them, and plain words as other writers leave unquoted. */
function unquote(quoted: string): string {
  return quoted.replaceAll(/'([^']*)'|\\(')/g, (_, inside?: string, quote?: string) => inside ?? quote!);
}

function windowAt(
  windows: Map<number, LayoutWindow & { panes: LayoutPane[] }>,
  window: number,
): { name: string; layout: string; panes: LayoutPane[] } {
  const found = windows.get(window) ?? { window, name: "", layout: "", panes: [] };
  windows.set(window, found);
  return found;
}

function paneAt(panes: LayoutPane[], pane: number): LayoutPane {
  const found = panes.find((each) => each.pane === pane);
  if (found !== undefined) return found;
  const made = { pane, title: "", cwd: "", command: "" };
  panes.push(made);
  return made;
}
