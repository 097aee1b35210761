// The messages of a session, read from its file one at a time, for every kind of agent.
//
// Messages come in file order. Torn or foreign lines are skipped. A line that is too long to read gives a `skipped`
// block in its place. The first and last messages are found without parsing the ones in between.

import { spokenLines } from "../../agents/all.js";
import { openManagedSessions } from "../../agents/claw/managed-store.js";
import type { ManagedMessage } from "../../agents/claw/records.js";
import type { Utterance, UtteranceBlock } from "../../agents/utterance.js";
import { HiveError } from "../../base/errors.js";
import { newBlock, scanFile } from "../../transcripts/scan/scan.js";
import type { AnySession, ManagedEntry } from "./session-list.js";

/** Returns how many lines were too long. */
export function readConversation(entry: AnySession, onSaid: (said: Utterance) => void): number {
  if (entry.store === "managed") {
    for (const said of managedMessages(entry)) onSaid(said);
    return 0;
  }
  const { readUtterance } = spokenLines(entry.agent);
  const addLines: AddLines = (bytes, from, to) => {
    for (const line of linesIn(bytes, from, to)) {
      const said = readUtterance(line);
      if (said !== null) onSaid(said);
    }
  };
  return readLines(entry, addLines, (sizeBytes) =>
    onSaid({ role: "system", atMs: null, isSide: false, blocks: [{ kind: "skipped", sizeBytes }] }),
  );
}

export interface Ends {
  first: Utterance[];
  /** Without the first ones. */
  last: Utterance[];
  /** Lines too long to read: they may have belonged to these. */
  skippedLines: number;
}

/** Only text of people and agents: without tools and the client's notes. */
export function endsOf(entry: AnySession, most: number): Ends {
  const ends: Ends = { first: [], last: [], skippedLines: 0 };
  const fold = (spoken: Utterance[]) => {
    const missing = Math.max(0, most - ends.first.length);
    ends.first.push(...spoken.slice(0, missing));
    ends.last = [...ends.last, ...spoken.slice(missing)].slice(-most);
  };
  if (entry.store === "managed") {
    fold(managedMessages(entry).filter(isSpoken));
    return ends;
  }
  const { readUtterance } = spokenLines(entry.agent);
  const spokenIn: SpokenIn = (line) => {
    const said = readUtterance(line);
    return said !== null && isSpoken(said) ? [said] : [];
  };
  ends.skippedLines = readLines(entry, (bytes, from, to) => {
    if (ends.first.length < most) fold([...linesIn(bytes, from, to)].flatMap(spokenIn));
    else ends.last = [...ends.last, ...lastSpoken(bytes, from, to, most, spokenIn)].slice(-most);
  });
  return ends;
}

export function managedMessages({ id, workspace }: ManagedEntry): Utterance[] {
  const store = openManagedSessions(workspace === null ? {} : { folder: workspace.path });
  return store.load(id).messages.map(saidOfManaged);
}

type SpokenIn = (line: string) => Utterance[];
type AddLines = (bytes: Buffer, from: number, to: number) => void;

/** Returns how many lines were too long. */
function readLines(
  { path, id }: AnySession,
  addLines: AddLines,
  onSkipped?: (sizeBytes: number) => void,
): number {
  let skippedLines = 0;
  const kind = {
    empty: () => null,
    addLines: (_: null, bytes: Buffer, from: number, to: number) => addLines(bytes, from, to),
    addSkipped(_: null, sizeBytes: number) {
      skippedLines++;
      onSkipped?.(sizeBytes);
    },
  };
  const scanned = path === null ? null : scanFile(path, null, kind, newBlock());
  if (scanned !== null) return skippedLines;
  throw new HiveError(`session ${id} has no file: it has no messages yet, or it was deleted`, {
    hint: "list the sessions: hivemind sessions",
  });
}

function* linesIn(bytes: Buffer, from: number, to: number): Generator<string> {
  for (let start = from; start < to; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 || found > to ? to : found;
    yield bytes.toString("utf8", start, end);
    start = end + 1;
  }
}

/** Backwards from the end until there are enough. */
function lastSpoken(bytes: Buffer, from: number, to: number, most: number, spokenIn: SpokenIn): Utterance[] {
  const found: Utterance[] = [];
  for (let end = to; end > from && found.length < most; ) {
    // lastIndexOf counts a negative position from the end of the buffer.
    const start = end - 2 < from ? from : Math.max(from, bytes.lastIndexOf(0x0a, end - 2) + 1);
    found.unshift(...spokenIn(bytes.toString("utf8", start, end)));
    end = start;
  }
  return found;
}

function isSpoken({ role, blocks, isSide }: Utterance): boolean {
  return !isSide && (role === "user" || role === "assistant") && blocks.some(({ kind }) => kind === "text");
}

/** Claw records no times, and tool input as JSON in a string. */
function saidOfManaged({ role, blocks }: ManagedMessage): Utterance {
  return { role, atMs: null, isSide: false, blocks: blocks.map(blockOf) };
}

function blockOf(block: ManagedMessage["blocks"][number]): UtteranceBlock {
  if (block.kind !== "tool_use") return block;
  try {
    return { ...block, input: JSON.parse(block.input) };
  } catch {
    return block;
  }
}
