// The numbered options of a dialog, as its screen shows them. Pure.

export interface ShownOption {
  number: number;
  label: string;
}

export function optionsIn(rows: readonly string[]): ShownOption[] {
  const found = rows.flatMap((row): ShownOption[] => {
    const match = /^[\s│|]*[❯>›]?\s*([1-9]\d?)[.)]\s+(.+?)[\s│|]*$/.exec(row);
    return match === null ? [] : [{ number: Number(match[1]), label: match[2]! }];
  });
  // A list counts from 1 without a gap; anything else is prose with a number.
  const start = found.findLastIndex(({ number }) => number === 1);
  const list = start < 0 ? [] : found.slice(start);
  return list.every(({ number }, at) => number === at + 1) ? list : [];
}
