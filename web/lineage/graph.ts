// The graph of the server as families of conversations: who came from whom, and when each lived. Pure.
//
// - Every session of the graph is in exactly one family, once.
// - A session never begins before its parent, so a line in the picture never runs backwards. File times can.
// - A session without a known time takes it from its children, else from its parent.

import type { LineageGraph, SessionLife } from "../../src/fleet/lineage/lineage-graph.js";
import { shortId } from "../../src/names/short-id.js";

export type SessionFacts = LineageGraph["nodes"][number];
export type Origin = LineageGraph["edges"][number];

/** A conversation with its relatives. */
export interface Kin {
  id: string;
  facts: SessionFacts;
  /** How it came from its parent; null for the first of a family. */
  origin: Origin | null;
  parent: Kin | null;
  /** The oldest first. */
  children: Kin[];
  depth: number;
  fromMs: number;
  toMs: number;
}

/** The first of every family, in the order of the graph. */
export function familiesOf({ nodes, edges }: LineageGraph, nowMs: number): Kin[] {
  const kin = new Map<string, Kin>(nodes.map((facts) => [facts.id, alone(facts, nowMs)]));
  for (const origin of edges) {
    const [parent, child] = [kin.get(origin.parent), kin.get(origin.child)];
    if (parent === undefined || child === undefined || child.parent !== null) continue;
    child.origin = origin;
    child.parent = parent;
    parent.children.push(child);
  }
  const roots = [...kin.values()].filter(({ parent }) => parent === null);
  const all = everyone(roots);
  for (const each of all.toReversed()) beginWithChildren(each);
  for (const each of all) settle(each, nowMs);
  return roots;
}

/** Everyone of these families, each before its children. */
export function everyone(families: readonly Kin[]): Kin[] {
  const found: Kin[] = [];
  const open = families.toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    for (const child of next.children.toReversed()) open.push(child);
  }
  return found;
}

/** What to call it: its title, else its role, else the beginning of its id. */
export function nameOf({ id, facts }: Pick<Kin, "id" | "facts">): string {
  return facts.title || roleOf(facts) || shortId(id);
}

/** The role of its agent, or the last one that had it. */
export function roleOf({ role, lastSeen }: SessionFacts): string | null {
  return role ?? lastSeen?.role ?? null;
}

/** Whether an agent has it now. */
export function isLit({ life }: { life: SessionLife }): boolean {
  return life === "running" || life === "background" || life === "parked";
}

function alone(facts: SessionFacts, nowMs: number): Kin {
  const seenMs = timeOf(facts.lastSeen?.at);
  const toMs = isLit(facts) ? nowMs : (timeOf(facts.updatedAt) ?? seenMs);
  const fromMs = timeOf(facts.createdAt) ?? seenMs ?? toMs;
  return {
    ...{ id: facts.id, facts, origin: null, parent: null, children: [], depth: 0 },
    fromMs: fromMs ?? Number.NaN,
    toMs: toMs ?? Number.NaN,
  };
}

function beginWithChildren(kin: Kin): void {
  const known = kin.children.map(({ fromMs }) => fromMs).filter((ms) => !Number.isNaN(ms));
  if (Number.isNaN(kin.fromMs) && known.length > 0) kin.fromMs = Math.min(...known);
}

function settle(kin: Kin, nowMs: number): void {
  const parentFromMs = kin.parent?.fromMs ?? Number.NaN;
  const fromMs = Number.isNaN(kin.fromMs) ? parentFromMs : kin.fromMs;
  kin.depth = kin.parent === null ? 0 : kin.parent.depth + 1;
  kin.fromMs = Math.min(nowMs, Number.isNaN(fromMs) ? nowMs : Math.max(fromMs, parentFromMs || fromMs));
  kin.toMs = Math.min(nowMs, Math.max(kin.fromMs, kin.toMs || kin.fromMs));
  kin.children.sort((a, b) => (a.fromMs || 0) - (b.fromMs || 0) || (a.id < b.id ? -1 : 1));
}

function timeOf(text: string | null | undefined): number | null {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? null : ms;
}
