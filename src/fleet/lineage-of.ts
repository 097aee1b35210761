// The fleet's family trees: what transcripts, running agents and the record of forks say of parents, as trees.
//
// [LN1] The arguments of a running fork name its parent, also one whose transcript is gone. They are true for the start,
//       so a session that its process went on to later (by `/clear`, `/branch` or `/resume`) is no child by them: the
//       child is the session that the process began with, where what it wrote names that. Where the arguments name the
//       child too, it was chosen.
// [LN2] Of several recorded rows of one session the last that names a parent counts.
// [LN3] A session that only the record, or another session, names is gone: it keeps its place in its tree.
// [LN4] Every session stands in exactly one tree, once; brothers by age.

import { parseUtc } from "../base/utc.js";
import type { SessionId } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import { familiesOf } from "../transcripts/families.js";
import type { Kin } from "../transcripts/kin.js";
import { type LineageClaim, type LineageEdge, lineage, lineageSessions } from "../transcripts/lineage.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import { firstSession } from "./parent-of.js";
import { hasProcess, type SessionEntry } from "./session-list.js";
import type { BackgroundSession } from "./shown-job.js";

/** What the record of forks says, as far as trees need it. */
export interface Recorded {
  parents: ReadonlyMap<SessionId, SessionId>;
  lastSeen: ReadonlyMap<SessionId, ForkRow>;
}

export interface LineageNode {
  id: SessionId;
  /** How it came from its parent; null at the root. */
  edge: LineageEdge | null;
  /** Its last written file, or the pane it is in; null when it is gone. */
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

/** `kinship` is what shared messages tell, `known` what else somebody knows: ids that we chose ourselves, hooks. */
export function edgesOf(
  fleet: Fleet,
  kinship: ReadonlyMap<SessionId, Kin>,
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

/** Only the transcripts whose messages can tell of these sessions: those of their families. */
export function relativesOf(fleet: Fleet, sessions: ReadonlySet<SessionId>): Fleet {
  const { transcripts } = fleet.index;
  const related = familiesOf(transcripts).filter((family) => family.some(({ id }) => sessions.has(id)));
  return { ...fleet, index: { ...fleet.index, transcripts: related.flat() } };
}

/** The roots of all trees, the tree that was last written to first. `entries` are in their order, newest first. */
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
  for (const node of nodes.values()) node.children.sort(byBirth);
  // Ids are in the order of their sessions, so trees come in the order of their newest one.
  const roots: LineageNode[] = [];
  const placed = new Set<LineageNode>();
  for (const node of nodes.values()) {
    if (placed.has(node)) continue;
    const root = rootAbove(node, nodes);
    roots.push(root);
    for (const { node: member } of nodesOf(root)) placed.add(member);
  }
  return roots;
}

/** A node before its children, brothers in order. A chain of sessions can be deeper than a stack of calls. */
export function* nodesOf(root: LineageNode): Generator<{ node: LineageNode; depth: number }> {
  const open = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (const node of next.node.children.toReversed()) open.push({ node, depth: next.depth + 1 });
  }
}

/** Neither a file nor a running agent has it any more. */
export function isGone({ entry }: LineageNode): boolean {
  return entry === null || (entry.path === null && !hasProcess(entry));
}

/** What it was begun with is the fork; by `/clear` it may have gone on since. */
function forkedInBackground({ agent, process, live, parent }: BackgroundSession): LineageClaim[] {
  const child = agent.argumentsOf(process.args).began ?? live.sessionId;
  return parent === null || parent === child ? [] : [{ parent, child, source: "chosen" }];
}

/** A member of an agent team is told the session of its lead. */
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

function rootAbove(node: LineageNode, nodes: ReadonlyMap<SessionId, LineageNode>): LineageNode {
  let at = node;
  while (at.edge !== null) at = nodes.get(at.edge.parent)!;
  return at;
}

function byBirth(a: LineageNode, b: LineageNode): number {
  return bornAt(a) - bornAt(b) || (a.id < b.id ? -1 : 1);
}

function bornAt({ entry, lastSeen }: LineageNode): number {
  return entry?.bornAtMs ?? parseUtc(lastSeen?.at ?? "") ?? 0;
}
