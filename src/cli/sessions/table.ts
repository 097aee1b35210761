// Formats the list of sessions.

import { basename } from "node:path";
import { shellWord } from "../../base/text/shell-word.js";
import { type Alignment, textTable, textWidth } from "../../base/text/table.js";
import { activityOf } from "../../fleet/activity/activity.js";
import { goneReason, type SessionFate } from "../../fleet/sessions/lifecycle.js";
import type { Sessions } from "../../fleet/sessions/managed-list.js";
import type { AnySession } from "../../fleet/sessions/session-list.js";
import type { WorktreeLook } from "../../git/worktree.js";
import { limits } from "../../limits.js";
import { shortId } from "../../names/short-id.js";
import type { Workspace } from "../../names/workspace.js";
import type { LineageEdge } from "../../transcripts/lineage/lineage.js";
import { type Colours, shown } from "../output.js";
import { clawLines } from "../workspace.js";
import { age, clipped, contextShare, size } from "./cells.js";

export interface SessionRow {
  entry: AnySession;
  edge: LineageEdge | null;
  fate: SessionFate;
  look: WorktreeLook | null;
}

export interface SessionsView {
  nowMs: number;
  /** Rows of several folders. */
  hasFolder: boolean;
  columns: number;
  colours: Colours;
}

/** Leaves out empty columns; the title gets the rest of the screen. */
export function sessionLines(rows: readonly SessionRow[], view: SessionsView): string[] {
  const columns = columnsOf(view);
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const isShown = columns.map(({ isKept }, at) => isKept || cells.some((row) => row[at] !== "–"));
  const isWhole = isShown.every(Boolean);
  const kept = <T>(each: readonly T[]) => (isWhole ? each : each.filter((_, at) => isShown[at]));
  const table = textTable(
    [columns.map(({ heading }) => heading), ...cells].map(kept),
    kept(columns).map(({ alignment }) => alignment ?? "left"),
  );
  const widths = table.map(textWidth);
  const width = Math.max(...widths);
  const room = Math.max(limits.leastTitleColumns, view.columns - width - 2);
  const titles = [
    "TITLE",
    ...rows.map(({ entry }) => clipped(entry.title, Math.min(limits.titleColumns, room))),
  ];
  return table.map((line, at) => `${line}${" ".repeat(width - widths[at]! + 2)}${titles[at]}`);
}

export function headline(
  here: Workspace | null,
  { found, inside }: { found: number; inside: number },
  look: WorktreeLook | null,
  colours: Colours,
): string {
  const count = `${found === inside ? "" : `${found} of `}${inside} session${inside === 1 ? "" : "s"}`;
  if (here === null) return colours.bold("every folder") + colours.dim(`  ${count}`);
  const facts = [`fingerprint ${here.fingerprint}`, count, ...worktreeWords(look)];
  return `${colours.bold(shown(here.path))}  ${colours.dim(facts.join(", "))}`;
}

/** For an empty list: how many sessions other folders have, because they are hidden on purpose. */
export function nothingLines(here: Workspace | null, every: readonly AnySession[]): string[] {
  if (here === null) return ["No sessions in any folder."];
  const others = every.length === 0 ? "none" : `${every.length} (hivemind sessions --all)`;
  return [
    `No sessions in ${shown(here.path)} (fingerprint ${here.fingerprint}).`,
    ...clawLines(here),
    `Sessions in other folders: ${others}`,
    ...movedLines(here, every),
  ];
}

/** Below the table: why sessions look abandoned, one line per reason. */
export function abandonedLines(rows: readonly SessionRow[]): string[] {
  const ids = new Map<string, string[]>();
  for (const { entry, fate } of rows) {
    if (fate.abandoned === null) continue;
    const place = fate.abandoned === goneReason ? ` (${shown(entry.workspace?.path)})` : "";
    const why = fate.abandoned + place;
    const known = ids.get(why);
    if (known === undefined) ids.set(why, [shortId(entry.id)]);
    else known.push(shortId(entry.id));
  }
  return [...ids].map(([why, each]) => `abandoned? ${fewOf(each)}: ${why}`);
}

/** Files in this folder's store that belong to another folder or are unreadable. */
export function refusedLines(refused: Sessions["refused"]): string[] {
  const lines = refused.map(({ path, id, reason, why }) => {
    const isOurs = (reason === "moved" || reason === "copied") && id !== null;
    const copy = reason === "copied" ? " --copy" : "";
    const mend = isOurs ? `; to use it here: hivemind sessions rebind ${id}${copy}` : "";
    return `hivemind: not shown: ${shown(path)}: ${shown(why)}${mend}`;
  });
  const more = lines.length - limits.findingsShown;
  return [...lines.slice(0, limits.findingsShown), ...(more > 0 ? [`hivemind: and ${more} more`] : [])];
}

interface Column {
  heading: string;
  alignment?: Alignment;
  isKept?: boolean;
  cell(row: SessionRow): string;
}

function columnsOf({ nowMs, hasFolder, columns, colours }: SessionsView): Column[] {
  const folderColumns = Number.isFinite(columns) ? limits.folderColumns : columns;
  const folder: Column = {
    heading: "FOLDER",
    cell: ({ entry }) => endOf(shown(entry.workspace?.path), folderColumns),
  };
  return [
    { heading: "SESSION", isKept: true, cell: ({ entry }) => shortId(entry.id) },
    { heading: "AGENT", isKept: true, cell: ({ entry }) => entry.agent },
    { heading: "LIFE", isKept: true, cell: (row) => lifeCell(row, colours) },
    { heading: "CONTEXT", alignment: "right", cell: ({ entry }) => contextShare(entry.context) },
    { heading: "MSGS", alignment: "right", isKept: true, cell: ({ entry }) => shown(entry.messages) },
    { heading: "SIZE", alignment: "right", cell: ({ entry }) => size(entry.sizeBytes) },
    { heading: "AGE", alignment: "right", isKept: true, cell: ({ entry }) => age(entry.updatedAtMs, nowMs) },
    { heading: "PARENT", cell: parentCell },
    hasFolder
      ? folder
      : { heading: "BRANCH", cell: ({ entry }) => clipped(branchOf(entry), limits.branchColumns) },
  ];
}

function lifeCell({ entry, fate, look }: SessionRow, colours: Colours): string {
  const [pane, ...others] = entry.panes;
  const place =
    pane === undefined ? (entry.background === null ? "" : " in background") : ` ${shown(pane.address)}`;
  // As in `status`: a crash is not shown as an idle shell.
  const isCrashed = fate.lifecycle === "idle shell" && activityOf(pane!).activity === "crashed";
  const life =
    (isCrashed ? "crashed" : fate.lifecycle) + place + (others.length > 0 ? ` +${others.length}` : "");
  const changed = look?.worktree?.changedFiles ?? 0;
  // Nearly all rows of a long list.
  if (entry.state !== "live" && changed === 0 && fate.abandoned === null) return life;
  const words = [
    entry.state === "live" ? colours.green(life) : life,
    changed > 0 ? `dirty ${changed}` : "",
    fate.abandoned === null ? "" : colours.yellow("abandoned?"),
  ];
  return words.filter(Boolean).join(", ");
}

function parentCell({ entry, edge }: SessionRow): string {
  const parent = entry.store === "managed" ? entry.parent : (edge?.parent ?? null);
  return parent === null ? "–" : shortId(parent);
}

/** For a claw session the name of its fork, for a Claude session its git branch. */
function branchOf(entry: AnySession): string | null {
  return entry.store === "managed" ? entry.branch : entry.gitBranch;
}

/** Keeps the end of a path, which says more than its beginning. */
function endOf(path: string, columns: number): string {
  // A path has at most as many characters as units.
  if (path.length <= columns) return path;
  const chars = [...path];
  return chars.length > columns ? `…${chars.slice(1 - columns).join("")}` : path;
}

function worktreeWords(look: WorktreeLook | null): string[] {
  if (look?.unknown) return [shown(look.unknown)];
  if (!look?.worktree) return [];
  const { branch, changedFiles, unpushed } = look.worktree;
  return [
    branch === null ? "no branch" : `branch ${clipped(branch)}`,
    ...(changedFiles > 0 ? [`${changedFiles} changed`] : []),
    ...(unpushed ? [`${unpushed} not pushed`] : []),
  ];
}

/** For a moved clone: its sessions still belong to the old folder, which had the same name and is gone. */
function movedLines(here: Workspace, every: readonly AnySession[]): string[] {
  const left = every.filter(
    ({ workspace }) => workspace?.isCanonical === false && basename(workspace.path) === basename(here.path),
  );
  const [newest] = left;
  if (newest === undefined) return [];
  const folder = shown(newest.workspace?.path);
  const count = left.filter(({ workspace }) => workspace?.path === newest.workspace?.path).length;
  return [
    `${folder} is gone and has ${count}; if it was moved here, rebind them:`,
    `  hivemind sessions rebind --from ${shellWord(folder)}`,
  ];
}

function fewOf(ids: readonly string[]): string {
  const most = 3;
  const more = ids.length > most ? ` and ${ids.length - most} more` : "";
  return ids.slice(0, most).join(", ") + more;
}
