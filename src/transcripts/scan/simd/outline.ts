// AssemblyScript. The searches of ../outline.ts.

import { blockAt } from "./memory";
import { closingQuote, skipSpace } from "./strings";

/**
 * The position of the mark in the block; -1 if it is not there. Of 16 positions at a time, those with the first and
 * the last byte of the mark are compared as a whole.
 */
export function find(mark: usize, length: usize, from: i32, to: i32): i32 {
  const found = findMark(mark, length, blockAt + from, blockAt + to);
  return found === 0 ? -1 : <i32>(found - blockAt);
}

/** As in ../outline.ts. */
const other: i32 = -1;
const undecided: i32 = -2;

/**
 * Where the value of a member of the outermost object begins: searched in front of its first nested value, and behind
 * its last one. `mark` is the key with its quotes, between a comma and a colon.
 */
export function memberStart(mark: usize, length: usize, from: i32, to: i32): i32 {
  const end = blockAt + to;
  const start = skipSpace(blockAt + from, end);
  if (start >= end || load<u8>(start) !== 0x7b) return other;
  const front = fromFront(start + 1, end, mark + 2, length - 4);
  if (front !== undecided) return front;
  let close = end - 1;
  while (close > start && load<u8>(close) <= 0x20) close--;
  if (load<u8>(close) !== 0x7d) return other;
  const last = findMark(mark, length, flatFrom(start, close), close);
  if (last === 0) return undecided;
  return <i32>(last + length - blockAt);
}

function fromFront(from: usize, to: usize, key: usize, length: usize): i32 {
  let at = skipSpace(from, to);
  while (true) {
    const keyEnd: usize = load<u8>(at) === 0x22 ? closingQuote(at + 1, to) : 0;
    const value: usize = keyEnd === 0 ? 0 : valueStart(keyEnd + 1, to);
    if (value === 0) return load<u8>(at) === 0x7d ? other : undecided;
    if (keyEnd - at - 1 === length && memory.compare(at + 1, key, length) === 0)
      return <i32>(value - blockAt);
    const byte = load<u8>(value);
    if (byte === 0x7b || byte === 0x5b || hasEscape(at + 1, keyEnd)) return undecided;
    at = nextMember(valueEnd(value, to), to);
  }
}

/** The beginning of the part before `to` that has no bracket. */
function flatFrom(from: usize, to: usize): usize {
  const braces = i8x16.splat(0x7b);
  const closing = i8x16.splat(0x7d);
  const bit = i8x16.splat(0x20);
  let at = to;
  for (; at >= from + 16; at -= 16) {
    // Square brackets become braces.
    const bytes = v128.or(v128.load(at - 16), bit);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, braces), i8x16.eq(bytes, closing)));
    if (found !== 0) return at - 16 + (32 - clz(found));
  }
  while (at > from) {
    const byte = load<u8>(at - 1) | 0x20;
    if (byte === 0x7b || byte === 0x7d) return at;
    at--;
  }
  return from;
}

function valueStart(from: usize, to: usize): usize {
  const at = skipSpace(from, to);
  return load<u8>(at) === 0x3a ? skipSpace(at + 1, to) : 0;
}

/** The position after the value that begins at `from`; 0 if the line ends inside it. */
function valueEnd(from: usize, to: usize): usize {
  if (load<u8>(from) === 0x22) {
    const end = closingQuote(from + 1, to);
    return end === 0 ? 0 : end + 1;
  }
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = load<u8>(at);
    const brace = byte | 0x20;
    if (byte === 0x22) {
      at = closingQuote(at + 1, to);
      if (at === 0) return 0;
    } else if (brace === 0x7b) depth++;
    else if (brace === 0x7d) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (byte === 0x2c && depth === 0) return at;
  }
  return 0;
}

function nextMember(end: usize, to: usize): usize {
  if (end === 0) return to;
  const at = skipSpace(end, to);
  return load<u8>(at) === 0x2c ? skipSpace(at + 1, to) : at;
}

function hasEscape(from: usize, to: usize): bool {
  for (let at = from; at < to; at++) if (load<u8>(at) === 0x5c) return true;
  return false;
}

function findMark(mark: usize, length: usize, from: usize, to: usize): usize {
  const last = length - 1;
  const firstBytes = i8x16.splat(load<u8>(mark));
  const lastBytes = i8x16.splat(load<u8>(mark + last));
  for (let at = from; at + last < to; at += 16) {
    const isFirst = i8x16.eq(v128.load(at), firstBytes);
    const isLast = i8x16.eq(v128.load(at + last), lastBytes);
    for (let left = i8x16.bitmask(v128.and(isFirst, isLast)); left !== 0; left &= left - 1) {
      const start = at + ctz(left);
      if (start + last >= to) return 0;
      if (memory.compare(start, mark, length) === 0) return start;
    }
  }
  return 0;
}
