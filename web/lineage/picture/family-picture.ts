// The picture of families: parents to the left of their children, families beside and below each other. Pure.

import { hierarchy, tree } from "d3-hierarchy";
import { everyone, type Kin } from "../graph.js";
import { byFolder, type Household, jointsOf, type Picture, type Placed, sizes, widthFor } from "./picture.js";

export function familyPicture(families: readonly Kin[]): Picture {
  const households: Household[] = families.map((root) => ({ root, members: everyone([root]) }));
  const count = households.reduce((sum, { members }) => sum + members.length, 0);
  const blocks = new Map(households.map((household) => [household, blockOf(household)]));
  const widest = Math.max(1, ...[...blocks.values()].map(({ columns }) => columns));
  const columns = Math.max(widest, Math.round(widthFor(count, sizes.column) / sizes.column));
  const nodes: Placed[] = [];
  let y = 0;
  const sections = byFolder(households).map(({ folder, own }) => {
    const top = y + sizes.sectionHead;
    const heights = new Array<number>(columns).fill(0);
    // Large families first: the small ones fill what is left beside them.
    for (const household of own.toSorted((a, b) => b.members.length - a.members.length)) {
      const block = blocks.get(household)!;
      const at = roomFor(block.columns, heights);
      for (const node of block.nodes)
        nodes.push({ ...node, x: node.x + at.column * sizes.column, y: node.y + top + at.y });
      heights.fill(at.y + block.height, at.column, at.column + block.columns);
    }
    const height = sizes.sectionHead + Math.max(...heights) + sizes.sectionEnd;
    const section = { folder, count: own.reduce((sum, { members }) => sum + members.length, 0), y, height };
    y += height;
    return section;
  });
  const joints = jointsOf(nodes, (parent) => ({ x: parent.x, y: parent.y }));
  return { nodes, joints, sections, width: columns * sizes.column, height: y, scale: null };
}

interface Block {
  nodes: Placed[];
  columns: number;
  height: number;
}

const row = sizes.row - 8;

/** One family, from 0, 0. */
function blockOf({ root }: Household): Block {
  const place = tree<Kin>()
    .nodeSize([row, sizes.column])
    .separation(() => 1);
  const placed = place(hierarchy(root, ({ children }) => children)).descendants();
  // The tree is laid out downwards; this picture reads to the right.
  const top = placed.reduce((least, { x }) => Math.min(least, x), 0);
  const bottom = placed.reduce((most, { x }) => Math.max(most, x), 0);
  const deepest = placed.reduce((most, { depth }) => Math.max(most, depth), 0);
  return {
    nodes: placed.map(({ data, x, depth }) => ({
      ...{ kin: data, x: depth * sizes.column, y: x - top + row / 2, length: 0 },
      room: sizes.column - 2 * sizes.gap,
    })),
    columns: deepest + 1,
    height: bottom - top + row + (placed.length > 1 ? row / 2 : 0),
  };
}

/** The highest free place that is wide enough. */
function roomFor(columns: number, heights: readonly number[]): { column: number; y: number } {
  let best = { column: 0, y: Number.POSITIVE_INFINITY };
  for (let column = 0; column + columns <= heights.length; column++) {
    const y = Math.max(...heights.slice(column, column + columns));
    if (y < best.y) best = { column, y };
  }
  return best;
}
