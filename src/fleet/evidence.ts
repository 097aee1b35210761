// One piece of evidence for a session in a pane.

import type { SessionId } from "../names/gates.js";

export type EvidenceSource = "registry" | "hook" | "screen" | "args" | "records" | "title" | "cache";

export interface Evidence {
  source: EvidenceSource;
  uuid: SessionId;
  chosen: boolean;
  /** It could be this one or another, and nothing tells which: then none is chosen. */
  ambiguous: boolean;
  reason: string;
}

export function evidence(source: EvidenceSource, uuid: SessionId, reason: string): Evidence {
  return { source, uuid, chosen: false, ambiguous: false, reason };
}

export function doubt(source: EvidenceSource, uuid: SessionId, why: string): Evidence {
  return { ...evidence(source, uuid, `ambiguous: ${why}`), ambiguous: true };
}
