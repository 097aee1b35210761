// Thousands of texts in a cache, as the elements of one JSON list. A look at a few transcripts decodes a few of them;
// a look at all decodes the whole list at once, which takes a tenth of the time of one after the other.

export interface Texts {
  count: number;
  /** Of the packed texts: others may follow them. */
  sizeBytes: number;
  all(): string[];
  at(place: number): string;
  /** -1 for an unknown text. */
  placeOf(text: string): number;
}

/** In parts: the number of texts, where each one ends in the list, and the list. */
export function packedTexts(texts: Iterable<string>, count: number): Buffer[] {
  const ends = Buffer.alloc(countBytes + count * endBytes);
  ends.writeDoubleLE(count);
  const list: Buffer[] = [];
  let [part, end, place] = ["[", 0, 0];
  for (const text of texts) {
    const element = JSON.stringify(text);
    // Behind the bracket or the comma before it.
    end += 1 + Buffer.byteLength(element);
    ends.writeUInt32LE(end, countBytes + place * endBytes);
    part += place === 0 ? element : `,${element}`;
    place++;
    if (part.length < partLength) continue;
    list.push(Buffer.from(part));
    part = "";
  }
  return [ends, ...list, Buffer.from(`${part}]`)];
}

/** A list of thousands of texts is never a single string. */
const partLength = 1 << 18;

export function unpackedTexts(bytes: Buffer): Texts {
  const count = bytes.readDoubleLE(0);
  const listFrom = countBytes + count * endBytes;
  const endOf = (place: number) => (place < 0 ? 0 : bytes.readUInt32LE(countBytes + place * endBytes));
  const startOf = (place: number) => endOf(place - 1) + 1;
  // With its closing bracket; an empty list has an opening one too.
  const sizeBytes = listFrom + Math.max(endOf(count - 1), 1) + 1;
  const list = bytes.subarray(listFrom, sizeBytes);
  return {
    count,
    sizeBytes,
    all: () => JSON.parse(list.toString("utf8")),
    at: (place) => JSON.parse(list.toString("utf8", startOf(place), endOf(place))),
    placeOf(text) {
      const element = Buffer.from(JSON.stringify(text));
      for (let from = list.indexOf(element); from >= 0; from = list.indexOf(element, from + 1)) {
        const place = firstPlace(count, (each) => endOf(each) > from);
        if (startOf(place) === from && endOf(place) === from + element.length) return place;
      }
      return -1;
    },
  };
}

const countBytes = 8;
const endBytes = 4;

/** The first place for which it is true; it is true for all after it. */
function firstPlace(count: number, isTrue: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
