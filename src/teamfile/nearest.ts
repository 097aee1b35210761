// The word that was meant, if one is near enough to be worth a question.
//
// [TFN1] A word is proposed when two typing errors at most lie between them, and less than half of it is wrong; case,
//        dashes and underscores are no errors.

/** Null when nothing is near. Of equals the first. */
export function nearest(word: string, choices: readonly string[]): string | null {
  const ranked = choices
    .map((choice) => ({ choice, away: distance(plain(word), plain(choice)) }))
    .filter(({ choice, away }) => away <= 2 && away * 2 < plain(choice).length)
    .sort((a, b) => a.away - b.away);
  return ranked[0]?.choice ?? null;
}

function plain(word: string): string {
  // Nothing that is near is longer than this, and the time goes with the square.
  return word.slice(0, 100).toLowerCase().replace(/[-_]/g, "");
}

/** Insertions, deletions, replacements, and neighbours that changed places. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const now = [row];
    for (let at = 1; at <= to.length; at++) {
      const isSame = from[row - 1] === to[at - 1];
      const isSwapped = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      now[at] = Math.min(
        last[at]! + 1,
        now[at - 1]! + 1,
        last[at - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[at - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, now];
  }
  return last[to.length]!;
}
