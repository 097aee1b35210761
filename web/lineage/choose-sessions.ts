// Which sessions the picture shows, and which of them a search means. Pure.

import { everyone, isLit, type Kin, roleOf } from "./graph.js";

export interface Filter {
  /** Null: every folder. */
  folder: string | null;
  /** Only sessions that changed in the last so many milliseconds; null: of any age. */
  withinMs: number | null;
  /** Without conversations that were never forked and are no fork. */
  isFamiliesOnly: boolean;
}

export const noFilter: Filter = { folder: null, withinMs: null, isFamiliesOnly: false };

/** Without the sessions that the filter leaves out, except the ancestors of those that stay. */
export function filtered(families: readonly Kin[], filter: Filter, nowMs: number): Kin[] {
  const isWanted = ({ facts, toMs }: Kin) =>
    (filter.folder === null || facts.cwd === filter.folder) &&
    (filter.withinMs === null || nowMs - toMs <= filter.withinMs || isLit(facts));
  const stays = new Set<Kin>();
  for (const kin of everyone(families)) {
    if (!isWanted(kin)) continue;
    for (let each: Kin | null = kin; each !== null && !stays.has(each); each = each.parent) stays.add(each);
  }
  const isShown = (root: Kin) => stays.has(root) && !(filter.isFamiliesOnly && root.children.length === 0);
  return families.filter(isShown).map((root) => pruned(root, stays));
}

/** A copy of a family with those only. Iterative: a chain of sessions can be deeper than the call stack. */
function pruned(root: Kin, stays: ReadonlySet<Kin>): Kin {
  const copies = new Map<Kin, Kin>();
  for (const kin of everyone([root])) {
    if (!stays.has(kin)) continue;
    const parent = (kin.parent && copies.get(kin.parent)) ?? null;
    const copy = { ...kin, parent, children: [] };
    parent?.children.push(copy);
    copies.set(kin, copy);
  }
  return copies.get(root)!;
}

/** The folders and how many sessions each has, the largest first. */
export function foldersOf(families: readonly Kin[]): { folder: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { facts } of everyone(families)) {
    if (facts.cwd !== null) counts.set(facts.cwd, (counts.get(facts.cwd) ?? 0) + 1);
  }
  return [...counts]
    .map(([folder, count]) => ({ folder, count }))
    .sort((a, b) => b.count - a.count || (a.folder < b.folder ? -1 : 1));
}

/** The sessions that have every word in title, role, pane, folder or id. `inText`: ids whose conversation has the text. */
export function found(kin: readonly Kin[], typed: string, inText: ReadonlySet<string>): Kin[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return kin.filter((each) => {
    if (inText.has(each.id)) return true;
    const { facts, origin } = each;
    const parts = [facts.title, roleOf(facts), facts.pane ?? facts.lastSeen?.pane, facts.cwd, each.id];
    const text = [...parts, facts.life, origin?.kind].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
