// A search text, and the bytes that a line of JSON must have to contain it.
//
// - Without a capital letter the query ignores case; with one it matches exactly.
// - Text that matches has one of the query's marks in the bytes of its line, however JSON spells quotes, line breaks
//   and letters beyond ASCII. Plain letters and digits written as escapes are not found; no known program writes
//   them.

import { limits } from "../../limits.js";

export interface Query {
  text: string;
  isCaseSensitive: boolean;
  /** Finds the query in text; global. */
  pattern: RegExp;
  /** Every line with the query contains one of them. */
  marks: readonly Mark[];
}

/** The position of the mark in `bytes[from, to)`; negative if it is not there. */
export type Mark = (bytes: Buffer, from: number, to: number) => number;

export function openQuery(text: string): Query {
  const isCaseSensitive = text !== text.toLowerCase();
  // Without `u` no letter beyond ASCII is folded into an ASCII one, so marks of plain letters miss nothing.
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), isCaseSensitive ? "g" : "gi");
  const spellings = spellingsOf(text, isCaseSensitive);
  return { text, isCaseSensitive, pattern, marks: spellings.map((each) => markOf(each, isCaseSensitive)) };
}

interface Spelling {
  bytes: Buffer;
  /** Hexadecimal digits may be in either case. */
  isEscape: boolean;
}

function spellingsOf(text: string, isCaseSensitive: boolean): Spelling[] {
  // Some programs escape these without need: `/`, `<`, `>`, `&`, `'`.
  const runs = text.match(/[ !#-%(-.0-;=?-[\]-~]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  const other = /[^ !#-%(-.0-;=?-[\]-~]/u.exec(text)?.[0];
  if (other === undefined || longest.length >= limits.searchMarkLength) {
    return [{ bytes: Buffer.from(longest), isEscape: false }];
  }
  return (isCaseSensitive ? [other] : caseVariants(other)).flatMap(charSpellings);
}

/** Everything that the pattern takes for the same letter: Greek has three sigmas, and a micro sign is a mu. */
function caseVariants(char: string): string[] {
  const upper = char.toUpperCase();
  if (char.length > 1 || (upper === char && char.toLowerCase() === char)) return [char];
  const found: string[] = [];
  for (let code = 0x80; code <= 0xffff; code++) {
    const each = String.fromCharCode(code);
    if (each === char || each.toUpperCase() === upper) found.push(each);
  }
  return found;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Every JSON spelling of one character. */
function charSpellings(char: string): Spelling[] {
  const long = `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const mustEscape = /["\\\u0000-\u001f]/.test(char);
  return [
    ...(mustEscape ? [] : [{ bytes: Buffer.from(char), isEscape: false }]),
    ...(shortEscapes[char] ? [{ bytes: Buffer.from(shortEscapes[char]), isEscape: false }] : []),
    { bytes: Buffer.from(long), isEscape: true },
  ];
}

function markOf({ bytes: mark, isEscape }: Spelling, isCaseSensitive: boolean): Mark {
  const hasCase = mark.some((byte) => byte !== swappedCase(byte));
  if (hasCase && (isEscape || !isCaseSensitive)) return foldedMark(mark);
  return (bytes, from, to) => {
    const at = bytes.indexOf(mark, from);
    return at >= 0 && at + mark.length <= to ? at : -1;
  };
}

/** For ASCII letters in either case. Horspool: the byte under the mark's end gives the distance to the next try. */
function foldedMark(mark: Buffer): Mark {
  const last = mark.length - 1;
  const swapped = mark.map(swappedCase);
  const shifts = new Int32Array(256).fill(mark.length);
  for (let at = 0; at < last; at++) shifts[mark[at]!] = shifts[swapped[at]!] = last - at;
  // Zero ends the inner loop, which only steps: nearly all time is spent there.
  shifts[mark[last]!] = shifts[swapped[last]!] = 0;
  return (bytes, from, to) => {
    for (let end = from + last; ; end++) {
      for (let shift = -1; end < to && shift !== 0; end += shift) shift = shifts[bytes[end]!]!;
      if (end >= to) return -1;
      let at = 0;
      for (let byte = bytes[end - last]; at < last && (byte === mark[at] || byte === swapped[at]); ) {
        byte = bytes[end - last + ++at];
      }
      if (at === last) return end - last;
    }
  };
}

function swappedCase(byte: number): number {
  const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
  return isLetter ? byte ^ 0x20 : byte;
}
