// What was said in a session, read from its file one message at a time, whichever agent keeps it.
//
// [CV1] Messages come in the order of the file; a torn or foreign line is passed over. Where one stood that is too long to
//       be read, that is said in its place.
// [CV2] The ends of a conversation are found without parsing what lies between them.

import { claudeSaid } from "../agents/claude/said.js";
import { openManagedSessions } from "../agents/claw/managed-store.js";
import type { ManagedMessage } from "../agents/claw/records.js";
import type { Said, SaidBlock } from "../agents/said.js";
import { HiveError } from "../base/errors.js";
import { newBlock, scanFile } from "../transcripts/scan.js";
import type { AnySession, ManagedEntry } from "./session-list.js";

/** How many lines were too long. */
export function readConversation(entry: AnySession, onSaid: (said: Said) => void): number {
  if (entry.store === "managed") {
    for (const said of managedMessages(entry)) onSaid(said);
    return 0;
  }
  const addLines: AddLines = (bytes, from, to) => {
    for (const line of linesIn(bytes, from, to)) {
      const said = claudeSaid(line);
      if (said !== null) onSaid(said);
    }
  };
  return readLines(entry, addLines, (sizeBytes) =>
    onSaid({ role: "system", atMs: null, isSide: false, blocks: [{ kind: "skipped", sizeBytes }] }),
  );
}

export interface Ends {
  first: Said[];
  /** None of the first. */
  last: Said[];
  /** Lines that are too long to be read: they may have been among these. */
  skippedLines: number;
}

/** Of what people and agents said in words: tools and notes of the client are left out. */
export function endsOf(entry: AnySession, most: number): Ends {
  const ends: Ends = { first: [], last: [], skippedLines: 0 };
  const fold = (spoken: Said[]) => {
    const missing = Math.max(0, most - ends.first.length);
    ends.first.push(...spoken.slice(0, missing));
    ends.last = [...ends.last, ...spoken.slice(missing)].slice(-most);
  };
  if (entry.store === "managed") {
    fold(managedMessages(entry).filter(isSpoken));
    return ends;
  }
  ends.skippedLines = readLines(entry, (bytes, from, to) => {
    if (ends.first.length < most) fold([...linesIn(bytes, from, to)].flatMap((line) => spokenIn(line)));
    else ends.last = [...ends.last, ...lastSpoken(bytes, from, to, most)].slice(-most);
  });
  return ends;
}

export function managedMessages({ id, workspace }: ManagedEntry): Said[] {
  const store = openManagedSessions(workspace === null ? {} : { folder: workspace.path });
  return store.load(id).messages.map(saidOfManaged);
}

type AddLines = (bytes: Buffer, from: number, to: number) => void;

/** How many lines were too long. */
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
  throw new HiveError(`session ${id} has no file: nothing was said in it yet, or it was deleted`, {
    hint: "see what is there: hivemind sessions",
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

/** Backwards from the end, until there are enough. */
function lastSpoken(bytes: Buffer, from: number, to: number, most: number): Said[] {
  const found: Said[] = [];
  for (let end = to; end > from && found.length < most; ) {
    // A negative place would be counted from the end of the buffer.
    const start = end - 2 < from ? from : Math.max(from, bytes.lastIndexOf(0x0a, end - 2) + 1);
    found.unshift(...spokenIn(bytes.toString("utf8", start, end)));
    end = start;
  }
  return found;
}

function spokenIn(line: string): Said[] {
  const said = claudeSaid(line);
  return said !== null && isSpoken(said) ? [said] : [];
}

function isSpoken({ role, blocks, isSide }: Said): boolean {
  return !isSide && (role === "user" || role === "assistant") && blocks.some(({ kind }) => kind === "text");
}

/** Claw writes no time beside its messages, and what tools were given as JSON in a string. */
function saidOfManaged({ role, blocks }: ManagedMessage): Said {
  return { role, atMs: null, isSide: false, blocks: blocks.map(blockOf) };
}

function blockOf(block: ManagedMessage["blocks"][number]): SaidBlock {
  if (block.kind !== "tool_use") return block;
  try {
    return { ...block, input: JSON.parse(block.input) };
  } catch {
    return block;
  }
}
