// The bytes of a block, four at a time. JavaScript has no search that ends at a given position and costs nothing to
// call; testing four bytes at once is the next best.

export interface Words {
  /** The four bytes from position `4 × n + shift` on. */
  words: Int32Array;
  shift: number;
}

/** Nearly all calls are for lines of one block. */
export function wordsOf(bytes: Buffer): Words {
  if (known.bytes === bytes) return known.words;
  const shift = -bytes.byteOffset & 3;
  const whole = Math.max(0, bytes.length - shift) >> 2;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + (whole > 0 ? shift : 0), whole);
  known = { bytes, words: { words, shift: whole > 0 ? shift : 0 } };
  return known.words;
}

let known: { bytes: Buffer | null; words: Words } = {
  bytes: null,
  words: { words: new Int32Array(0), shift: 0 },
};

/** Whether one of the four bytes is `pattern`'s, which has the wanted byte four times. */
export function hasByte(four: number, pattern: number): boolean {
  const zero = four ^ pattern;
  return ((zero - 0x01010101) & ~zero & 0x80808080) !== 0;
}
