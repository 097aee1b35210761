// AssemblyScript. Nearly all bytes of a transcript are in strings, so they are passed 16 at a time.

/** The address of the closing quote of the string whose text begins at `from`; 0 if it is not closed before `to`. */
export function closingQuote(from: usize, to: usize): usize {
  const quotes = i8x16.splat(0x22);
  for (let at = from; at < to; at += 16) {
    for (let left = i8x16.bitmask(i8x16.eq(v128.load(at), quotes)); left !== 0; left &= left - 1) {
      const found = at + ctz(left);
      if (found >= to) return 0;
      if (!isEscaped(from, found)) return found;
    }
  }
  return 0;
}

function isEscaped(from: usize, at: usize): bool {
  let first = at;
  while (first > from && load<u8>(first - 1) === 0x5c) first--;
  return ((at - first) & 1) === 1;
}

export function skipSpace(from: usize, to: usize): usize {
  let at = from;
  while (at < to && load<u8>(at) <= 0x20) at++;
  return at;
}
