// How an agent's conversation ends: from the index if there is one, else from the end of its transcript alone.
//
// An error of an earlier process does not concern the running one; a limit and a full context do. The end of a file
// gives the same answer as the whole file, except for the words before a very long prompt.

import { closeSync, readSync } from "node:fs";
import { agentOfKind, rootFor } from "../../agents/all.js";
import { openReadable } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { findSession } from "../../transcripts/find.js";
import { type LastTurn, noFacts } from "../../transcripts/transcript.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { transcriptIn } from "./context.js";

type Pane = Pick<FleetPane, "kind" | "process" | "folder" | "live">;

/** Reads no file. */
export function lastTurnIn(fleet: Fleet, pane: FleetPane): LastTurn | null {
  const transcript = pane.process === null ? null : transcriptIn(pane, fleet);
  return ofThisProcess(transcript?.facts.lastTurn ?? null, pane);
}

/** For the session in the agent's registry entry. */
export function readLastTurn(pane: Pane): LastTurn | null {
  const parser = agentOfKind(pane.kind)?.transcripts?.parser;
  let lastTurn: LastTurn | null = null;
  for (const lines of parser === undefined ? [] : readTails(pane)) {
    const facts = noFacts();
    parser!.addFacts(facts, lines, 0, lines.length);
    lastTurn = facts.lastTurn;
    if (lastTurn !== null && lastTurn.end !== "prompt") break;
  }
  return ofThisProcess(lastTurn, pane);
}

/** The end of the newest file of that session: first a little of it, then more. */
export function* readTails({
  kind,
  folder,
  live,
}: Pick<Pane, "kind" | "folder" | "live">): Generator<Buffer> {
  if (live === null || folder === null) return;
  const { files } = findSession(rootFor(kind, folder), live.sessionId);
  const newest = files.sort((a, b) => b.stamp.modifiedAtMs - a.stamp.modifiedAtMs)[0];
  if (newest === undefined) return;
  const { path, stamp } = newest;
  for (const tailBytes of limits.transcriptTailBytes) {
    yield readTail(path, stamp.sizeBytes, tailBytes);
    if (tailBytes >= stamp.sizeBytes) return;
  }
}

function ofThisProcess(
  turn: LastTurn | null,
  { kind, process, live }: Pick<Pane, "kind" | "process" | "live">,
): LastTurn | null {
  if (turn === null || turn.end !== "error" || turn.atMs === null || process === null) return turn;
  const isFailed = agentOfKind(kind)?.screen?.readActivity(null, Date.now(), turn)?.activity === "error";
  return isFailed && turn.atMs < (live?.startedAtMs ?? process.startedAtMs)
    ? { ...turn, end: "prompt" }
    : turn;
}

/** Whole lines only: the first may be cut, and the last may be incomplete. */
function readTail(path: string, sizeBytes: number, tailBytes: number): Buffer {
  const start = Math.max(0, sizeBytes - tailBytes);
  const bytes = Buffer.alloc(sizeBytes - start);
  const file = openReadable(path);
  if (file === null) return Buffer.alloc(0);
  try {
    const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    return read.subarray(start === 0 ? 0 : read.indexOf(0x0a) + 1, read.lastIndexOf(0x0a) + 1);
  } finally {
    closeSync(file);
  }
}
