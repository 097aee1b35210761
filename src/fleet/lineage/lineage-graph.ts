// The family trees of all sessions, and some of them as a graph for programs.

import type { SessionId } from "../../names/gates.js";
import type { Stores } from "../../stores/stores.js";
import type { LineageEdge } from "../../transcripts/lineage/lineage.js";
import type { MessageParent } from "../../transcripts/lineage/parent-by-messages.js";
import type { Fleet } from "../observe.js";
import { roleOf } from "../resolve.js";
import { backgroundFacts, runningPane, type SessionEntry } from "../sessions/session-list.js";
import { edgesOf, isGone, type LineageNode, nodesOf, readRecord, treesOf } from "./lineage-of.js";

/** A part of the hive. */
export interface LineageWorld {
  stores: Pick<Stores, "forks">;
  parentsByMessages(fleet: Fleet): Promise<ReadonlyMap<SessionId, MessageParent>>;
}

export async function lineageTrees(
  { stores, parentsByMessages }: LineageWorld,
  fleet: Fleet,
  entries: readonly SessionEntry[],
): Promise<LineageNode[]> {
  const recorded = readRecord(stores.forks.lastOfEach());
  const edges = edgesOf(fleet, await parentsByMessages(fleet), recorded, fleet.hooks.lineage);
  return treesOf(entries, edges, recorded);
}

export function hasSession(root: LineageNode, isWanted: (id: SessionId) => boolean): boolean {
  for (const { node } of nodesOf(root)) if (isWanted(node.id)) return true;
  return false;
}

export function idsIn(trees: readonly LineageNode[]): Set<SessionId> {
  return new Set(trees.flatMap((root) => [...nodesOf(root)].map(({ node }) => node.id)));
}

export type LineageGraph = ReturnType<typeof graphOf>;

/** Nodes before their children, and the edges between them. */
export function graphOf(trees: readonly LineageNode[]) {
  const nodes = trees.flatMap((root) => [...nodesOf(root)].map(({ node }) => node));
  return {
    nodes: nodes.map(row),
    edges: nodes.flatMap(({ edge }) => (edge === null ? [] : edgeRow(edge))),
  };
}

function edgeRow({ forkPointAtMs, ...edge }: LineageEdge) {
  return { ...edge, forkedAt: timeOf(forkPointAtMs) };
}

export const sessionLives = ["running", "parked", "background", "ended", "saved", "gone"] as const;
/**
 * Whether an agent has the conversation. Parked: its pane shows the list of background conversations. Ended: the
 * agent has ended, and its pane is still there. Saved: only its file is there.
 */
export type SessionLife = (typeof sessionLives)[number];

function lifeOf(node: LineageNode): SessionLife {
  const { entry } = node;
  if (entry === null || isGone(node)) return "gone";
  const pane = runningPane(entry);
  if (pane !== null) return pane.showsList ? "parked" : "running";
  if (entry.background !== null) return "background";
  return entry.panes.length > 0 ? "ended" : "saved";
}

function row(node: LineageNode) {
  const { id, entry, lastSeen } = node;
  const pane = entry && runningPane(entry);
  return {
    id,
    agent: entry?.agent ?? null,
    title: entry?.title ?? null,
    cwd: entry?.workspace?.path ?? null,
    fingerprint: entry?.workspace?.fingerprint ?? null,
    createdAt: timeOf(entry?.bornAtMs),
    updatedAt: timeOf(entry?.updatedAtMs),
    messages: entry?.messages ?? null,
    compactions: entry?.compactions ?? null,
    sizeBytes: entry?.sizeBytes ?? null,
    path: entry?.path ?? null,
    pane: pane?.address ?? null,
    background: backgroundFacts(entry?.background ?? null),
    team: pane?.sessionName ?? null,
    role: pane === null ? null : roleOf(pane),
    life: lifeOf(node),
    state: entry?.state ?? null,
    gone: isGone(node),
    lastSeen: lastSeen && {
      at: lastSeen.at,
      pane: lastSeen.pane,
      role: lastSeen.role,
      state: lastSeen.state,
    },
  };
}

function timeOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}
