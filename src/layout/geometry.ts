// The shape of a window, read from tmux's layout string. Pure.
//
// - Two layouts are the same if their cells have the same sizes and places in the same order: the pane ids and the
//   checksum in the string change with every server.
// - Only a string that tmux itself could have written is a geometry: the right checksum, cells that fill their
//   parent exactly, a plausible size and number. Nothing else may be passed to a server that agents depend on.

import { limits } from "../limits.js";
import type { Layout } from "../stores/text/layout-text.js";
import { isLayout } from "../tmux/layout-string.js";

export interface Cell {
  width: number;
  height: number;
  left: number;
  top: number;
}

export interface Geometry {
  width: number;
  height: number;
  /** One per pane, in order. */
  cells: readonly Cell[];
}

/** Null for anything but a valid layout string. */
export function geometryOf(layout: string): Geometry | null {
  const isBounded = layout.length <= limits.layoutStringLength;
  if (!isBounded || !isLayout(layout) || !/^[0-9a-f]{4},/.test(layout)) return null;
  const read = readNode(layout, 5, 0);
  if (read === null || read.end !== layout.length || read.cells.length > limits.layoutPanes) return null;
  const { width, height } = read.node;
  return Math.max(width, height) > limits.layoutSide ? null : { width, height, cells: read.cells };
}

export function sameGeometry(a: string, b: string): boolean {
  const [one, other] = [geometryOf(a), geometryOf(b)];
  return one !== null && other !== null && JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the windows are the same, each with the same shape. */
export function sameLayout(a: Layout, b: Layout): boolean {
  return (
    a.windows.length === b.windows.length &&
    a.windows.every(({ window, layout }, at) => {
      const other = b.windows[at]!;
      return window === other.window && sameGeometry(layout, other.layout);
    })
  );
}

interface ReadNode {
  node: Cell;
  cells: Cell[];
  end: number;
}

/** `80x24,0,0,5`, or `80x24,0,0{…,…}` side by side, or `80x24,0,0[…,…]` one above the other. */
function readNode(text: string, start: number, depth: number): ReadNode | null {
  const form = /(\d{1,5})x(\d{1,5}),(\d{1,5}),(\d{1,5})(?:,\d{1,9}(?!\d*x))?/y;
  form.lastIndex = start;
  const match = form.exec(text);
  if (match === null || depth > limits.layoutPanes) return null;
  const [width, height, left, top] = match.slice(1).map(Number) as [number, number, number, number];
  const node = { width, height, left, top };
  if (width === 0 || height === 0) return null;
  const open = text[form.lastIndex];
  if (open !== "{" && open !== "[") return { node, cells: [node], end: form.lastIndex };
  const close = open === "{" ? "}" : "]";
  const children: ReadNode[] = [];
  let end = form.lastIndex;
  do {
    const child = readNode(text, end + 1, depth + 1);
    if (child === null) return null;
    children.push(child);
    end = child.end;
  } while (text[end] === ",");
  const isWhole = text[end] === close && fills(node, children, open === "{");
  return isWhole ? { node, cells: children.flatMap(({ cells }) => cells), end: end + 1 } : null;
}

/** One column or row between two cells is the border. */
function fills(parent: Cell, children: readonly ReadNode[], isBeside: boolean): boolean {
  let { left, top } = parent;
  for (const { node } of children) {
    if (node.left !== left || node.top !== top) return false;
    if (isBeside ? node.height !== parent.height : node.width !== parent.width) return false;
    if (isBeside) left += node.width + 1;
    else top += node.height + 1;
  }
  const end = isBeside ? left - parent.left : top - parent.top;
  return children.length > 1 && end - 1 === (isBeside ? parent.width : parent.height);
}
