// Finds members of one JSON line by a walk over its bytes, behind and inside nested values too: a parser would take
// ten times as long, and nearly all of it for text that nobody asked for.
//
// - A member counts by its path, never by text that looks like it. Of a repeated member the last one counts.
// - Strings are passed four bytes at a time, or 16 in the block of simd-block.ts: nearly all bytes of a transcript are
//   in strings.
// - Lines that need a parser are refused: keys with escapes, and everything that is not JSON as far as brackets,
//   strings and separators show.
// - A walk can stop at the last of the outermost members that every record has: half of a tool's record is a second
//   copy of its result.

import {
  backslash,
  closeBrace,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  role,
  roles,
  space,
} from "./json-bytes.js";
import { type Simd, simdOf } from "./simd-block.js";
import { type SimdWalk, simdWalk } from "./simd-walk.js";
import { hasByte, type Words, wordsOf } from "./words.js";

/** The wanted members of an object. `[…]` are those of the first element of an array. */
export interface Wanted {
  readonly [key: string]: null | Wanted | readonly [Wanted];
}

/** The values of the wanted members, numbered in the order in which they are written down. */
export interface Walk {
  /** Where the walk stopped; -1 if the line needs a parser: the places are then meaningless. */
  walk(bytes: Buffer, from: number, to: number): number;
  /** Where each value begins; -1 for a missing one. */
  starts: Int32Array;
  /** The position after it. */
  ends: Int32Array;
  /** The same walk for functions of simd/. */
  inSimd(simd: Simd): SimdWalk;
}

/** With `until`, the walk stops when it has all of these members of the outermost object. */
export function openWalk(wanted: Wanted, until: readonly string[] = []): Walk {
  const members: Member[] = [];
  const outermost = membersOf(wanted, members);
  const starts = new Int32Array(members.length);
  const ends = new Int32Array(members.length);
  const cursor: Cursor = { bytes: Buffer.alloc(0), words: new Int32Array(0), shift: 0, to: 0, starts, ends };
  const ending = outermost.filter(({ key }) => until.includes(key.toString())).map(({ place }) => place);
  let faster: SimdWalk | null = null;
  const inSimd = (simd: Simd) => {
    faster ??= simdWalk(simd, { members, outermost, ending, starts, ends });
    return faster;
  };
  const walk = (bytes: Buffer, from: number, to: number): number => {
    const simd = simdOf(bytes);
    if (simd !== null) return inSimd(simd).walk(from, to);
    const { words, shift } = wordsOf(bytes);
    cursor.bytes = bytes;
    cursor.words = words;
    cursor.shift = shift;
    cursor.to = to;
    for (let place = 0; place < starts.length; place++) starts[place] = -1;
    const at = skipSpace(bytes, from, to);
    if (at >= to || bytes[at] !== openBrace) return -1;
    const end = walkObject(cursor, at + 1, outermost, ending);
    if (end < 0 || ending.length > 0) return end;
    return skipSpace(bytes, end, to) >= to ? end : -1;
  };
  return { walk, starts, ends, inSimd };
}

/** The same walk for every line: a position is valid in the line that was walked last. */
interface Cursor {
  bytes: Buffer;
  words: Words["words"];
  shift: number;
  to: number;
  starts: Int32Array;
  ends: Int32Array;
}

export interface Member {
  key: Buffer;
  place: number;
  /** The place after its own members. */
  next: number;
  inside: readonly Member[] | null;
  /** Its own members are those of the first element of an array. */
  isFirst: boolean;
}

function membersOf(wanted: Wanted, all: Member[]): Member[] {
  return Object.entries(wanted).map(([key, value]) => {
    const member: Member = {
      key: Buffer.from(key),
      place: all.length,
      next: 0,
      inside: null,
      isFirst: Array.isArray(value),
    };
    all.push(member);
    if (value !== null) member.inside = membersOf(Array.isArray(value) ? value[0] : value, all);
    member.next = all.length;
    return member;
  });
}

/**
 * `from` is behind the opening brace. Returns the position behind the closing one, or behind the member that ends the
 * walk; negative if it is refused.
 */
function walkObject(
  cursor: Cursor,
  from: number,
  wanted: readonly Member[],
  ending: readonly number[] = none,
): number {
  const { bytes, to, starts } = cursor;
  let at = skipSpace(bytes, from, to);
  if (at < to && bytes[at] === closeBrace) return at + 1;
  for (;;) {
    if (at >= to || bytes[at] !== quote) return -1;
    const keyEnd = plainEnd(bytes, at + 1, to);
    if (keyEnd < 0) return -1;
    const member = memberOf(bytes, at + 1, keyEnd, wanted);
    at = skipSpace(bytes, keyEnd + 1, to);
    if (at >= to || bytes[at] !== colon) return -1;
    at = skipSpace(bytes, at + 1, to);
    at = member === null ? skipValue(cursor, at) : walkMember(cursor, at, member);
    if (at < 0) return -1;
    if (member !== null && ending.length > 0 && ending.every((place) => starts[place] !== -1)) return at;
    at = skipSpace(bytes, at, to);
    if (at >= to) return -1;
    if (bytes[at] === closeBrace) return at + 1;
    if (bytes[at] !== comma) return -1;
    at = skipSpace(bytes, at + 1, to);
  }
}

const none: readonly number[] = [];

function walkMember(cursor: Cursor, at: number, { place, next, inside, isFirst }: Member): number {
  const { bytes, starts, ends } = cursor;
  for (let inner = place; inner < next; inner++) starts[inner] = -1;
  starts[place] = at;
  let end = -1;
  if (inside === null) end = skipValue(cursor, at);
  else if (isFirst) end = walkArray(cursor, at, inside);
  else end = bytes[at] === openBrace ? walkObject(cursor, at + 1, inside) : skipValue(cursor, at);
  ends[place] = end;
  return end;
}

function walkArray(cursor: Cursor, at: number, inside: readonly Member[]): number {
  const { bytes, to } = cursor;
  if (bytes[at] !== openBracket) return skipValue(cursor, at);
  const first = skipSpace(bytes, at + 1, to);
  if (first >= to || bytes[first] !== openBrace) return skipNested(cursor, first, 1);
  const end = walkObject(cursor, first + 1, inside);
  return end < 0 ? -1 : skipNested(cursor, end, 1);
}

function memberOf(bytes: Buffer, from: number, to: number, wanted: readonly Member[]): Member | null {
  for (const member of wanted) {
    const { key } = member;
    if (key.length !== to - from) continue;
    let at = 0;
    while (at < key.length && key[at] === bytes[from + at]) at++;
    if (at === key.length) return member;
  }
  return null;
}

/** The closing quote of a key; negative if it has an escape, or is not closed. */
function plainEnd(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) return -1;
  }
  return -1;
}

/** The position behind the value at `at`; negative if there is none. */
function skipValue(cursor: Cursor, at: number): number {
  const { bytes, to } = cursor;
  if (at >= to) return -1;
  const byte = bytes[at]!;
  if (byte === quote) return stringEnd(cursor, at + 1);
  if (byte === openBrace || byte === openBracket) return skipNested(cursor, at + 1, 1);
  let end = at;
  while (end < to && roles[bytes[end]!] === role.plain) end++;
  return end > at ? end : -1;
}

function skipNested(cursor: Cursor, from: number, open: number): number {
  const { bytes, to } = cursor;
  let depth = open;
  for (let at = from; at < to; ) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at = stringEnd(cursor, at + 1);
      if (at < 0) return -1;
      continue;
    }
    const found = roles[byte];
    at++;
    if (found === role.opens) depth++;
    else if (found === role.closes) {
      if (--depth === 0) return at;
    } else if (found === role.refused) return -1;
  }
  return -1;
}

/** The position behind the closing quote of the string whose text begins at `from`; negative if it is not closed. */
function stringEnd({ bytes, words, shift, to }: Cursor, from: number): number {
  for (let at = from; at < to; ) {
    let stop = at + (-(at - shift) & 3);
    if (stop === at) {
      let word = (at - shift) >> 2;
      const last = (to - shift) >> 2;
      while (word < last && !hasByte(words[word]!, quotes)) word++;
      at = (word << 2) + shift;
      stop = at + 4;
    }
    for (; at < stop; at++) {
      if (bytes[at] === quote && !isEscaped(bytes, from, at)) return at < to ? at + 1 : -1;
    }
  }
  return -1;
}

const quotes = 0x22222222;

function isEscaped(bytes: Buffer, from: number, at: number): boolean {
  let slashes = 0;
  while (at - slashes > from && bytes[at - 1 - slashes] === backslash) slashes++;
  return slashes % 2 === 1;
}

function skipSpace(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at]! <= space) at++;
  return at;
}
