// AssemblyScript. The walk of ../walk.ts, function by function, and with the same answer for every line.
//
// 0 stands for "refused" where ../walk.ts has a negative position: no position in the block has this address.

import { blockAt, rolesAt } from "./memory";
import { closingQuote, skipSpace } from "./strings";

/** A wanted member. JavaScript writes the table of members, with 0 for "none". */
@unmanaged
class Member {
  key: usize;
  keyLength: usize;
  place: u32;
  /** The place after its own members. */
  next: u32;
  /** The first of the members of the same object that follow. */
  sibling: Member | null;
  /** The first of its own members. */
  inside: Member | null;
  /** Its own members are those of the first element of an array. */
  isFirst: u32;
  /** The walk stops when it has all of these. */
  isEnding: u32;
}

/** Of the line that is being walked. */
let lineEnd: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
/** How many members the walk still needs before it stops. */
let missing: i32 = 0;

/** `places` is the address of all starts, followed by all ends. */
export function walk(members: usize, places: usize, count: i32, endings: i32, from: i32, to: i32): i32 {
  starts = places;
  ends = places + ((<usize>count) << 2);
  lineEnd = blockAt + to;
  missing = endings;
  memory.fill(starts, 0xff, (<usize>count) << 2);
  const open = skipSpace(blockAt + from, lineEnd);
  if (open >= lineEnd || load<u8>(open) !== 0x7b) return -1;
  const end = walkObject(open + 1, changetype<Member>(members), endings > 0);
  if (end === 0) return -1;
  if (endings > 0 || skipSpace(end, lineEnd) >= lineEnd) return <i32>(end - blockAt);
  return -1;
}

function walkObject(from: usize, wanted: Member, mayStop: bool): usize {
  let at = skipSpace(from, lineEnd);
  if (at < lineEnd && load<u8>(at) === 0x7d) return at + 1;
  while (true) {
    if (at >= lineEnd || load<u8>(at) !== 0x22) return 0;
    const keyEnd = plainEnd(at + 1);
    if (keyEnd === 0) return 0;
    const member = memberOf(at + 1, keyEnd, wanted);
    at = skipSpace(keyEnd + 1, lineEnd);
    if (at >= lineEnd || load<u8>(at) !== 0x3a) return 0;
    at = skipSpace(at + 1, lineEnd);
    if (member === null) at = skipValue(at);
    else {
      if (member.isEnding && startOf(member.place) === -1) missing--;
      at = walkMember(at, member);
    }
    if (at === 0) return 0;
    if (mayStop && missing === 0) return at;
    at = skipSpace(at, lineEnd);
    if (at >= lineEnd) return 0;
    const byte = load<u8>(at);
    if (byte === 0x7d) return at + 1;
    if (byte !== 0x2c) return 0;
    at = skipSpace(at + 1, lineEnd);
  }
}

function walkMember(at: usize, member: Member): usize {
  for (let place = member.place; place < member.next; place++) setStart(place, -1);
  setStart(member.place, <i32>(at - blockAt));
  const inside = member.inside;
  let end: usize = 0;
  if (inside === null) end = skipValue(at);
  else if (member.isFirst) end = walkArray(at, inside);
  else end = at < lineEnd && load<u8>(at) === 0x7b ? walkObject(at + 1, inside, false) : skipValue(at);
  store<i32>(ends + (member.place << 2), <i32>(end - blockAt));
  return end;
}

function walkArray(at: usize, inside: Member): usize {
  if (at >= lineEnd || load<u8>(at) !== 0x5b) return skipValue(at);
  const first = skipSpace(at + 1, lineEnd);
  if (first >= lineEnd || load<u8>(first) !== 0x7b) return skipNested(first, 1);
  const end = walkObject(first + 1, inside, false);
  return end === 0 ? 0 : skipNested(end, 1);
}

function startOf(place: u32): i32 {
  return load<i32>(starts + (place << 2));
}

function setStart(place: u32, position: i32): void {
  store<i32>(starts + (place << 2), position);
}

function memberOf(from: usize, to: usize, wanted: Member): Member | null {
  for (let member: Member | null = wanted; member !== null; member = member.sibling) {
    if (member.keyLength === to - from && memory.compare(member.key, from, to - from) === 0) return member;
  }
  return null;
}

function plainEnd(from: usize): usize {
  for (let at = from; at < lineEnd; at++) {
    const byte = load<u8>(at);
    if (byte === 0x22) return at;
    if (byte === 0x5c) return 0;
  }
  return 0;
}

function skipValue(at: usize): usize {
  if (at >= lineEnd) return 0;
  const byte = load<u8>(at);
  if (byte === 0x22) return stringEnd(at + 1);
  if (byte === 0x7b || byte === 0x5b) return skipNested(at + 1, 1);
  let end = at;
  while (end < lineEnd && roleOf(end) === Role.plain) end++;
  return end > at ? end : 0;
}

function skipNested(from: usize, open: i32): usize {
  let depth = open;
  for (let at = from; at < lineEnd; ) {
    if (load<u8>(at) === 0x22) {
      at = stringEnd(at + 1);
      if (at === 0) return 0;
      continue;
    }
    const role = roleOf(at);
    at++;
    if (role === Role.opens) depth++;
    else if (role === Role.closes) {
      if (--depth === 0) return at;
    } else if (role === Role.refused) return 0;
  }
  return 0;
}

function stringEnd(from: usize): usize {
  const quote = closingQuote(from, lineEnd);
  return quote === 0 ? 0 : quote + 1;
}

/** As in ../walk.ts. */
enum Role {
  refused = 0,
  plain = 1,
  opens = 2,
  closes = 3,
  between = 4,
}

function roleOf(at: usize): u8 {
  return load<u8>(rolesAt + load<u8>(at));
}
