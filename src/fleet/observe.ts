// The one live reader: the panes, the transcripts, and which session is in which pane.
// Everything else is a function of this value and the stores, so no two commands can disagree.

import { defaultFolder, transcriptLines } from "../agents/all.js";
import type { PaneAddress, PaneId, SessionId } from "../names/gates.js";
import { type Index, openIndex, type TranscriptIndex } from "../transcripts/index.js";
import { type Discovery, discoverAll, type Subject } from "./discover.js";
import { type FleetPane, observePanes, type Panes, type World } from "./panes.js";

export interface Fleet extends Panes {
  index: Index;
  /** For every pane, also one in which nothing was found. */
  sessions: ReadonlyMap<PaneId, Discovery>;
}

export interface TranscriptWorld extends World {
  /** Where the index keeps its disposable cache. */
  cacheFolder: string;
  /** Config folders that were seen in use, besides those of running agents. */
  accounts: readonly string[];
  onProgress?: (progress: { doneBytes: number; totalBytes: number }) => void;
}

/** `cached` is what S2 says of each pane, re-keyed to where the panes are now. */
export async function observe(
  world: TranscriptWorld,
  cachedBy: (panes: Panes) => ReadonlyMap<PaneAddress, SessionId>,
): Promise<Fleet> {
  const panes = await observePanes(world);
  const index = await openTranscripts(world, panes).refresh();
  const cached = cachedBy(panes);
  const subjects = panes.panes.map((pane) => subjectOf(pane, cached.get(pane.address) ?? null));
  const sessions = discoverAll(subjects, index.transcripts, panes.takenAtMs);
  return { ...panes, index, sessions };
}

export function openTranscripts(world: TranscriptWorld, panes: Panes | null): TranscriptIndex {
  const used = panes?.panes.flatMap(({ folder }) => folder ?? []) ?? [];
  return openIndex({
    roots: [...new Set([defaultFolder(world.env) ?? [], ...world.accounts, ...used].flat())],
    cacheDir: world.cacheFolder,
    parser: transcriptLines,
    ...(world.onProgress ? { onProgress: world.onProgress } : {}),
  });
}

function subjectOf(pane: FleetPane, cached: SessionId | null): Subject {
  return {
    id: pane.id,
    address: pane.address,
    title: pane.live?.name ?? pane.name,
    cwd: pane.live?.cwd ?? (pane.cwd || null),
    startedAtMs: pane.process?.startedAtMs ?? null,
    live: pane.live,
    hook: null,
    began: pane.arguments?.began ?? null,
    forkedFrom: pane.arguments?.forkedFrom ?? null,
    cached,
  };
}
