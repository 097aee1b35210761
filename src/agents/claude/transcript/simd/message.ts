// AssemblyScript. The message in one line, as ../chain-lines.ts finds it. A line in doubt is left to JavaScript.

import { blockAt } from "../../../../transcripts/scan/simd/memory";
import { find, memberStart } from "../../../../transcripts/scan/simd/outline";
import { closingQuote } from "../../../../transcripts/scan/simd/strings";
import { walk } from "../../../../transcripts/scan/simd/walk";
import { noTime, oddTime, timeAt } from "./time";

/** What a line is if it is no message. Of a message, the answer is the letter of its kind. */
const none: i32 = 0;
const inDoubt: i32 = 1;

/** The wanted members in ../chain-lines.ts. */
enum Place {
  type = 0,
  uuid = 1,
  timestamp = 2,
  isMeta = 3,
  model = 5,
  firstType = 7,
  count = 8,
}

/** Addresses: of the marks `,"type":` and `Meta"`, the table of members, and the places that the walk finds. */
let typeMark: usize = 0;
let metaMark: usize = 0;
let members: usize = 0;
let places: usize = 0;

export function openMessages(type: usize, meta: usize, wanted: usize, found: usize): void {
  typeMark = type;
  metaMark = meta;
  members = wanted;
  places = found;
}

/** Writes to `out`: the time, and where the text of the id begins and ends. */
export function message(from: i32, to: i32, out: usize): i32 {
  const typeAt = memberStart(typeMark, 8, from, to);
  if (typeAt < 0) return typeAt === -1 ? none : inDoubt;
  if (load<u8>(blockAt + typeAt) !== 0x22) return none;
  const typeEnd = <i32>(closingQuote(blockAt + typeAt + 1, blockAt + to) - blockAt) + 1;
  if (typeEnd <= 0 || hasEscape(typeAt, typeEnd)) return inDoubt;
  const isUser = isWord(typeAt, typeEnd, "user");
  const isSystem = isWord(typeAt, typeEnd, "system");
  if (!isUser && !isSystem && !isWord(typeAt, typeEnd, "assistant")) return none;

  const rest = walk(members, places, Place.count, 4, from, to);
  if (rest < 0 || find(metaMark, 5, rest, to) >= 0 || !isClosed(to)) return inDoubt;
  // Of a repeated type, a parser would take the last one.
  if (startOf(Place.type) !== typeAt) return inDoubt;
  const uuid = startOf(Place.uuid);
  if (uuid < 0 || load<u8>(blockAt + uuid) !== 0x22) return none;
  if (!isPlain(uuid, endOf(Place.uuid)) || isSpelled(Place.model) || isSpelled(Place.firstType))
    return inDoubt;
  const stamp = startOf(Place.timestamp);
  const isText = stamp >= 0 && load<u8>(blockAt + stamp) === 0x22;
  const time = isText ? timeAt(blockAt + stamp + 1, blockAt + endOf(Place.timestamp) - 1) : noTime;
  if (time === oddTime) return inDoubt;
  store<f64>(out, time);
  store<i32>(out, uuid + 1, 8);
  store<i32>(out, endOf(Place.uuid) - 1, 12);
  return isSystem ? Kind.note : kindOf(isUser);
}

/** The letters of `Chain.kinds`. */
enum Kind {
  answer = 0x61,
  client = 0x63,
  note = 0x6e,
  prompt = 0x70,
}

function kindOf(isUser: bool): i32 {
  const isMeta = startOf(Place.isMeta);
  // The only value of four letters that begins with a t.
  if (isMeta >= 0 && load<u8>(blockAt + isMeta) === 0x74) return Kind.client;
  if (is(Place.model, "<synthetic>")) return Kind.client;
  return isUser && !is(Place.firstType, "tool_result") ? Kind.prompt : Kind.answer;
}

/** A record that was cut off, by a crash, does not count. */
function isClosed(to: i32): bool {
  let last = blockAt + to - 1;
  while (load<u8>(last) <= 0x20) last--;
  return load<u8>(last) === 0x7d;
}

function is(place: i32, word: string): bool {
  return startOf(place) >= 0 && isWord(startOf(place), endOf(place), word);
}

function isSpelled(place: i32): bool {
  return (
    startOf(place) >= 0 &&
    load<u8>(blockAt + startOf(place)) === 0x22 &&
    hasEscape(startOf(place), endOf(place))
  );
}

/** Whether the value from `start` to `end` is this string. */
function isWord(start: i32, end: i32, word: string): bool {
  if (end - start - 2 !== word.length || load<u8>(blockAt + start) !== 0x22) return false;
  for (let at = 0; at < word.length; at++) {
    if (load<u8>(blockAt + start + 1 + at) !== <u8>word.charCodeAt(at)) return false;
  }
  return true;
}

/** Whether it is ASCII without escapes. */
function isPlain(start: i32, end: i32): bool {
  for (let at = start; at < end; at++) {
    const byte = load<u8>(blockAt + at);
    if (byte === 0x5c || byte >= 0x80) return false;
  }
  return true;
}

function hasEscape(start: i32, end: i32): bool {
  for (let at = start; at < end; at++) if (load<u8>(blockAt + at) === 0x5c) return true;
  return false;
}

function startOf(place: i32): i32 {
  return load<i32>(places + ((<usize>place) << 2));
}

function endOf(place: i32): i32 {
  return load<i32>(places + ((<usize>(Place.count + place)) << 2));
}
