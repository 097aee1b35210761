// Whether a place of a list now has another thing than before. Pure.

export function hasMoved(before: readonly string[], now: readonly string[]): boolean {
  return now.some((tag, at) => at < before.length && before[at] !== tag);
}
