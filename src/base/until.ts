import { setTimeout as rest } from "node:timers/promises";

/** Asks until the answer is good or the time is over. Returns the last answer. */
export async function until<T>(
  ask: () => T | Promise<T>,
  isGood: (answer: T) => boolean,
  { withinMs, pollMs }: { withinMs: number; pollMs: number },
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isGood(answer) || performance.now() > end) return answer;
    await rest(pollMs);
  }
}
