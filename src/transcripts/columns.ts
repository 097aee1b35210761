// The readings of thousands of transcripts, as columns of numbers. A look at all transcripts needs only a few
// columns; building one object per transcript would take longer than all the rest.
//
// A reading comes out of the columns exactly as it went in. Facts are looked up field by field, on demand.

import { once } from "../base/once.js";
import { isSettled, type Reading, type Stamp } from "./scan/scan.js";
import type { Facts } from "./transcript.js";

export interface Columns {
  /** The row of a file's reading; undefined for an unknown file. */
  rowOf(path: string): number | undefined;
  /** Whether `difference` finds none, without an object per file. */
  isUnchanged(row: number, now: Stamp): boolean;
  facts(row: number): Readonly<Facts>;
  /** The whole reading, as plain data. */
  reading(row: number): Reading<Facts>;
}

export function packed(readings: ReadonlyMap<string, Reading<Facts>>): Buffer {
  const count = Buffer.alloc(countBytes);
  count.writeDoubleLE(readings.size);
  const numbers = new Float64Array(readings.size * width);
  const places = new Map<string, number>();
  const placeOf = (text: string) => {
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  };
  let at = 0;
  for (const [path, reading] of readings) {
    const { stamp, lookedAtMs, offset, headSum, tailSum, value, settled } = reading;
    numbers[at++] = placeOf(path);
    for (const field of stampFields) numbers[at++] = stamp[field];
    for (const each of [lookedAtMs, offset, headSum, tailSum]) numbers[at++] = each;
    numbers[at++] = settled === null ? nothing : placeOf(JSON.stringify(settled));
    for (const field of factFields) numbers[at++] = packedFact(value[field], codes[field], placeOf);
  }
  const texts = Buffer.from(JSON.stringify([...places.keys()]));
  return Buffer.concat([count, Buffer.from(numbers.buffer), texts]);
}

export function unpacked(bytes: Buffer): Columns {
  const count = bytes.readDoubleLE(0);
  const textsFrom = countBytes + count * width * Float64Array.BYTES_PER_ELEMENT;
  // A copy, because the numbers must be aligned.
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(countBytes, textsFrom)).buffer);
  const texts = JSON.parse(bytes.toString("utf8", textsFrom)) as string[];
  const facts = factsIn(numbers, texts);
  return {
    rowOf: rowFinder(count, (row) => texts[numbers[row * width]!]!),
    isUnchanged(row, now) {
      const at = row * width + stampAt;
      const modifiedAtMs = numbers[at + 2]!;
      const changedAtMs = numbers[at + 3]!;
      return (
        numbers[at] === now.inode &&
        numbers[at + 1] === now.sizeBytes &&
        modifiedAtMs === now.modifiedAtMs &&
        changedAtMs === now.changedAtMs &&
        isSettled(modifiedAtMs, changedAtMs, numbers[at + 5]!)
      );
    },
    facts,
    reading(row) {
      const at = row * width + stampAt;
      const stamp = stampFields.map((field, place) => [field, numbers[at + place]!]);
      const [lookedAtMs, offset, headSum, tailSum, settled] = numbers.subarray(at + stampFields.length);
      return {
        stamp: Object.fromEntries(stamp) as unknown as Stamp,
        lookedAtMs: lookedAtMs!,
        offset: offset!,
        headSum: headSum!,
        tailSum: tailSum!,
        value: plainFacts(facts(row)),
        settled: Number.isNaN(settled) ? null : JSON.parse(texts[settled!]!),
      };
    },
  };
}

/**
 * Files are found in the order of their rows while none is new. So the next row is tried first, and a table of all
 * paths is made only for a file that is not there.
 */
function rowFinder(count: number, pathOf: (row: number) => string): Columns["rowOf"] {
  const rows = once(() => new Map(Array.from({ length: count }, (_, row) => [pathOf(row), row])));
  let next = 0;
  return (path) => {
    const row = count > 0 && pathOf(next) === path ? next : rows().get(path);
    if (row !== undefined) next = (row + 1) % count;
    return row;
  };
}

/** The facts as a separate plain object, for comparing or copying. */
export function plainFacts(facts: Readonly<Facts>): Facts {
  return Object.fromEntries(factFields.map((field) => [field, facts[field]])) as unknown as Facts;
}

/** How a fact is stored as a number: directly, as the position of a text, or as the position of its JSON. */
type Code = "number" | "flag" | "text" | "json" | "list";

const codes: Readonly<Record<keyof Facts, Code>> = {
  title: "text",
  firstCwd: "text",
  lastCwd: "text",
  gitBranch: "text",
  version: "text",
  model: "text",
  askedModel: "text",
  modelChoice: "json",
  usedTokens: "number",
  usedAtMs: "number",
  isCompacted: "flag",
  largestTokens: "number",
  rootMessage: "text",
  isRooted: "flag",
  boundaries: "list",
  firstAtMs: "number",
  lastAtMs: "number",
  messages: "number",
  beginsWithClear: "flag",
  forkedFrom: "json",
  forkPointAtMs: "number",
  isCopying: "flag",
  behindCopiesAtMs: "number",
  startedAs: "text",
  member: "json",
  lastTurn: "json",
  writtenAs: "text",
  writtenAsAtMs: "number",
};

const factFields = Object.keys(codes) as (keyof Facts)[];
const stampFields = ["inode", "sizeBytes", "modifiedAtMs", "changedAtMs", "bornAtMs"] as const;
/** A row has: path, stamp, time of the look; offset, two sums, the settled value; facts. */
const [stampAt, factsAt] = [1, 11];
const width = factsAt + factFields.length;
const countBytes = 8;
const nothing = Number.NaN;

function packedFact(value: Facts[keyof Facts], code: Code, placeOf: (text: string) => number): number {
  if (value === null || (Array.isArray(value) && value.length === 0)) return nothing;
  if (code === "json" || code === "list") return placeOf(JSON.stringify(value));
  return code === "text" ? placeOf(value as string) : Number(value);
}

/**
 * A class with one getter per column: thousands of objects are made, and a literal with a prototype takes three
 * times as long.
 */
function factsIn(numbers: Float64Array, texts: readonly string[]): (row: number) => Readonly<Facts> {
  class Row {
    constructor(readonly from: number) {}
  }
  const readers: Record<Exclude<Code, "text">, (coded: number) => unknown> = {
    number: (coded) => (Number.isNaN(coded) ? null : coded),
    flag: (coded) => (Number.isNaN(coded) ? null : coded === 1),
    json: (place) => (Number.isNaN(place) ? null : JSON.parse(texts[place]!)),
    list: (place) => (Number.isNaN(place) ? [] : JSON.parse(texts[place]!)),
  };
  // Titles and folders of all transcripts are read. The position of a missing value has no text.
  const textAt = (at: number) =>
    function (this: Row) {
      return texts[numbers[this.from + at]!] ?? null;
    };
  const valueAt = (at: number, read: (coded: number) => unknown) =>
    function (this: Row) {
      return read(numbers[this.from + at]!);
    };
  for (const [at, field] of factFields.entries()) {
    const code = codes[field];
    Object.defineProperty(Row.prototype, field, {
      get: code === "text" ? textAt(at) : valueAt(at, readers[code]),
    });
  }
  return (row) => new Row(row * width + factsAt) as unknown as Facts;
}
