// The fleet's family trees of sessions, from transcripts, running agents and the record of forks (S5).
//
// - The arguments of a running fork name its parent, even one whose transcript is gone. They describe the start: the
//   child is the session the process began with, not one it continued in later by `/clear`, `/branch` or `/resume`.
// - If the arguments name the child too, its id was chosen.
// - Of several recorded rows of one session, the last one with a parent counts.
// - A session that only the record or another session names is gone. It keeps its place in its tree.
// - Every session is in exactly one tree, once. Siblings are ordered by age.

import { once } from "../../base/once.js";
import { parseUtc } from "../../base/text/utc.js";
import type { SessionId } from "../../names/gates.js";
import type { ForkRow } from "../../stores/forks.js";
import type { Stores } from "../../stores/stores.js";
import { familiesOf } from "../../transcripts/lineage/families.js";
import {
  type LineageClaim,
  type LineageEdge,
  lineage,
  lineageSessions,
} from "../../transcripts/lineage/lineage.js";
import type { MessageParent } from "../../transcripts/lineage/parent-by-messages.js";
import type { BackgroundSession } from "../identity/shown-job.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { hasProcess, type SessionEntry } from "../sessions/session-list.js";
import { firstSession } from "./parent-of.js";

/** What trees need from the record of forks. */
export interface Recorded {
  parents: ReadonlyMap<SessionId, SessionId>;
  lastSeen: ReadonlyMap<SessionId, ForkRow>;
}

export interface LineageNode {
  id: SessionId;
  /** How it came from its parent; null at the root. */
  edge: LineageEdge | null;
  /** Its last written file, or the pane it is in; null if it is gone. */
  entry: SessionEntry | null;
  lastSeen: ForkRow | null;
  children: LineageNode[];
}

export function readRecord(rows: Iterable<ForkRow>): Recorded {
  const parents = new Map<SessionId, SessionId>();
  const lastSeen = new Map<SessionId, ForkRow>();
  for (const row of rows) {
    if (row.uuid === null) continue;
    lastSeen.set(row.uuid, row);
    if (row.parent !== null) parents.set(row.uuid, row.parent);
  }
  return { parents, lastSeen };
}

/** The parent in the last row of S5 that has one. S5 may be long, so it is read once and only on demand. */
export function recordedParents({ forks }: Pick<Stores, "forks">): (session: SessionId) => SessionId | null {
  const parents = once(() => readRecord(forks.lastOfEach("parents")).parents);
  return (session) => parents().get(session) ?? null;
}

/** `kinship` comes from shared messages; `known` from other evidence: ids that we chose ourselves, hooks. */
export function edgesOf(
  fleet: Fleet,
  kinship: ReadonlyMap<SessionId, MessageParent>,
  { parents }: Pick<Recorded, "parents">,
  known: readonly LineageClaim[] = [],
): LineageEdge[] {
  const recorded = [...parents].map(([child, parent]) => ({ child, parent, source: "forksFile" as const }));
  const started = fleet.panes.flatMap((pane) => startedAsFork(pane, fleet));
  const inBackground = fleet.background.flatMap(forkedInBackground);
  const led = fleet.panes.flatMap((pane) => startedByLead(pane, fleet));
  const claims = [...known, ...started, ...led, ...inBackground, ...recorded];
  return lineage(lineageSessions(fleet.index.byId), kinship, claims);
}

/** Keeps only the transcripts whose messages can relate these sessions: those of their families. */
export function relativesOf(fleet: Fleet, sessions: ReadonlySet<SessionId>): Fleet {
  const { transcripts, part } = fleet.index;
  // A part has little else, and its lineage is cached as a whole.
  if (part !== undefined) return fleet;
  if (transcripts.every(({ id }) => sessions.has(id))) return fleet;
  const related = familiesOf(transcripts).filter((family) => family.some(({ id }) => sessions.has(id)));
  return { ...fleet, index: { ...fleet.index, transcripts: related.flat() } };
}

/** The roots of all trees, the one last written to first. `entries` are newest first. */
export function treesOf(
  entries: readonly SessionEntry[],
  edges: readonly LineageEdge[],
  { lastSeen }: Recorded,
): LineageNode[] {
  const byId = new Map<SessionId, SessionEntry>();
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry);
  const edgeOf = new Map(edges.map((edge) => [edge.child, edge]));
  const ids = new Set([
    ...byId.keys(),
    ...edges.flatMap(({ parent, child }) => [parent, child]),
    ...lastSeen.keys(),
  ]);
  const nodes = new Map<SessionId, LineageNode>();
  for (const id of ids) {
    const edge = edgeOf.get(id) ?? null;
    const known = { entry: byId.get(id) ?? null, lastSeen: lastSeen.get(id) ?? null };
    nodes.set(id, { id, edge, ...known, children: [] });
  }
  for (const node of nodes.values()) {
    if (node.edge !== null) nodes.get(node.edge.parent)!.children.push(node);
  }
  for (const { children } of nodes.values())
    children.sort((a, b) => bornAt(a) - bornAt(b) || (a.id < b.id ? -1 : 1));
  // Ids are in the order of their sessions, so trees come in the order of their newest session.
  const roots: LineageNode[] = [];
  const placed = new Set<LineageNode>();
  for (const node of nodes.values()) {
    if (placed.has(node)) continue;
    let root = node;
    while (root.edge !== null) root = nodes.get(root.edge.parent)!;
    roots.push(root);
    for (const { node: member } of nodesOf(root)) placed.add(member);
  }
  return roots;
}

/**
 * A node before its children, siblings in order. Iterative: a chain of sessions can be deeper than the call stack.
 */
export function* nodesOf(root: LineageNode): Generator<{ node: LineageNode; depth: number }> {
  const open = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (const node of next.node.children.toReversed()) open.push({ node, depth: next.depth + 1 });
  }
}

/** Whether it has neither a file nor a running agent. */
export function isGone({ entry }: LineageNode): boolean {
  return entry === null || (entry.path === null && !hasProcess(entry));
}

/** The session it began with is the fork; by `/clear` it may have continued in another. */
function forkedInBackground({ agent, process, live, parent }: BackgroundSession): LineageClaim[] {
  const child = agent.argumentsOf(process.args).began ?? live.sessionId;
  return parent === null || parent === child ? [] : [{ parent, child, source: "chosen" }];
}

/** The arguments of an agent team's member name the session of its lead. */
function startedByLead({ id, arguments: args }: FleetPane, { sessions }: Fleet): LineageClaim[] {
  const parent = args?.parentSession;
  const child = sessions.get(id)?.uuid ?? null;
  if (parent === undefined || child === null || child === parent) return [];
  return [{ parent, child, source: "arguments", kind: "team" }];
}

function startedAsFork(pane: FleetPane, { sessions, index, hooks }: Fleet): LineageClaim[] {
  const { process, arguments: args } = pane;
  const parent = args?.forkedFrom ?? null;
  if (parent === null || process === null) return [];
  if (args?.began) return [{ parent, child: args.began, source: "chosen" }];
  const current = sessions.get(pane.id)?.uuid ?? null;
  const child = firstSession({ pane, uuid: current, index, changes: hooks.changes });
  return child === null || child === parent ? [] : [{ parent, child, source: "arguments" }];
}

function bornAt({ entry, lastSeen }: LineageNode): number {
  return entry?.bornAtMs ?? parseUtc(lastSeen?.at ?? "") ?? 0;
}
