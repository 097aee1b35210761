// Formats trees of sessions. Pure: trees in, lines out.

import { textTable } from "../../base/text/table.js";
import { parseUtc } from "../../base/text/utc.js";
import { isGone, type LineageNode, nodesOf } from "../../fleet/lineage/lineage-of.js";
import { roleOf } from "../../fleet/resolve.js";
import { isRunning } from "../../fleet/sessions/session-list.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { shortId } from "../../names/short-id.js";
import type { LineageEdge } from "../../transcripts/lineage/lineage.js";
import { type Colours, shown } from "../output.js";
import { age, clipped, places, size } from "../sessions/cells.js";

export interface TreeOptions {
  nowMs: number;
  marked: SessionId | null;
  colours: Colours;
}

export function treeLines(roots: readonly LineageNode[], options: TreeOptions): string[] {
  const { nowMs, marked, colours } = options;
  const rows = roots.flatMap((root, at) => {
    const gap = at > 0 && (root.children.length > 0 || roots[at - 1]!.children.length > 0) ? [[""]] : [];
    const cells = [...branches(root)].map(({ node, branch }) => [
      branch + (node.id === marked ? colours.bold(`${shortId(node.id)} *`) : shortId(node.id)),
      node.edge === null ? "–" : origin(node.edge),
      age(node.entry?.updatedAtMs ?? parseUtc(node.lastSeen?.at ?? ""), nowMs),
      size(node.entry?.sizeBytes ?? null),
      whereabouts(node, options),
      clipped(node.entry?.title ?? null),
    ]);
    return [...gap, ...cells];
  });
  const alignments = ["left", "left", "right", "right"] as const;
  return textTable([["SESSION", "FROM", "AGE", "SIZE", "WHERE", "TITLE"], ...rows], alignments);
}

/** Each node with the lines drawn before it. Nodes too deep for a screen show their depth as a number. */
function* branches(root: LineageNode): Generator<{ node: LineageNode; branch: string }> {
  /** By depth: what is drawn at that level before deeper nodes. */
  const trunk: string[] = [];
  const left: number[] = [];
  for (const { node, depth } of nodesOf(root)) {
    left[depth] = node.children.length;
    if (depth === 0) {
      yield { node, branch: "" };
      continue;
    }
    const isLast = --left[depth - 1]! === 0;
    const before = depth > limits.lineageDepth ? `⋯${depth} ` : trunk.slice(1, depth).join("");
    trunk[depth] = isLast ? "   " : "│  ";
    yield { node, branch: `${before}${isLast ? "└─ " : "├─ "}` };
  }
}

function origin({ kind, forkPoint, inferred }: LineageEdge): string {
  const at = forkPoint === null ? "" : ` at ${shown(forkPoint.slice(0, 8))}`;
  return `${kind}${at}${inferred ? " (inferred)" : ""}`;
}

function whereabouts(node: LineageNode, { colours }: TreeOptions): string {
  const { entry, lastSeen } = node;
  if (entry === null || isGone(node)) {
    const seen = (lastSeen?.pane ?? null) === null ? [] : ["last in", lastSeen!.pane, lastSeen!.role ?? ""];
    return colours.dim(["gone", ...seen].join(" ").trim());
  }
  if (entry.background !== null) return "running in background";
  if (entry.panes.length === 0) return "saved";
  return [places(entry), ...entry.panes.filter(isRunning).flatMap((pane) => roleOf(pane) ?? [])].join(" ");
}
