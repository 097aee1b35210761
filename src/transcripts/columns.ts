// The readings of thousands of transcripts, as columns of numbers. A look at all transcripts needs only a few
// columns; building one object per transcript would take longer than all the rest.
//
// A reading comes out of the columns exactly as it went in. Facts are looked up field by field, on demand.

import type { Reading, Seen } from "./scan/scan.js";
import type { Facts } from "./transcript.js";

export interface Columns {
  /** The row of a file's reading; undefined for an unknown file. */
  rowOf(path: string): number | undefined;
  seen(row: number): Seen;
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
  const rows = new Map<string, number>();
  for (let row = 0; row < count; row++) rows.set(texts[numbers[row * width]!]!, row);
  const facts = factsIn(numbers, texts);
  const seen = (row: number): Seen => {
    const at = row * width + stampAt;
    const stamp = {
      inode: numbers[at]!,
      sizeBytes: numbers[at + 1]!,
      modifiedAtMs: numbers[at + 2]!,
      changedAtMs: numbers[at + 3]!,
      bornAtMs: numbers[at + 4]!,
    };
    return { stamp, lookedAtMs: numbers[at + 5]! };
  };
  return {
    rowOf: (path) => rows.get(path),
    seen,
    facts,
    reading(row) {
      const [offset, headSum, tailSum, settled] = numbers.subarray(row * width + restAt);
      return {
        ...seen(row),
        offset: offset!,
        headSum: headSum!,
        tailSum: tailSum!,
        value: plainFacts(facts(row)),
        settled: Number.isNaN(settled) ? null : JSON.parse(texts[settled!]!),
      };
    },
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
const [stampAt, restAt, factsAt] = [1, 7, 11];
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
