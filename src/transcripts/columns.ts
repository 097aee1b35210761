// The readings of thousands of transcripts, as columns of numbers. A look at all transcripts needs only a few
// columns; building one object per transcript would take longer than all the rest.
//
// A reading comes out of the columns exactly as it went in. Facts are looked up field by field, on demand.

import { once } from "../base/once.js";
import { limits } from "../limits.js";
import { isSettled, type Reading, type Stamp } from "./scan/scan.js";
import { packedTexts, unpackedTexts } from "./texts.js";
import type { Facts } from "./transcript.js";

export interface Columns {
  /** The row of a file's reading; undefined for an unknown file. */
  rowOf(path: string): number | undefined;
  /** In the order of the rows. */
  paths(): string[];
  /** Whether `difference` finds none, without an object per file. */
  isUnchanged(row: number, now: Stamp): boolean;
  facts(row: number): Readonly<Facts>;
  /** The whole reading, as plain data. */
  reading(row: number): Reading<Facts>;
}

/** In parts. */
export function packed(readings: ReadonlyMap<string, Reading<Facts>>): Buffer[] {
  const count = Buffer.alloc(countBytes);
  count.writeDoubleLE(readings.size);
  const numbers = new Float64Array(readings.size * width);
  const [texts, values] = [newPlaces(), newPlaces()];
  let at = 0;
  for (const [path, reading] of readings) {
    const { stamp, lookedAtMs, offset, headSum, tailSum, value, settled } = reading;
    numbers[at++] = texts.placeOf(path);
    for (const field of stampFields) numbers[at++] = stamp[field];
    for (const each of [lookedAtMs, offset, headSum, tailSum]) numbers[at++] = each;
    numbers[at++] = settled === null ? nothing : values.placeOf(JSON.stringify(settled));
    for (const field of factFields) numbers[at++] = packedFact(value[field], codes[field], texts, values);
  }
  return [count, Buffer.from(numbers.buffer), ...texts.packed(), ...values.packed()];
}

type Places = ReturnType<typeof newPlaces>;

/** Equal texts have one place. */
function newPlaces() {
  const places = new Map<string, number>();
  return {
    placeOf(text: string): number {
      const place = places.get(text) ?? places.size;
      places.set(text, place);
      return place;
    },
    packed: () => packedTexts(places.keys(), places.size),
  };
}

/** Whether a look needs most of the rows or a few of them. It changes only what is decoded at first. */
export type Needed = "most" | "few";

export function unpacked(bytes: Buffer, needed: Needed = "most"): Columns {
  const count = bytes.readDoubleLE(0);
  const textsFrom = countBytes + count * width * Float64Array.BYTES_PER_ELEMENT;
  const numbers = numbersIn(bytes.subarray(countBytes, textsFrom));
  const { all, at: decoded, placeOf, sizeBytes } = unpackedTexts(bytes.subarray(textsFrom));
  // Half of the bytes, and a list shows none of them.
  const values = unpackedTexts(bytes.subarray(textsFrom + sizeBytes));
  const texts = needed === "most" ? all() : [];
  const textAt = (place: number) => (texts[place] ??= decoded(place));
  const pathOf = (row: number) => textAt(numbers[row * width]!);
  const rowAt = (place: number) => {
    for (let row = 0; row < count; row++) if (numbers[row * width] === place) return row;
    return undefined;
  };
  const parsed = (place: number): unknown => JSON.parse(values.at(place));
  const readFacts = factsIn(numbers, texts, rememberedAt(parsed));
  // A scan that goes on changes the facts it begins with.
  const ownFacts = once(() => factsIn(numbers, texts, parsed));
  const decode = (row: number) => {
    if (needed === "few")
      for (const at of textColumns) if (numbers[row * width + at]! >= 0) textAt(numbers[row * width + at]!);
  };
  const facts = (row: number) => {
    decode(row);
    return readFacts(row);
  };
  return {
    rowOf: rowFinder(count, pathOf, needed === "few" ? (path) => rowAt(placeOf(path)) : null),
    paths: () => Array.from({ length: count }, (_, row) => pathOf(row)),
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
      decode(row);
      const at = row * width + stampAt;
      const stamp = stampFields.map((field, place) => [field, numbers[at + place]!]);
      const [lookedAtMs, offset, headSum, tailSum, settled] = numbers.subarray(at + stampFields.length);
      return {
        stamp: Object.fromEntries(stamp) as unknown as Stamp,
        lookedAtMs: lookedAtMs!,
        offset: offset!,
        headSum: headSum!,
        tailSum: tailSum!,
        value: plainFacts(ownFacts()(row)),
        settled: Number.isNaN(settled) ? null : JSON.parse(values.at(settled!)),
      };
    },
  };
}

/** A copy if they are not aligned. */
function numbersIn(bytes: Buffer): Float64Array {
  const { buffer, byteOffset, length } = bytes;
  const size = Float64Array.BYTES_PER_ELEMENT;
  if (byteOffset % size === 0) return new Float64Array(buffer, byteOffset, length / size);
  return new Float64Array(new Uint8Array(bytes).buffer);
}

function rememberedAt(parsed: (place: number) => unknown): (place: number) => unknown {
  const known = new Map<number, unknown>();
  return (place) => {
    const found = known.get(place) ?? parsed(place);
    known.set(place, found);
    return found;
  };
}

/**
 * Files are found in the order of their rows while none is new. So the next row is tried first, and a table of all
 * paths is made only for a file that is not there. For a few of thousands a search costs less.
 */
function rowFinder(
  count: number,
  pathOf: (row: number) => string,
  search: ((path: string) => number | undefined) | null,
): Columns["rowOf"] {
  const rows = once(() => new Map(Array.from({ length: count }, (_, row) => [pathOf(row), row])));
  let next = 0;
  let searches = 0;
  const find = (path: string) =>
    search === null || ++searches > limits.columnSearches ? rows().get(path) : search(path);
  return (path) => {
    const row = count > 0 && pathOf(next) === path ? next : find(path);
    if (row !== undefined) next = (row + 1) % count;
    return row;
  };
}

/** The facts as a separate plain object, for comparing or copying. */
export function plainFacts(facts: Readonly<Facts>): Facts {
  return Object.fromEntries(factFields.map((field) => [field, facts[field]])) as unknown as Facts;
}

/** How a fact is stored as a number: directly, as the place of a text, or as the place of its JSON. */
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
  windowTokens: "number",
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
  isSubAgent: "flag",
  writtenAs: "text",
  writtenAsAtMs: "number",
};

const factFields = Object.keys(codes) as (keyof Facts)[];
const stampFields = ["inode", "sizeBytes", "modifiedAtMs", "changedAtMs", "bornAtMs"] as const;
/** A row has: path, stamp, time of the look; offset, two sums, the settled value; facts. */
const [stampAt, factsAt] = [1, 11];
const width = factsAt + factFields.length;
/** Where a row has the place of a text. */
const textColumns = factFields.flatMap((field, at) => (codes[field] === "text" ? factsAt + at : []));
const countBytes = 8;
const nothing = Number.NaN;

function packedFact(value: Facts[keyof Facts], code: Code, texts: Places, values: Places): number {
  if (value === null || (Array.isArray(value) && value.length === 0)) return nothing;
  if (code === "json" || code === "list") return values.placeOf(JSON.stringify(value));
  return code === "text" ? texts.placeOf(value as string) : Number(value);
}

/**
 * A class with one getter per column: thousands of objects are made, and a literal with a prototype takes three
 * times as long.
 */
function factsIn(
  numbers: Float64Array,
  texts: readonly string[],
  parsedAt: (place: number) => unknown,
): (row: number) => Readonly<Facts> {
  class Row {
    constructor(readonly from: number) {}
  }
  const readers: Record<Exclude<Code, "text">, (coded: number) => unknown> = {
    number: (coded) => (Number.isNaN(coded) ? null : coded),
    flag: (coded) => (Number.isNaN(coded) ? null : coded === 1),
    json: (place) => (Number.isNaN(place) ? null : parsedAt(place)),
    list: (place) => (Number.isNaN(place) ? [] : parsedAt(place)),
  };
  // Titles and folders of all transcripts are read. The position of a missing value has no text.
  const readText = (at: number) =>
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
      get: code === "text" ? readText(at) : valueAt(at, readers[code]),
    });
  }
  return (row) => new Row(row * width + factsAt) as unknown as Facts;
}
