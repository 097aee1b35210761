// Finds the outermost members of one JSON line by its bytes: parsing gigabytes of records to learn their type would
// cost ten times as much as reading them.
//
// - Only a member of the outermost object counts, never text inside strings or nested objects.
// - Key order and white space do not matter. What needs a parser is `undecided`, not guessed.

import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  space,
} from "./json-bytes.js";
import { simdOf } from "./simd-block.js";
import { openWalk } from "./walk.js";
import { hasByte, wordsOf } from "./words.js";

/** The member is missing, or has another value. */
export const otherWord = -1;
/** The member is spelled with escapes, or the line is not JSON: parse the line. */
export const undecided = -2;

/**
 * Makes a reader that returns the position in `words` of the string member `key` of the object in `bytes[from, to)`.
 * It searches from the front up to the first nested value, then behind the last one, and walks through the line only
 * if the member is in between. For a line that is not JSON the answer means nothing.
 */
export function wordReader(key: string, words: readonly string[]) {
  const texts = words.map((word) => Buffer.from(word));
  const startByEnds = memberStarter(key);
  const { walk, starts } = openWalk({ [key]: null });
  return (bytes: Buffer, from: number, to: number): number => {
    let value = startByEnds(bytes, from, to);
    if (value === undecided) {
      if (walk(bytes, from, to) < 0) return undecided;
      value = starts[0]!;
    }
    return value < 0 ? otherWord : wordAt(bytes, value, to, texts);
  };
}

/** The whole number of a member whose key ends before `from`; Infinity if it needs a parser. */
export function numberBehindKey(bytes: Uint8Array, from: number, to: number): number {
  let at = valueStart(bytes, from, to);
  if (at < 0) return 0;
  let value = 0;
  for (; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === comma || byte === closeBrace || byte <= space) return value;
    if (byte < 0x30 || byte > 0x39) return Number.POSITIVE_INFINITY;
    value = value * 10 + byte - 0x30;
  }
  return value;
}

export interface Member {
  key: string;
  /** The position of its value. */
  start: number;
  end: number;
}

/** Every member of the object in `bytes[from, to)`, in order. The line must be JSON. */
export function* membersIn(bytes: Buffer, from: number, to: number): Generator<Member> {
  for (let at = skipSpace(bytes, skipSpace(bytes, from, to) + 1, to); bytes[at] === quote; ) {
    const keyEnd = stringEnd(bytes, at + 1, to) + 1;
    const start = valueStart(bytes, keyEnd, to);
    const end = valueEnd(bytes, start, to);
    yield { key: JSON.parse(bytes.toString("utf8", at, keyEnd)), start, end };
    at = nextMember(bytes, end, to);
  }
}

/**
 * Makes a search that ends at `to`; negative if the mark is not there. `Buffer.indexOf` has no end, and a view that
 * has one costs more than searching through the rest of a line.
 */
export function markFinder(mark: Uint8Array) {
  const last = mark.length - 1;
  const shifts = new Uint8Array(256).fill(mark.length);
  for (let at = 0; at < last; at++) shifts[mark[at]!] = last - at;
  let kept: number | null = null;
  return (bytes: Buffer, from: number, to: number): number => {
    const simd = simdOf(bytes);
    if (simd !== null) {
      kept ??= simd.keep(mark);
      return simd.functions.find(kept, mark.length, from, to);
    }
    for (let end = from + last; end < to; end += shifts[bytes[end]!]!) {
      if (bytes[end] === mark[last] && isText(bytes, end - last, end + 1, mark)) return end - last;
    }
    return -1;
  };
}

/**
 * Makes a search for the value of an outermost member, from the front up to the first nested value, then behind the
 * last one.
 */
function memberStarter(key: string) {
  const name = Buffer.from(key);
  const mark = Buffer.from(`,"${key}":`);
  const findMark = markFinder(mark);
  let kept: number | null = null;
  return (bytes: Buffer, from: number, to: number): number => {
    const simd = simdOf(bytes);
    if (simd !== null) {
      kept ??= simd.keep(mark);
      return simd.functions.memberStart(kept, mark.length, from, to);
    }
    const start = skipSpace(bytes, from, to);
    if (start >= to || bytes[start] !== openBrace) return otherWord;
    const front = startFromFront(bytes, start + 1, to, name);
    if (front !== undecided) return front;
    const close = skipSpaceBack(bytes, start, to - 1);
    if (bytes[close] !== closeBrace) return otherWord;
    // A quote behind a comma begins a string. Without a bracket up to the end, it is the outermost object's.
    const last = findMark(bytes, flatFrom(bytes, start, close), close);
    return last < 0 ? undecided : last + mark.length;
  };
}

function startFromFront(bytes: Uint8Array, from: number, to: number, key: Uint8Array): number {
  for (let at = skipSpace(bytes, from, to); ; ) {
    const keyEnd = bytes[at] === quote ? stringEnd(bytes, at + 1, to) : -1;
    const value = keyEnd < 0 ? -1 : valueStart(bytes, keyEnd + 1, to);
    if (value < 0) return bytes[at] === closeBrace ? otherWord : undecided;
    if (isText(bytes, at + 1, keyEnd, key)) return value;
    const isNested = bytes[value] === openBrace || bytes[value] === openBracket;
    if (isNested || hasEscape(bytes, at + 1, keyEnd)) return undecided;
    at = nextMember(bytes, valueEnd(bytes, value, to), to);
  }
}

/** The beginning of the part before `to` that has no bracket. */
function flatFrom(bytes: Buffer, from: number, to: number): number {
  const { words, shift } = wordsOf(bytes);
  let at = to - 1;
  for (; at >= from && ((at + 1 - shift) & 3) !== 0; at--) if (isBracket(bytes[at]!)) return at + 1;
  for (; at - 3 >= from; at -= 4) {
    // Square brackets become braces.
    const four = words[(at - 3 - shift) >> 2]! | 0x20202020;
    if (hasByte(four, 0x7b7b7b7b) || hasByte(four, 0x7d7d7d7d)) break;
  }
  while (at >= from && !isBracket(bytes[at]!)) at--;
  return at + 1;
}

function isBracket(byte: number): boolean {
  return byte === openBrace || byte === closeBrace || byte === openBracket || byte === closeBracket;
}

/** The position in `words` of the string value at `value`. */
function wordAt(bytes: Uint8Array, value: number, to: number, words: readonly Uint8Array[]): number {
  if (bytes[value] !== quote) return otherWord;
  const end = stringEnd(bytes, value + 1, to);
  if (end < 0 || hasEscape(bytes, value + 1, end)) return undecided;
  for (let word = 0; word < words.length; word++) {
    if (isText(bytes, value + 1, end, words[word]!)) return word;
  }
  return otherWord;
}

/** The position after the colon that follows a key; negative if there is none. */
function valueStart(bytes: Uint8Array, from: number, to: number): number {
  const at = skipSpace(bytes, from, to);
  return bytes[at] === colon ? skipSpace(bytes, at + 1, to) : -1;
}

/** The position after the value that begins at `from`; negative if the line ends inside it. */
function valueEnd(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] === quote) {
    const end = stringEnd(bytes, from + 1, to);
    return end < 0 ? -1 : end + 1;
  }
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = stringEnd(bytes, at + 1, to);
      if (at < 0) return -1;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at;
  }
  return -1;
}

/** The next key (or the closing brace) after a value that ends at `end`. */
function nextMember(bytes: Uint8Array, end: number, to: number): number {
  if (end < 0) return to;
  const at = skipSpace(bytes, end, to);
  return bytes[at] === comma ? skipSpace(bytes, at + 1, to) : at;
}

/** The closing quote of the string whose text begins at `from`; negative if the line ends inside it. */
function stringEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return -1;
}

function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at]! <= space) at++;
  return at;
}

function skipSpaceBack(bytes: Uint8Array, start: number, from: number): number {
  let at = from;
  while (at > start && bytes[at]! <= space) at--;
  return at;
}

function isText(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  if (to - from !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text[at]) return false;
  return true;
}

function hasEscape(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === backslash) return true;
  return false;
}
