// The picture as a value: what is where, in units of one pixel at natural size.

import type { Kin } from "../graph.js";
import type { TimeScale } from "./time-scale.js";

export interface Placed {
  kin: Kin;
  x: number;
  y: number;
  /** The length of its line; 0 in the picture of families, which shows no time. */
  length: number;
  /** How much room its name has, to the right of x. */
  room: number;
}

/** Where a conversation leaves its parent. */
export interface Joint {
  parent: Placed;
  child: Placed;
  x: number;
  y: number;
}

/** The conversations of one folder. */
export interface Section {
  /** Null if no session of it names a folder. */
  folder: string | null;
  count: number;
  y: number;
  height: number;
}

export interface Picture {
  nodes: readonly Placed[];
  joints: readonly Joint[];
  sections: readonly Section[];
  width: number;
  height: number;
  /** The axis of the picture by time; null in the picture of families. */
  scale: TimeScale | null;
}

/** The sizes of both pictures. A name needs `nameRoom`, and a row fits a name above its line. */
export const sizes = {
  row: 40,
  nameRoom: 168,
  column: 232,
  /** A line that began and ended at once is still seen. */
  shortest: 14,
  gap: 18,
  sectionHead: 50,
  sectionEnd: 14,
} as const;

/** The width for a pleasing shape: about as many names beside as rows below each other, a little wider than high. */
export function widthFor(count: number, room: number): number {
  return Math.max(760, Math.sqrt(count * room * sizes.row * 3.2));
}

/** A family and everyone in it. */
export interface Household {
  root: Kin;
  members: readonly Kin[];
}

/** By folder, the folder that was used last first. A family is in the first folder that it names. */
export function byFolder(households: readonly Household[]): { folder: string | null; own: Household[] }[] {
  const folders = new Map<string | null, Household[]>();
  for (const household of households) {
    const folder = household.members.find(({ facts }) => facts.cwd !== null)?.facts.cwd ?? null;
    const own = folders.get(folder);
    if (own === undefined) folders.set(folder, [household]);
    else own.push(household);
  }
  const lastMs = (own: readonly Household[]) =>
    own.reduce((last, { members }) => members.reduce((ms, { toMs }) => Math.max(ms, toMs), last), 0);
  return [...folders]
    .map(([folder, own]) => ({ folder, own, lastMs: lastMs(own) }))
    .sort((a, b) => b.lastMs - a.lastMs);
}

/** One joint per session with a parent in the picture. */
export function jointsOf(
  nodes: readonly Placed[],
  at: (parent: Placed, child: Placed) => { x: number; y: number },
): Joint[] {
  const byId = new Map(nodes.map((node) => [node.kin.id, node]));
  return nodes.flatMap((child) => {
    const parent = child.kin.parent && byId.get(child.kin.parent.id);
    return parent ? [{ parent, child, ...at(parent, child) }] : [];
  });
}
