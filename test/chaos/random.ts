// A small seeded generator: the same seed gives the same story, on every machine.

export interface Random {
  /** A whole number from 0 to `end`, exclusive. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
  chance(of: number): boolean;
  hex(digits: number): string;
}

/** One generator per step of a seed, so that a step that draws more does not change the others. */
export function randomOf(seed: number, step: number): Random {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b)) >>> 0;
  // Mulberry32: one word of state, and good enough for choices.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    pick: (from) => from[below(from.length)]!,
    chance: (of) => next() < of,
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(""),
  };
}

export function uuidOf({ hex }: Random): string {
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
