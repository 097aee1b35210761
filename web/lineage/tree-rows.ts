// The rows of the list beside the picture, and which row a key means. Pure.

import type { Kin } from "./graph.js";

export interface TreeRow {
  kin: Kin;
  /** From 1. */
  level: number;
  /** Its place among its siblings, from 1. */
  place: number;
  siblings: number;
  isOpen: boolean;
}

/** Without the children of closed sessions. */
export function treeRows(families: readonly Kin[], closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const open = asRows(families, 1, closed).reverse();
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    rows.push(row);
    if (row.isOpen) open.push(...asRows(row.kin.children, row.level + 1, closed).reverse());
  }
  return rows;
}

/** What a search found, in one level. */
export function flatRows(kin: readonly Kin[]): TreeRow[] {
  return kin.map((each, at) => ({ kin: each, level: 1, place: at + 1, siblings: kin.length, isOpen: false }));
}

export type TreeMove = { to: string } | { close: string } | { open: string } | null;

/** As trees are used with a keyboard: right opens or goes in, left closes or goes out. */
export function moveOf(rows: readonly TreeRow[], at: string | null, key: string): TreeMove {
  const index = rows.findIndex(({ kin }) => kin.id === at);
  const row = rows[index];
  const to = (next: TreeRow | undefined) => (next === undefined ? null : { to: next.kin.id });
  switch (key) {
    case "ArrowDown":
      return to(rows[index + 1]);
    case "ArrowUp":
      return index < 0 ? to(rows[0]) : to(rows[index - 1]);
    case "PageDown":
      return to(rows[Math.min(rows.length - 1, index + 10)]);
    case "PageUp":
      return to(rows[Math.max(0, index - 10)]);
    case "Home":
      return to(rows[0]);
    case "End":
      return to(rows.at(-1));
    case "ArrowRight":
      if (row === undefined || row.kin.children.length === 0) return null;
      return row.isOpen ? to(rows[index + 1]) : { open: row.kin.id };
    case "ArrowLeft": {
      if (row === undefined) return null;
      if (row.isOpen) return { close: row.kin.id };
      const parent = rows.find(({ kin }) => kin.id === row.kin.parent?.id);
      return to(parent);
    }
    default:
      return null;
  }
}

function asRows(kin: readonly Kin[], level: number, closed: ReadonlySet<string>): TreeRow[] {
  return kin.map((each, at) => ({
    ...{ kin: each, level, place: at + 1, siblings: kin.length },
    isOpen: each.children.length > 0 && !closed.has(each.id),
  }));
}
