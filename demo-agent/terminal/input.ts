// Parses the terminal's input into events. Pure, except that it holds the bytes of an incomplete sequence.
//
// - The events do not depend on how the bytes are split into chunks, except that text may come in more pieces.
// - A bracketed paste is one event of any size. Its line ends become newlines; other control characters are dropped
//   silently, as in the real client.
// - An Escape is a key only if nothing follows it: until then it may begin a sequence.

import { StringDecoder } from "node:string_decoder";

export type InputEvent =
  | { kind: "text"; text: string }
  | { kind: "paste"; text: string }
  | { kind: Key }
  | { kind: "other"; text: string };

export type Key =
  | "enter"
  | "newline"
  | "escape"
  | "backspace"
  | "up"
  | "down"
  | "ctrl-c"
  | "ctrl-d"
  | "ctrl-u";

export interface InputDecoder {
  feed(bytes: Buffer): InputEvent[];
  /** Call after a pause: a held Escape was the key. */
  settle(): InputEvent[];
  isWaiting(): boolean;
}

export function inputDecoder(): InputDecoder {
  const utf8 = new StringDecoder("utf8");
  let waiting = "";
  const take = (isComplete: boolean) => {
    const { events, rest } = decode(waiting, isComplete);
    waiting = rest;
    return events;
  };
  return {
    feed(bytes) {
      waiting += utf8.write(bytes);
      return take(false);
    },
    settle: () => take(true),
    isWaiting: () => waiting !== "",
  };
}

const pasteBegin = "\x1b[200~";
const pasteEnd = "\x1b[201~";

const keys: Record<string, Key> = {
  "\r": "enter",
  "\n": "newline",
  "\x1b\r": "newline",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x03": "ctrl-c",
  "\x04": "ctrl-d",
  "\x15": "ctrl-u",
  "\x1b[A": "up",
  "\x1bOA": "up",
  "\x1b[B": "down",
  "\x1bOB": "down",
};

function decode(input: string, isComplete: boolean): { events: InputEvent[]; rest: string } {
  const events: InputEvent[] = [];
  let at = 0;
  while (at < input.length) {
    if (input.startsWith(pasteBegin, at)) {
      const end = input.indexOf(pasteEnd, at);
      // An unfinished paste is held until its end, however long the pause: half a message must never be sent.
      if (end < 0) break;
      events.push({ kind: "paste", text: pasted(input.slice(at + pasteBegin.length, end)) });
      at = end + pasteEnd.length;
      continue;
    }
    const piece = nextPiece(input, at);
    if (piece === null && !isComplete) break;
    const taken = piece ?? "\x1b";
    events.push(eventOf(taken));
    at += taken.length;
  }
  return { events, rest: input.slice(at) };
}

/** The longest piece that is one event; null for an unfinished escape sequence. */
function nextPiece(input: string, at: number): string | null {
  if (input[at] !== "\x1b") {
    const run = /[^\x00-\x1f\x7f]+|[\s\S]/y;
    run.lastIndex = at;
    return run.exec(input)![0];
  }
  const sequence = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^[O])/y;
  sequence.lastIndex = at;
  const found = sequence.exec(input);
  if (found === null) return null;
  // Two Escapes in a row are two keys, not one with Alt.
  return found[0] === "\x1b\x1b" ? "\x1b" : found[0];
}

function eventOf(piece: string): InputEvent {
  if (piece === "\x1b") return { kind: "escape" };
  const key = keys[piece];
  if (key !== undefined) return { kind: key };
  return /^[\x00-\x1f]/.test(piece) ? { kind: "other", text: piece } : { kind: "text", text: piece };
}

function pasted(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}
