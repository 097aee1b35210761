// The messages of a Claude transcript, from its lines: their ids, times and kinds. No record is parsed, except one
// whose bytes leave a doubt.

import { backslash, closeBrace, quote, space } from "../../../transcripts/scan/json-bytes.js";
import { markFinder } from "../../../transcripts/scan/outline.js";
import { type Simd, simdOf } from "../../../transcripts/scan/simd-block.js";
import { openWalk } from "../../../transcripts/scan/walk.js";
import type { Chain } from "../../../transcripts/transcript.js";
import { type Json, objectOrNull, timeMs } from "../../record.js";
import { isMessage, type Line, lineAt, lineEnd, lineTypes, parse, typeOf, typeWord } from "./line.js";

export function addChain(chain: Chain, bytes: Buffer, from: number, to: number): void {
  const simd = simdOf(bytes);
  if (simd !== null) faster ??= simdMessages(simd);
  for (let start = from; start < to; ) {
    const end = lineEnd(bytes, start, to);
    const isAdded = simd !== null && faster!(chain, bytes, start, end);
    if (!isAdded) addLine(chain, bytes, start, end);
    start = end + 1;
  }
}

function addLine(chain: Chain, bytes: Buffer, start: number, end: number): void {
  const line = lineAt(start, end, typeOf(bytes, start, end));
  if ((isMessage(line) || line.type === lineTypes.system) && !addByBytes(chain, bytes, line)) {
    addParsed(chain, parse(bytes, line));
  }
}

const wanted = {
  type: null,
  uuid: null,
  timestamp: null,
  isMeta: null,
  message: { model: null, content: [{ type: null }] },
} as const;
const [type, uuid, timestamp, isMeta, , model, , firstType] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const { walk, starts, ends, inSimd } = openWalk(wanted, ["type", "uuid", "timestamp", "message"]);
const metaMark = Buffer.from('Meta"');
/** The client writes `isMeta` earlier than the part that is not walked. */
const findMeta = markFinder(metaMark);

/** Of simd/message.ts. */
interface MessageFunctions {
  openMessages(typeMark: number, metaMark: number, members: number, places: number): void;
  message(from: number, to: number, out: number): number;
}

/** Adds the message of a line, if it has one; false if the line is in doubt. */
type AddMessage = (chain: Chain, bytes: Buffer, start: number, end: number) => boolean;

/** Null until the first block. */
let faster: AddMessage | null = null;

function simdMessages(simd: Simd): AddMessage {
  const { openMessages, message } = simd.functions as unknown as MessageFunctions;
  const { first, places } = inSimd(simd);
  openMessages(simd.keep(Buffer.from(',"type":')), simd.keep(metaMark), first, places);
  const out = simd.keep(new Uint8Array(16));
  const [time, id] = [new Float64Array(simd.memory, out, 1), new Int32Array(simd.memory, out + 8, 2)];
  return (chain, bytes, start, end) => {
    const kind = message(start, end, out);
    if (kind <= 1) return kind === 0;
    chain.messages.push(bytes.toString("latin1", id[0], id[1]));
    chain.timesMs.push(time[0]! > latestMs ? null : time[0]!);
    chain.kinds += String.fromCharCode(kind);
    return true;
  };
}

/** A larger number stands for a record without a time. */
const latestMs = 1e15;

/** False if the line needs a parser. */
function addByBytes(chain: Chain, bytes: Buffer, line: Line): boolean {
  const rest = walk(bytes, line.start, line.end);
  if (rest < 0 || findMeta(bytes, rest, line.end) >= 0 || !isClosed(bytes, line.end)) return false;
  if (hasText(bytes, type, typeWord(line)) !== "yes") return false;
  if (starts[uuid] === -1 || bytes[starts[uuid]!] !== quote) return true;
  if (isSpelled(bytes, starts[uuid]!, ends[uuid]!)) return false;
  if (starts[timestamp] !== -1 && isSpelled(bytes, starts[timestamp]!, ends[timestamp]!)) return false;
  const kind = kindByBytes(bytes, line.type);
  if (kind === null) return false;
  chain.messages.push(bytes.toString("utf8", starts[uuid]! + 1, ends[uuid]! - 1));
  chain.timesMs.push(timeByBytes(bytes));
  chain.kinds += kind;
  return true;
}

/** A record that was cut off, by a crash, does not count. */
function isClosed(bytes: Buffer, end: number): boolean {
  let last = end - 1;
  while (bytes[last]! <= space) last--;
  return bytes[last] === closeBrace;
}

/** Null if it needs a parser. */
function kindByBytes(bytes: Buffer, lineType: number): string | null {
  if (lineType === lineTypes.system) return "n";
  const isSynthetic = hasText(bytes, model, "<synthetic>");
  const isResult = hasText(bytes, firstType, "tool_result");
  if (isSynthetic === "unclear" || isResult === "unclear") return null;
  const at = starts[isMeta]!;
  // The only value of four letters that begins with a t.
  if ((at !== -1 && bytes[at] === letterT) || isSynthetic === "yes") return "c";
  return lineType === lineTypes.user && isResult === "no" ? "p" : "a";
}

const letterT = 0x74;

/** Whether a value is this string; unclear if it is spelled with escapes. */
function hasText(bytes: Buffer, place: number, text: string): "yes" | "no" | "unclear" {
  const [start, end] = [starts[place]!, ends[place]!];
  if (start === -1 || bytes[start] !== quote) return "no";
  if (isSpelled(bytes, start, end)) return "unclear";
  if (end - start - 2 !== text.length) return "no";
  for (let at = 0; at < text.length; at++) if (bytes[start + 1 + at] !== text.charCodeAt(at)) return "no";
  return "yes";
}

function isSpelled(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return true;
  return false;
}

function timeByBytes(bytes: Buffer): number | null {
  const [start, end] = [starts[timestamp]!, ends[timestamp]!];
  if (start === -1 || bytes[start] !== quote) return null;
  return plainTime(bytes, start + 1, end - 1) ?? timeMs(bytes.toString("utf8", start + 1, end - 1));
}

/** `2026-11-18T04:06:26.289Z`, as the client writes it; null for any other form. */
function plainTime(bytes: Buffer, start: number, end: number): number | null {
  if (end - start !== form.length) return null;
  for (let at = 0; at < form.length; at++) {
    const byte = bytes[start + at]!;
    const isFitting = form[at] === digit ? byte >= digit && byte <= 0x39 : byte === form[at];
    if (!isFitting) return null;
  }
  const two = (at: number) => (bytes[start + at]! - digit) * 10 + bytes[start + at + 1]! - digit;
  const [century, month, day, hours, minutes, seconds] = [two(0), two(5), two(8), two(11), two(14), two(17)];
  // Days that a month does not have, the 24th hour and the first century are left to the parser.
  if (
    century < 1 ||
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > 28 ||
    hours > 23 ||
    minutes > 59 ||
    seconds > 59
  )
    return null;
  const ms = (bytes[start + 20]! - digit) * 100 + two(21);
  return Date.UTC(century * 100 + two(2), month - 1, day, hours, minutes, seconds, ms);
}

const digit = 0x30;
const form = Buffer.from("0000-00-00T00:00:00.000Z");

function addParsed(chain: Chain, json: Json | null): void {
  if (json === null || typeof json.uuid !== "string") return;
  chain.messages.push(json.uuid);
  chain.timesMs.push(timeMs(json.timestamp));
  chain.kinds += kindOf(json);
}

function kindOf(json: Json): string {
  if (json.type === "system") return "n";
  const message = objectOrNull(json.message);
  if (json.isMeta === true || message?.model === "<synthetic>") return "c";
  const content = message?.content;
  const isResult = Array.isArray(content) && objectOrNull(content[0])?.type === "tool_result";
  return json.type === "user" && !isResult ? "p" : "a";
}
