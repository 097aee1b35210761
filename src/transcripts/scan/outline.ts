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

/** The member is missing, or has another value. */
export const otherWord = -1;
/** The member is between two nested values, or spelled with escapes: parse the line. */
export const undecided = -2;

/**
 * Makes a reader that returns the position in `words` of the string member `key` of the object in `bytes[from, to)`.
 * It searches from the front up to the first nested value, then from the end down to the last long one. The line
 * must be JSON; for any other line the answer means nothing.
 */
export function wordReader(key: string, words: readonly string[]) {
  const wanted: Wanted = { key: Buffer.from(key), words: words.map((word) => Buffer.from(word)) };
  const run: Run = { bytes: Buffer.alloc(longestRun), length: 0 };
  return (bytes: Uint8Array, from: number, to: number): number => {
    const start = skipSpace(bytes, from, to);
    if (start >= to || bytes[start] !== openBrace) return otherWord;
    const front = wordFromFront(bytes, start + 1, to, wanted, run);
    return front === undecided ? wordFromEnd(bytes, start, to, wanted) : front;
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
  return (bytes: Uint8Array, from: number, to: number): number => {
    for (let end = from + last; end < to; end += shifts[bytes[end]!]!) {
      if (bytes[end] === mark[last] && isText(bytes, end - last, end + 1, mark)) return end - last;
    }
    return -1;
  };
}

interface Wanted {
  key: Uint8Array;
  words: readonly Uint8Array[];
}

/** The members from the second on of the line before: most lines of a file repeat them, and comparing is cheap. */
interface Run {
  bytes: Buffer;
  length: number;
}

const longestRun = 1024;
/** Enough for an id or two; longer values are left to a parser. */
const shortNested = 256;

function wordFromFront(
  bytes: Uint8Array,
  from: number,
  to: number,
  { key, words }: Wanted,
  run: Run,
): number {
  let second = -1;
  for (let at = skipSpace(bytes, from, to); ; ) {
    const keyEnd = bytes[at] === quote ? stringEnd(bytes, at + 1, to) : -1;
    const value = keyEnd < 0 ? -1 : valueStart(bytes, keyEnd + 1, to);
    if (value < 0) return bytes[at] === closeBrace ? otherWord : undecided;
    const isWanted = isText(bytes, at + 1, keyEnd, key);
    const isNested = bytes[value] === openBrace || bytes[value] === openBracket;
    if (isWanted || isNested || hasEscape(bytes, at + 1, keyEnd)) {
      if (second >= 0 && second < at) remember(run, bytes, second, at);
      return isWanted ? wordAt(bytes, value, to, words) : undecided;
    }
    at = nextMember(bytes, valueEnd(bytes, value, to), to);
    if (second === -1) {
      second = at;
      if (repeats(run, bytes, at, to)) {
        at += run.length;
        second = -2;
      }
    }
  }
}

function remember(run: Run, bytes: Uint8Array, from: number, to: number): void {
  run.length = to - from <= longestRun ? to - from : 0;
  run.bytes.set(bytes.subarray(from, from + run.length));
}

function repeats(run: Run, bytes: Uint8Array, at: number, to: number): boolean {
  const { length } = run;
  return length > 0 && at + length < to && run.bytes.compare(bytes, at, at + length, 0, length) === 0;
}

/** Backwards from the closing brace, over members whose values are not nested, or short. */
function wordFromEnd(bytes: Uint8Array, start: number, to: number, { key, words }: Wanted): number {
  let at = skipSpaceBack(bytes, start, to - 1);
  if (bytes[at] !== closeBrace) return otherWord;
  for (;;) {
    at = skipSpaceBack(bytes, start, at - 1);
    const value = valueStartBack(bytes, start, at);
    if (value < 0) return undecided;
    const between = skipSpaceBack(bytes, start, value - 1);
    const keyEnd = skipSpaceBack(bytes, start, between - 1);
    if (bytes[between] !== colon || bytes[keyEnd] !== quote) return undecided;
    const keyStart = stringStart(bytes, start, keyEnd - 1);
    if (keyStart < 0 || hasEscape(bytes, keyStart, keyEnd)) return undecided;
    if (isText(bytes, keyStart + 1, keyEnd, key)) return wordAt(bytes, value, to, words);
    at = skipSpaceBack(bytes, start, keyStart - 1);
    if (bytes[at] !== comma) return undecided;
  }
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

/** The start of the value that ends at `last`; negative for a long nested one. */
function valueStartBack(bytes: Uint8Array, start: number, last: number): number {
  const byte = bytes[last];
  if (byte === quote) return stringStart(bytes, start, last - 1);
  if (byte === closeBrace || byte === closeBracket) return nestedStartBack(bytes, start, last);
  let at = last;
  while (at > start && bytes[at] !== colon && bytes[at]! > space) at--;
  return at > start ? at + 1 : -1;
}

function nestedStartBack(bytes: Uint8Array, start: number, last: number): number {
  let depth = 0;
  for (let at = last; at > start && last - at < shortNested; at--) {
    const byte = bytes[at];
    if (byte === quote) {
      at = stringStart(bytes, start, at - 1);
      if (at < 0) return -1;
    } else if (byte === closeBrace || byte === closeBracket) depth++;
    else if ((byte === openBrace || byte === openBracket) && --depth === 0) return at;
  }
  return -1;
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

/** The opening quote of the string whose text ends at `last`: the nearest unescaped one. */
function stringStart(bytes: Uint8Array, start: number, last: number): number {
  for (let at = last; at > start; at--) {
    if (bytes[at] !== quote) continue;
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return at;
    at -= slashes;
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
