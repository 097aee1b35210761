// What stands elsewhere now, one line a pane.

import type { Move } from "../events/event.js";

export function moveLines(moves: readonly Move[]): string[] {
  return moves.length === 0 ? ["nothing moved"] : moves.map(({ from, to }) => `${from} is ${to} now`);
}
