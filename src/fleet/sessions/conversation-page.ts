// One page of a conversation, read from the end of its file, so that a long conversation costs no more than a short
// one.
//
// A place grows along the conversation and stays the same while the conversation grows: the position of the record in a
// transcript, the number of the message in a managed session.

import { constants, fstatSync, readSync } from "node:fs";
import { spokenLines } from "../../agents/all.js";
import type { SpokenLines, Utterance } from "../../agents/utterance.js";
import { HiveError } from "../../base/errors.js";
import { withFile } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { textStart } from "../../transcripts/scan/json-bytes.js";
import { linesBefore, type PlacedLine } from "../../transcripts/scan/lines-before.js";
import { managedMessages } from "./conversation.js";
import type { AnySession } from "./session-list.js";

export interface PlacedUtterance extends Utterance {
  place: number;
}

export interface ConversationPage {
  messages: PlacedUtterance[];
  /** Where the page before this one ends; null if this is the first. */
  before: number | null;
  /** The place after the last message of the whole conversation. */
  total: number;
}

export interface PageWanted {
  /** How many messages at most. A page with long messages has fewer. */
  count: number;
  /** Only messages before this place; null for the last ones. */
  before: number | null;
}

export function readPage(entry: AnySession, wanted: PageWanted): ConversationPage {
  if (entry.store === "managed") return pageOfAll(managedMessages(entry), wanted);
  const lines = spokenLines(entry.agent);
  const page =
    entry.path === null ? null : withFile(entry.path, constants.O_RDONLY, (fd) => pageIn(fd, wanted, lines));
  if (page !== null) return page;
  throw new HiveError(`session ${entry.id} has no file: it has no messages yet, or it was deleted`, {
    hint: "list the sessions: hivemind sessions",
  });
}

function pageOfAll(all: readonly Utterance[], { count, before }: PageWanted): ConversationPage {
  const end = Math.min(before ?? all.length, all.length);
  const begin = Math.max(0, end - count);
  const messages = all.slice(begin, end).map((said, at) => ({ ...said, place: begin + at }));
  return { messages, before: begin === 0 ? null : begin, total: all.length };
}

function pageIn(fd: number, { count, before }: PageWanted, lines: SpokenLines): ConversationPage {
  const begin = textStart(sample(fd));
  const total = wholeEnd(fd, begin, fstatSync(fd).size, lines);
  const messages: PlacedUtterance[] = [];
  let sizeBytes = 0;
  const end = before === null || before >= total ? total : lineStart(fd, begin, before);
  for (const line of linesBefore(fd, begin, end)) {
    const said = saidIn(line, lines);
    if (said !== null) messages.unshift({ ...said, place: line.start });
    sizeBytes += line.sizeBytes;
    const isFull = messages.length === count || sizeBytes >= limits.pageBytes;
    if (isFull && messages.length > 0)
      return { messages, before: line.start > begin ? line.start : null, total };
  }
  return { messages, before: null, total };
}

function saidIn({ text, sizeBytes }: PlacedLine, { readUtterance }: SpokenLines): Utterance | null {
  if (text !== null) return readUtterance(text);
  return { role: "system", atMs: null, isSide: false, blocks: [{ kind: "skipped", sizeBytes }] };
}

/** After the last whole line: a record that is still being written comes with a later page. */
function wholeEnd(fd: number, begin: number, size: number, { readUtterance }: SpokenLines): number {
  const [last] = linesBefore(fd, begin, size);
  if (last === undefined) return begin;
  const isEnded = last.start + last.sizeBytes < size;
  return isEnded || (last.text !== null && readUtterance(last.text) !== null) ? size : last.start;
}

/** The beginning of the line that has this position: a place is one already. */
function lineStart(fd: number, begin: number, place: number): number {
  if (place <= begin) return begin;
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, place - 1);
  if (byte[0] === 0x0a) return place;
  const [cut] = linesBefore(fd, begin, place);
  return cut?.start ?? begin;
}

function sample(fd: number): Buffer {
  const bytes = Buffer.alloc(3);
  return bytes.subarray(0, readSync(fd, bytes, 0, 3, 0));
}
