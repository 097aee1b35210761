// Names in the order people count in: `pane 9` before `pane 10`. The language's own collator does it too, but takes
// longer to load than a whole short command.
//
// [NO1] Digits compare by what they count, everything else without regard to case.
// [NO2] Names that differ never compare as equal: sorting gives one order.

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
