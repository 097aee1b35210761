// Graphs for the tests of this folder.

import type { LineageGraph, SessionLife } from "../../src/fleet/lineage/lineage-graph.js";
import type { LineageKind } from "../../src/transcripts/lineage/lineage.js";

export interface Sample {
  id: string;
  /** Minutes after 1970. */
  from?: number;
  to?: number;
  parent?: string;
  kind?: LineageKind;
  /** The time of the last shared message, in minutes. */
  forkedAt?: number;
  life?: SessionLife;
  cwd?: string;
  title?: string;
}

export const minute = 60_000;

export function graphWith(samples: readonly Sample[]): LineageGraph {
  const time = (minutes: number | undefined) =>
    minutes === undefined ? null : new Date(minutes * minute).toISOString();
  const nodes = samples.map(({ id, from, to, life = "saved", cwd = "/work", title = "" }) => ({
    ...{ id, agent: "claude", title, cwd: life === "gone" ? null : cwd, fingerprint: null },
    ...{
      createdAt: time(from),
      updatedAt: time(to),
      messages: 3,
      compactions: 0,
      sizeBytes: 1,
      path: `/${id}`,
    },
    ...{ pane: life === "running" ? "t:0.0" : null, background: null, team: null, role: null, life },
    ...{ state: "stable", gone: life === "gone", lastSeen: null },
  }));
  const edges = samples.flatMap(({ id, parent, kind = "fork", forkedAt }) =>
    parent === undefined
      ? []
      : [
          {
            parent,
            child: id,
            kind,
            source: "hook",
            inferred: false,
            forkPoint: null,
            forkedAt: time(forkedAt),
          },
        ],
  );
  return { nodes, edges } as unknown as LineageGraph;
}
