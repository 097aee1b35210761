// The picture by time: every conversation is a line from its first to its last word, older to the left. Pure.
//
// - A fork leaves its parent's line where it began, and runs below it. A conversation that was cleared goes on in the
//   same row: it is the same agent.
// - No two lines overlap. Of several forks the newest is nearest to its parent, so that few lines cross.
// - Rows are used again as soon as they are free; a folder's families come before its single conversations, and of both
//   the ones used last are at the top.

import { everyone, type Kin } from "../graph.js";
import { byFolder, type Household, jointsOf, type Picture, type Placed, sizes, widthFor } from "./picture.js";
import { type TimeScale, timeScale } from "./time-scale.js";

export function timePicture(families: readonly Kin[], nowMs: number): Picture {
  const households: Household[] = families.map((root) => ({ root, members: everyone([root]) }));
  const all = households.flatMap(({ members }) => members);
  const width = widthFor(all.length, sizes.nameRoom);
  const moments = all.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  const scale = timeScale([...moments, nowMs], width);
  const nodes: Placed[] = [];
  let y = 0;
  const sections = byFolder(households).map(({ folder, own }) => {
    const rows = fillRows(own, scale);
    for (const [row, lines] of rows.entries()) {
      nodes.push(...lines.map((line) => placed(line, y + sizes.sectionHead + row * sizes.row)));
    }
    const count = own.reduce((sum, { members }) => sum + members.length, 0);
    const section = {
      folder,
      count,
      y,
      height: sizes.sectionHead + rows.length * sizes.row + sizes.sectionEnd,
    };
    y += section.height;
    return section;
  });
  const joints = jointsOf(nodes, (parent, child) => ({ x: leaves(parent, child, scale), y: parent.y }));
  return { nodes, joints, sections, width: width + sizes.nameRoom, height: y, scale };
}

/** At the last message that both have, if its time is known; never outside of both lines. */
function leaves(parent: Placed, { kin, x }: Placed, scale: TimeScale): number {
  const sharedMs = Date.parse(kin.origin?.forkedAt ?? "");
  const place = Number.isNaN(sharedMs) ? x : scale.placeOf(sharedMs);
  return Math.max(parent.x, Math.min(place, x, parent.x + parent.length));
}

interface Line {
  kin: Kin;
  from: number;
  to: number;
  /** Until its name ends, or the next line of the row begins. */
  nameTo: number;
}
type Rows = Line[][];

function placed({ kin, from, to, nameTo }: Line, top: number): Placed {
  return { kin, x: from, y: top + sizes.row / 2, length: to - from, room: nameTo - from };
}

/** The rows of one folder. */
function fillRows(households: readonly Household[], scale: TimeScale): Rows {
  const blocks = households.map((household) => blockOf(household, scale));
  const isFamily = (block: Rows) => block.length > 1 || block[0]!.length > 1;
  return [...packed(blocks.filter(isFamily)), ...packed(blocks.filter((block) => !isFamily(block)))].map(
    withRoom,
  );
}

/** The rows of one family. */
function blockOf({ root }: Household, scale: TimeScale): Rows {
  const rows: Rows = [];
  const open = [{ kin: root, above: null as { row: number; line: Line } | null }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { kin, above } = next;
    const line = lineOf(kin, scale);
    const row = above === null ? 0 : rowFor(rows, line, above);
    addTo(rows, row, [line]);
    // The last one pushed is placed first: the newest, and before it the one that goes on in this row.
    const children = kin.children.toSorted(
      (a, b) => Number(goesOn(a)) - Number(goesOn(b)) || a.fromMs - b.fromMs,
    );
    for (const child of children) open.push({ kin: child, above: { row, line } });
  }
  return rows;
}

function lineOf(kin: Kin, scale: TimeScale): Line {
  const from = scale.placeOf(kin.fromMs);
  const to = Math.max(scale.placeOf(kin.toMs), from + sizes.shortest);
  return { kin, from, to, nameTo: Math.max(to, from + sizes.nameRoom) };
}

function rowFor(rows: Rows, line: Line, above: { row: number; line: Line }): number {
  const isNext = goesOn(line.kin) && line.from >= above.line.to - sizes.shortest;
  if (isNext && rows[above.row]!.every((other) => other === above.line || isApart(other, line)))
    return above.row;
  let row = above.row + 1;
  while (!isFree(rows[row], line)) row++;
  return row;
}

/** The newest of many forks comes first, so a new line is most often before all others of a row, or overlaps the last. */
function isFree(row: readonly Line[] | undefined, line: Line): boolean {
  if (row === undefined) return true;
  for (let at = row.length - 1; at >= 0; at--) if (!isApart(row[at]!, line)) return false;
  return true;
}

function addTo(rows: Rows, at: number, lines: readonly Line[]): void {
  const row = rows[at];
  if (row === undefined) rows[at] = [...lines];
  else row.push(...lines);
}

function goesOn({ origin }: Kin): boolean {
  return origin?.kind === "clear" || origin?.kind === "compact";
}

function isApart(a: Line, b: Line): boolean {
  return a.nameTo + sizes.gap <= b.from || b.nameTo + sizes.gap <= a.from;
}

/** Blocks beside and below each other, the one used last first and as high up as it fits: what runs is at the top. */
function packed(blocks: readonly Rows[]): Rows {
  const rows: Rows = [];
  const begins: number[] = [];
  const ends = new Map(
    blocks.map((block) => [block, block.map((row) => greatest(row, ({ nameTo }) => nameTo))]),
  );
  const last = new Map(
    blocks.map((block) => [block, greatest(block, (row) => greatest(row, ({ to }) => to))]),
  );
  for (const block of blocks.toSorted((a, b) => last.get(b)! - last.get(a)!)) {
    const own = ends.get(block)!;
    let top = 0;
    while (!fitsAt(top, own, begins)) top++;
    for (const [at, lines] of block.entries()) {
      addTo(rows, top + at, lines);
      begins[top + at] = -greatest(lines, ({ from }) => -from);
    }
  }
  return rows;
}

function fitsAt(top: number, ends: readonly number[], begins: readonly number[]): boolean {
  for (let at = 0; at < ends.length; at++) {
    const begin = begins[top + at];
    if (begin !== undefined && ends[at]! + sizes.gap > begin) return false;
  }
  return true;
}

/** A name ends before the next line of its row begins. */
function withRoom(row: readonly Line[]): Line[] {
  const sorted = row.toSorted((a, b) => a.from - b.from);
  return sorted.map((line, at) => {
    const next = sorted[at + 1];
    const most = Math.max(line.nameTo, line.from + 2.2 * sizes.nameRoom);
    return { ...line, nameTo: next === undefined ? most : Math.min(most, next.from - sizes.gap / 2) };
  });
}

function greatest<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((found, item) => Math.max(found, of(item)), Number.NEGATIVE_INFINITY);
}
