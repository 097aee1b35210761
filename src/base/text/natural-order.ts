// Sorts names with numbers in natural order: `pane 9` before `pane 10`. The language's own collator does this too,
// but takes longer to load than a whole short command.
//
// Digits compare by value, other text without regard to case. Different names never compare as equal.

export function naturalOrder(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = partOrder(left[at]!, right[at]!);
    if (order !== 0) return order;
  }
  return left.length - right.length || plain(a, b);
}

function partsOf(name: string): string[] {
  return name.toLowerCase().match(/\d+|\D+/g) ?? [];
}

function partOrder(a: string, b: string): number {
  const isCount = /^\d/.test(a) && /^\d/.test(b);
  return (isCount ? Number(a) - Number(b) : 0) || plain(a, b);
}

function plain(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
