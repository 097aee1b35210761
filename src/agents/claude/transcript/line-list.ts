// Some lines of a block, in order. A block has thousands of them, and only a few become objects: those that a fact is
// read from.

import { type Line, lineAt } from "./line.js";

export interface LineList {
  length: number;
  clear(): void;
  /** `tokensBound` is an upper bound of the tokens it used, if it is an answer. */
  add(start: number, end: number, type: number, tokensBound: number): void;
  /** The same object each time. */
  at(place: number): Line;
  typeAt(place: number): number;
  tokensBound(place: number): number;
}

export function newLineList(): LineList {
  let numbers = new Float64Array(4 * 256);
  const lines = new Map<number, Line>();
  return {
    length: 0,
    clear() {
      this.length = 0;
      lines.clear();
    },
    add(start, end, type, tokensBound) {
      const at = 4 * this.length++;
      if (at === numbers.length) numbers = grown(numbers);
      numbers[at] = start;
      numbers[at + 1] = end;
      numbers[at + 2] = type;
      numbers[at + 3] = tokensBound;
    },
    at(place) {
      const known = lines.get(place);
      if (known !== undefined) return known;
      const at = 4 * place;
      const line = lineAt(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
      lines.set(place, line);
      return line;
    },
    typeAt: (place) => numbers[4 * place + 2]!,
    tokensBound: (place) => numbers[4 * place + 3]!,
  };
}

function grown(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
